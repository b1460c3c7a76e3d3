"""What views are asked with over the wire, and what they answer: the table of views, and what goes beside it."""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import attrs

from scopelight.analysis.compare.records import ComparisonRecord
from scopelight.analysis.options import NoOptions, ScopeOptions
from scopelight.analysis.records import LinesRecord
from scopelight.protocol.comparing import ComparisonOptions
from scopelight.protocol.lines import LocatedLine
from scopelight.protocol.runs import OpenedRun
from scopelight.protocol.timeline import TimelineAnswer, TimelineOptions
from scopelight.sql.described import QuerySchema
from scopelight.views.needs import Need
from scopelight.views.table import DETAILS, VIEWS

R = TypeVar("R")


@attrs.frozen(slots=True)
class ViewAnswer(Generic[R]):
    """What a view shows of a run. ``devices`` ran ops; a view with an option for it may be asked for one of them, or
    for those of one of the ``hosts``, of which there are none or several."""

    run: OpenedRun
    devices: tuple[str, ...]
    hosts: tuple[str, ...]
    record: R


@attrs.frozen(slots=True)
class LinesAnswer(ViewAnswer[LinesRecord]):
    """What the view of lines shows: its record, the text of its lines, and where they are now.

    ``sources`` and ``places`` go with ``record.lines``, row by row; a source is None where no copy of its file is
    known.
    """

    sources: tuple[str | None, ...]
    places: tuple[LocatedLine | None, ...]


@attrs.frozen(slots=True)
class MemoryProfileOptions:
    """``path`` is a snapshot of memory that was opened as a file; None is the run that is shown, which stays so."""

    path: str | None = None


VIEW_REQUESTS: Mapping[str, tuple[Any, Any]] = {
    **{view.id: (view.options, ViewAnswer[view.record]) for view in VIEWS.values()},  # type: ignore[name-defined]
    "lines": (ScopeOptions, LinesAnswer),
    "timeline": (TimelineOptions, TimelineAnswer),
    "memory-profile": (MemoryProfileOptions, ViewAnswer[VIEWS["memory-profile"].record]),  # type: ignore[misc]
    "comparison": (ComparisonOptions, ViewAnswer[ComparisonRecord]),
    "query": (NoOptions, ViewAnswer[QuerySchema]),
}
"""What each view is asked with, and what it answers, by its id."""

VIEW_NEEDS: Mapping[str, tuple[Need, ...]] = {
    **{view.id: view.needs for view in VIEWS.values()},
    "comparison": ("executions", "programs"),
    "query": ("executions", "programs", "memory", "traces", "resources"),
}
"""What each needs of a run, of which any will do, by its id."""

DETAIL_REQUESTS: Mapping[str, tuple[Any, Any]] = {
    question.id: (question.options, question.record) for question in DETAILS.values()
}
"""The same of what is asked of one thing in a record."""
