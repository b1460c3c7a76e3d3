"""Asking the person through the client, which MCP calls elicitation."""

import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from scopelight.agents.desk import Consent
from scopelight.server.mcp.messages import Writer

_POLL_SECONDS: Final = 0.2
_FIELD: Final = "run"
_SCHEMA: Final = {
    "type": "object",
    "properties": {_FIELD: {"type": "boolean", "title": "Run it", "description": "Whether the script may run."}},
    "required": [_FIELD],
}


class Questions:
    """Questions that were put to the client, and its answers. Safe for several threads."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._numbers = itertools.count(1)
        self._open: dict[str, tuple[threading.Event, list[Mapping[str, Any]]]] = {}

    def ask(self, question: str, is_cancelled: Callable[[], bool]) -> Consent:
        """Put a question to the person, and wait for the answer."""
        name = f"scopelight-{next(self._numbers)}"
        answered, answers = self._open.setdefault(name, (threading.Event(), []))
        params = {"message": question, "requestedSchema": _SCHEMA}
        self._writer.send({"jsonrpc": "2.0", "id": name, "method": "elicitation/create", "params": params})
        while not answered.wait(_POLL_SECONDS):
            if is_cancelled() or self._writer.is_closed:
                return "declined"
        del self._open[name]
        return _consent(answers[0])

    def answered(self, message: Mapping[str, Any]) -> None:
        """Take over a response of the client; one that nothing asked for is passed over."""
        name = message.get("id")
        waiting = self._open.get(name) if isinstance(name, str) else None
        if waiting is not None:
            waiting[1].append(message)
            waiting[0].set()


def _consent(message: Mapping[str, Any]) -> Consent:
    result = message.get("result")
    if not isinstance(result, dict):
        # It says that it can ask, and cannot.
        return "cannot-ask"
    content = result.get("content")
    is_agreed = result.get("action") == "accept" and isinstance(content, dict) and content.get(_FIELD) is True
    return "agreed" if is_agreed else "declined"
