"""What the panels ask for: one handler for each."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from scopelight.protocol import HotLinesOptions, HotLinesView
from scopelight.server.faults import RequestFailed
from scopelight.server.session import Session
from scopelight.server.shown_run import described


async def hot_lines(session: Session, params: HotLinesOptions) -> HotLinesView:  # noqa: ARG001 (it has no options)
    """The record of the shown run, the text of its lines, and where they are now."""
    run = session.shown
    if run is None:
        raise RequestFailed("No run is shown: open one first.")
    survey = await session.placements.survey(run)
    view = HotLinesView(await described(session, run), run.record, survey.sources, survey.places)
    for listener in session.places_told:
        listener(run, survey)
    return view


PANEL_HANDLERS: Mapping[str, Callable[[Session, Any], Awaitable[object]]] = {
    "hotLines": hot_lines,
}
"""By the name that `scopelight.protocol.PANELS` has."""
