"""Calls of tools that are under way: each in a thread, cancelled by the client or with the server, told how far."""

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import attrs

from scopelight.agents.answering import call_tool
from scopelight.agents.desk import Client, Consent, Desk
from scopelight.agents.foreign import one_line
from scopelight.agents.table import TOOLS
from scopelight.server.mcp.asking import Questions
from scopelight.server.mcp.messages import INVALID_PARAMS, ProtocolError, Writer

logger = logging.getLogger(__name__)

_THREADS: Final = 4
_MOST_SAID: Final = 200
_POLL_SECONDS: Final = 0.1
_END_SECONDS: Final = 25.0
"""A script that is interrupted saves what it captured before it ends."""


class Calls:
    """The calls of one server. ``can_ask``: the client puts questions to the person."""

    def __init__(self, desk: Desk, writer: Writer, questions: Questions) -> None:
        self._desk = desk
        self._writer = writer
        self._questions = questions
        self._pool = ThreadPoolExecutor(_THREADS, "call")
        self._cancelled: dict[str | int, threading.Event] = {}
        self._says_no_more = threading.Event()
        self.can_ask = False

    @property
    def desk(self) -> Desk:
        """What tools work with."""
        return self._desk

    @property
    def pool(self) -> ThreadPoolExecutor:
        """The threads that requests are answered in."""
        return self._pool

    def begin(self, request_id: object) -> None:
        """Know a call, so that it can be cancelled, also before a thread takes it up."""
        if isinstance(request_id, str | int):
            self._cancelled[request_id] = threading.Event()

    def cancel(self, request_id: object) -> None:
        """End a call, whose response no one waits for."""
        event = self._cancelled.get(request_id) if isinstance(request_id, str | int) else None
        if event is not None:
            event.set()

    def end_of(self, request_id: object) -> bool:
        """The call has its answer; whether it is to be sent."""
        event = self._cancelled.pop(request_id, None) if isinstance(request_id, str | int) else None
        return event is None or not event.is_set()

    def call(self, request_id: Any, params: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ANN401
        """The result of ``tools/call``. Raises `ProtocolError` where it calls no tool."""
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or name not in TOOLS:
            raise ProtocolError(INVALID_PARAMS, f"There is no such tool; there are {', '.join(TOOLS)}.")
        if arguments is not None and not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "The arguments of a tool are an object.")
        cancelled = self._cancelled.get(request_id, threading.Event())

        def is_cancelled() -> bool:
            # No one is there that could end a script, or be asked whether it is to run.
            return cancelled.is_set() or (TOOLS[name].runs_script and self._says_no_more.is_set())

        client = Client(self._asker(is_cancelled), self._teller(params), is_cancelled)
        called = call_tool(attrs.evolve(self._desk, client=client), name, arguments or {}, log=logger.error)
        return {"content": [{"type": "text", "text": called.text}], "isError": called.is_error}

    def finish(self) -> None:
        """The client says no more: interrupt scripts, and answer what it has asked, as long as it reads."""
        self._says_no_more.set()
        answered = threading.Thread(target=self._pool.shutdown, daemon=True)
        answered.start()
        while answered.is_alive() and not self._writer.is_closed:
            answered.join(_POLL_SECONDS)

    def end(self) -> None:
        """Cancel all, and wait a moment for scripts that were started to end."""
        for event in tuple(self._cancelled.values()):
            event.set()
        ended = threading.Thread(target=self._pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)
        ended.start()
        ended.join(_END_SECONDS)

    def _asker(self, is_cancelled: Callable[[], bool]) -> Any:  # noqa: ANN401 (from a question to a `Consent`)
        def ask(question: str) -> Consent:
            return self._questions.ask(question, is_cancelled) if self.can_ask else "cannot-ask"

        return ask

    def _teller(self, params: Mapping[str, Any]) -> Any:  # noqa: ANN401 (from a sentence to nothing)
        meta = params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        told = 0

        def tell(said: str) -> None:
            nonlocal told
            told += 1
            if isinstance(token, str | int):
                progress = {"progressToken": token, "progress": told, "message": one_line(said)[:_MOST_SAID]}
                self._writer.send({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress})

        return tell
