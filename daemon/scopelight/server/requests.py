"""The handler of every request of the protocol."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from pygls.server import JsonRPCServer

from scopelight.protocol import REQUESTS
from scopelight.server.debug_information import debug_information
from scopelight.server.lines.copying import copy_as_markdown
from scopelight.server.lines.locate import locate_line
from scopelight.server.runs.captures import follow_capture
from scopelight.server.runs.runs import list_runs, pin_run
from scopelight.server.runs.shown_run import close_run, open_run
from scopelight.server.session import Session
from scopelight.server.views.panels import DETAILS_HANDLERS, PANEL_HANDLERS
from scopelight.server.views.timeline_questions import export_timeline
from scopelight.server.wire.conversion import unstructured
from scopelight.server.wire.faults import guarded

Handler = Callable[[Session, Any], Awaitable[object]]

HANDLERS: Mapping[str, Handler] = {
    "scopelight/runs": list_runs,
    "scopelight/openRun": open_run,
    "scopelight/closeRun": close_run,
    "scopelight/pinRun": pin_run,
    "scopelight/followCapture": follow_capture,
    "scopelight/locateLine": locate_line,
    "scopelight/copyAsMarkdown": copy_as_markdown,
    "scopelight/exportTimeline": export_timeline,
    "scopelight/debugInformation": debug_information,
    **{f"scopelight/panel/{name}": handler for name, handler in PANEL_HANDLERS.items()},
    **{f"scopelight/details/{name}": handler for name, handler in DETAILS_HANDLERS.items()},
}

_VIEWS = "scopelight/panel/"

_SUBJECTS = {
    "scopelight/runs": "Listing the runs",
    "scopelight/openRun": "Opening the run",
    "scopelight/pinRun": "Pinning the run",
    "scopelight/followCapture": "Following the capture",
    "scopelight/panel/opProfile": "The op profile",
    "scopelight/panel/opStatistics": "The op statistics",
    "scopelight/panel/flops": "The view of FLOPs",
    "scopelight/panel/roofline": "The roofline",
    "scopelight/panel/timeline": "The timeline",
    "scopelight/panel/memoryViewer": "The memory viewer",
    "scopelight/details/memoryAt": "The memory at a position",
    "scopelight/details/opCard": "The card of the op",
    "scopelight/details/timelineWindow": "Drawing the timeline",
    "scopelight/details/timelineFind": "Searching the timeline",
    "scopelight/details/timelineFoundEvent": "Searching the timeline",
    "scopelight/details/timelineEvent": "The event",
    "scopelight/details/timelineSelection": "The selection",
    "scopelight/details/timelineTable": "The table of events",
    "scopelight/exportTimeline": "Writing the timeline",
}


def register_requests(server: JsonRPCServer, session: Session, handlers: Mapping[str, Handler] = HANDLERS) -> None:
    """Answer every request of the protocol. Raises `LookupError` where one has no handler."""
    for method in REQUESTS:
        if method not in handlers:
            raise LookupError(f"The protocol has {method}, and the server has no handler for it.")
        server.feature(method)(_answering(method, handlers[method], session))


def _answering(method: str, handler: Handler, session: Session) -> Callable[[Any], Awaitable[Any]]:
    is_view = method.startswith(_VIEWS)

    async def answer(params: Any) -> Any:  # noqa: ANN401 (the protocol's record)
        record = await handler(session, params)
        # A view may have tens of thousands of rows.
        return await session.work.quick(partial(unstructured, record)) if is_view else unstructured(record)

    return guarded(answer, _SUBJECTS.get(method, f"The request {method}"))
