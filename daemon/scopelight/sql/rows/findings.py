"""What the views say of a run besides figures."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import Subject
from scopelight.findings import Finding
from scopelight.report.findings.worded import in_terminal
from scopelight.report.json_text import compact_json
from scopelight.sql.rows.records import table_columns
from scopelight.sql.schema import Columns
from scopelight.views.needs import has
from scopelight.views.table import VIEWS

_ASKED: Final = ("advice", "lines", "ops", "programs", "padding", "input", "memory-profile", "resources", "steps")
"""Views that say something of a run as a whole."""


def findings(subject: Subject) -> Columns:
    """Those of each view that has something to show of the run, equal ones once."""
    return table_columns("findings", _rows(subject))


def _rows(subject: Subject) -> Iterator[Mapping[str, Any]]:
    there = set(has(subject.profile))
    seen: list[Finding] = []
    for view in map(VIEWS.__getitem__, _ASKED):
        if there.isdisjoint(view.needs):
            continue
        try:
            record = view.ask(subject, view.options())
        except OptionError:
            continue
        for each in (*getattr(record, "findings", ()), *getattr(record, "notes", ())):
            if each in seen:
                continue
            seen.append(each)
            yield {
                "found_by": view.id,
                "code": each.code,
                "severity": each.severity,
                "sentence": in_terminal(each),
                "values_json": compact_json(dict(each.values)),
                **{
                    name: getattr(each, name, None)
                    for name in ("path", "file", "line", "saving_per_step_ps", "saving_bytes")
                },
            }
