"""What the panels ask for: one handler for each view, and for what views ask of one thing in them."""

import functools
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from scopelight.analysis.memory.plan.records import LiveAtRecord
from scopelight.analysis.ops.records import OpCardRecord
from scopelight.protocol import (
    FlopsView,
    HotLinesOptions,
    HotLinesView,
    MemoryAtOptions,
    MemoryProfileOptions,
    MemoryProfileView,
    MemoryViewerOptions,
    MemoryViewerView,
    OpCardOptions,
    OpProfileOptions,
    OpProfileView,
    OpsOptions,
    OpStatisticsView,
    RooflineView,
)
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.runs.shown_run import described
from scopelight.server.session import Session
from scopelight.server.views.timeline import timeline, timeline_names, timeline_window
from scopelight.server.views.timeline_questions import QUESTION_HANDLERS
from scopelight.server.wire.faults import RequestFailed


async def hot_lines(session: Session, params: HotLinesOptions) -> HotLinesView:  # noqa: ARG001 (it has no options)
    """The record of the shown run, the text of its lines, and where they are now."""
    run = _shown(session)
    survey = await session.placements.survey(run)
    opened = await described(session, run)
    if run.never_ran:
        # No line is hot: the record says why, and what to do.
        view = HotLinesView(opened, attrs.evolve(run.record, lines=()), (), ())
    else:
        view = HotLinesView(opened, run.record, survey.sources, survey.places)
    for listener in session.places_told:
        listener(run, survey)
    return view


async def op_profile(session: Session, params: OpProfileOptions) -> OpProfileView:
    """The ops of the shown run as a tree."""
    run = _shown(session)
    views, source = session.loading.op_views, session.loading.op_source(run)
    record = await views.profile(source, params.device, params.grouping)
    return OpProfileView(await described(session, run), await views.devices(source), record)


async def op_statistics(session: Session, params: OpsOptions) -> OpStatisticsView:
    """Every op of the shown run."""
    run = _shown(session)
    views, source = session.loading.op_views, session.loading.op_source(run)
    record = await views.statistics(source, params.device)
    return OpStatisticsView(await described(session, run), await views.devices(source), record)


async def flops(session: Session, params: OpsOptions) -> FlopsView:
    """The FLOPs of the shown run by scope and op."""
    run = _shown(session)
    views, source = session.loading.op_views, session.loading.op_source(run)
    record = await views.flops(source, params.device)
    return FlopsView(await described(session, run), await views.devices(source), record)


async def roofline(session: Session, params: OpsOptions) -> RooflineView:
    """The ops and programs of the shown run under the roofline."""
    run = _shown(session)
    views, source = session.loading.op_views, session.loading.op_source(run)
    record = await views.roofline(source, params.device)
    return RooflineView(await described(session, run), await views.devices(source), record)


async def op_card(session: Session, params: OpCardOptions) -> OpCardRecord:
    """Everything that is known of one op of the shown run."""
    source = session.loading.op_source(_shown(session))
    return await session.loading.op_views.card(source, params.device, params.key)


async def memory_viewer(session: Session, params: MemoryViewerOptions) -> MemoryViewerView:
    """What a program of the shown run keeps in memory."""
    run = _shown(session)
    source = session.loading.op_source(run)
    record = await session.loading.memory_views.viewer(source, params.program_id, params.memory_space)
    return MemoryViewerView(await described(session, run), record)


async def memory_profile(session: Session, params: MemoryProfileOptions) -> MemoryProfileView:
    """What was in memory while the shown run's script ran, or when a snapshot of memory was saved."""
    run = _shown(session) if params.path is None else await _snapshot(session, params.path)
    record = await session.loading.memory_profiles.profile(session.loading.op_source(run))
    return MemoryProfileView(await described(session, run), record)


async def memory_at(session: Session, params: MemoryAtOptions) -> LiveAtRecord:
    """What is in memory at a position of a program of the shown run."""
    source = session.loading.op_source(_shown(session))
    views = session.loading.memory_views
    return await views.alive_at(source, params.program_id, params.memory_space, params.position)


async def _snapshot(session: Session, named: str) -> LoadedRun:
    """A file of a snapshot. Raises `RequestFailed` where it is of another kind: many tools name their files so."""
    path = checked_path(named)
    if not await session.work.quick(functools.partial(_may_be_snapshot, path)):
        raise RequestFailed(
            f"{path.name} is no snapshot of memory that jax saved (jax.profiler.save_device_memory_profile):"
            " open it with the tool that wrote it."
        )
    return await session.loading.load(path, session.roots, lambda _: None)


def _may_be_snapshot(path: Path) -> bool:
    """Whether it is one by its beginning, or no file at all: that is for the readers to say."""
    from scopelight.formats.pprof.reader import is_pprof_file  # noqa: PLC0415

    return is_pprof_file(path) or not path.is_file()


def _shown(session: Session) -> LoadedRun:
    if session.shown is None:
        raise RequestFailed("No run is shown: open one first.")
    return session.shown


PANEL_HANDLERS: Mapping[str, Callable[[Session, Any], Awaitable[object]]] = {
    "hotLines": hot_lines,
    "opProfile": op_profile,
    "opStatistics": op_statistics,
    "flops": flops,
    "roofline": roofline,
    "timeline": timeline,
    "memoryViewer": memory_viewer,
    "memoryProfile": memory_profile,
}
"""By the name that `scopelight.protocol.PANELS` has."""

DETAILS_HANDLERS: Mapping[str, Callable[[Session, Any], Awaitable[object]]] = {
    "opCard": op_card,
    "memoryAt": memory_at,
    "timelineWindow": timeline_window,
    "timelineNames": timeline_names,
    **QUESTION_HANDLERS,
}
"""By the name that `scopelight.protocol.DETAILS` has."""
