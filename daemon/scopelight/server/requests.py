"""The handler of every request of the protocol."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pygls.server import JsonRPCServer

from scopelight.protocol import REQUESTS
from scopelight.server.captures import follow_capture
from scopelight.server.conversion import unstructured
from scopelight.server.copying import copy_as_markdown
from scopelight.server.debug_information import debug_information
from scopelight.server.faults import guarded
from scopelight.server.locate import locate_line
from scopelight.server.panels import PANEL_HANDLERS
from scopelight.server.runs import list_runs, pin_run
from scopelight.server.session import Session
from scopelight.server.shown_run import close_run, open_run

Handler = Callable[[Session, Any], Awaitable[object]]

HANDLERS: Mapping[str, Handler] = {
    "scopelight/runs": list_runs,
    "scopelight/openRun": open_run,
    "scopelight/closeRun": close_run,
    "scopelight/pinRun": pin_run,
    "scopelight/followCapture": follow_capture,
    "scopelight/locateLine": locate_line,
    "scopelight/copyAsMarkdown": copy_as_markdown,
    "scopelight/debugInformation": debug_information,
    **{f"scopelight/panel/{name}": handler for name, handler in PANEL_HANDLERS.items()},
}

_SUBJECTS = {
    "scopelight/runs": "Listing the runs",
    "scopelight/openRun": "Opening the run",
    "scopelight/pinRun": "Pinning the run",
    "scopelight/followCapture": "Following the capture",
}


def register_requests(server: JsonRPCServer, session: Session, handlers: Mapping[str, Handler] = HANDLERS) -> None:
    """Answer every request of the protocol. Raises `LookupError` where one has no handler."""
    for method in REQUESTS:
        if method not in handlers:
            raise LookupError(f"The protocol has {method}, and the server has no handler for it.")
        server.feature(method)(_answering(method, handlers[method], session))


def _answering(method: str, handler: Handler, session: Session) -> Callable[[Any], Awaitable[Any]]:
    async def answer(params: Any) -> Any:  # noqa: ANN401 (the protocol's record)
        return unstructured(await handler(session, params))

    return guarded(answer, _SUBJECTS.get(method, f"The request {method}"))
