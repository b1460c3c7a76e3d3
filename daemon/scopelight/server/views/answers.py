"""What views of runs answer: one handler for all of the table, and those of the views that say more."""

import functools
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from scopelight.analysis.options import NoOptions, ScopeOptions
from scopelight.protocol.views import LinesAnswer, MemoryProfileOptions, ViewAnswer
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.runs.shown_run import described, shown_run
from scopelight.server.session import Session
from scopelight.server.views.timeline import timeline
from scopelight.server.wire.faults import RequestFailed
from scopelight.views.table import DETAILS, VIEWS, Question

Handler = Callable[[Session, Any], Awaitable[object]]


async def _answer(question: Question, session: Session, options: Any) -> ViewAnswer[Any]:  # noqa: ANN401 (the view's)
    """The record of the shown run."""
    return await _answer_of(session, shown_run(session), question, options)


async def _answer_of(session: Session, run: LoadedRun, question: Question, options: object) -> ViewAnswer[Any]:
    record = await session.records.of(run, question, options)
    return ViewAnswer(await described(session, run), *await session.records.devices(run), record)


async def _detail(question: Question, session: Session, options: Any) -> object:  # noqa: ANN401 (the question's)
    return await session.records.of(shown_run(session), question, options)


async def _lines(session: Session, options: ScopeOptions) -> LinesAnswer:
    """The record of the shown run, the text of its lines, and where they are now."""
    run = shown_run(session)
    if options.scope not in (None, run.scope):
        run = await session.loading.load(run.path, session.roots, options.scope or run.scope, lambda _: None)
    survey = await session.placements.survey(run)
    opened = await described(session, run)
    if run.never_ran:
        # No line is hot: the record says why, and what to do.
        answer = LinesAnswer(opened, (), (), attrs.evolve(run.record, lines=()), (), ())
    else:
        devices = tuple(device.name for device in run.record.devices)
        answer = LinesAnswer(opened, devices, (), run.record, survey.sources, survey.places)
    session.places_told.emit(run, survey)
    return answer


async def _memory_profile(session: Session, options: MemoryProfileOptions) -> ViewAnswer[Any]:
    """What was in memory while the shown run's script ran, or when a snapshot of memory was saved."""
    run = shown_run(session) if options.path is None else await _snapshot(session, options.path)
    return await _answer_of(session, run, VIEWS["memory-profile"], NoOptions())


async def _snapshot(session: Session, named: str) -> LoadedRun:
    """A file of a snapshot. Raises `RequestFailed` where it is of another kind: many tools name their files so."""
    path = checked_path(named)
    if not await session.work.quick(functools.partial(_may_be_snapshot, path)):
        raise RequestFailed(
            text(
                "{file} is no snapshot of memory that jax saved (jax.profiler.save_device_memory_profile): open it with"
                " the tool that wrote it.",
                file=path.name,
            )
        )
    return await session.loading.load(path, session.roots, session.settings.scope, lambda _: None)


def _may_be_snapshot(path: Path) -> bool:
    """Whether it is one by its beginning, or no file at all: that is for the readers to say."""
    from scopelight.formats.pprof.recognise import is_pprof_file  # noqa: PLC0415

    return is_pprof_file(path) or not path.is_file()


VIEW_HANDLERS: Mapping[str, Handler] = {
    **{view.id: functools.partial(_answer, view) for view in VIEWS.values()},
    "lines": _lines,
    "timeline": timeline,
    "memory-profile": _memory_profile,
}
"""By the id of the view."""

DETAIL_HANDLERS: Mapping[str, Handler] = {
    question.id: functools.partial(_detail, question) for question in DETAILS.values()
}
"""By the id of the question."""
