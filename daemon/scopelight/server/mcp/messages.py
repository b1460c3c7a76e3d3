"""Messages of JSON-RPC 2.0: read from a stream line by line, written to one whole, and the errors there are."""

import json
import threading
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
RESOURCE_NOT_FOUND: Final = -32002
LONGEST_LINE_BYTES: Final = 1 << 22
"""No client has so much to say; what is longer is refused and passed over."""


class ProtocolError(Exception):
    """A request cannot be answered: the code of JSON-RPC, and a sentence."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class UnreadableError(ProtocolError):
    """A line is no message."""


def read_messages(stream: IO[bytes]) -> Iterator[Any]:
    """The messages of a stream, until it ends; `UnreadableError` in place of a line that is none."""
    while line := stream.readline(LONGEST_LINE_BYTES):
        if not line.endswith(b"\n") and len(line) >= LONGEST_LINE_BYTES:
            _pass_over(stream)
            yield UnreadableError(INVALID_REQUEST, f"The message is longer than {LONGEST_LINE_BYTES} bytes.")
        elif line.strip():
            yield _message(line)


def _pass_over(stream: IO[bytes]) -> None:
    """Read to the end of a line."""
    while (more := stream.readline(LONGEST_LINE_BYTES)) and not more.endswith(b"\n"):
        pass


def _message(line: bytes) -> Any:  # noqa: ANN401 (of JSON)
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return UnreadableError(PARSE_ERROR, "The line is no JSON.")


class Writer:
    """Writes messages, each on a line of its own. Safe for several threads."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self.is_closed = False
        """Whether the client reads no more."""

    def send(self, message: Any) -> None:  # noqa: ANN401 (of JSON)
        """Write a message; nothing where no one reads."""
        # What is not ASCII is escaped: no line separator of Unicode, nor half a surrogate pair, can break the line.
        data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._stream.write(data)
                self._stream.flush()
            except (OSError, ValueError):
                self.is_closed = True


def answer(request_id: Any, result: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ANN401 (text or a number)
    """The response to a request."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def failure(request_id: Any, error: ProtocolError) -> dict[str, Any]:  # noqa: ANN401
    """The response to a request that cannot be answered; its id is None where it has none."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": error.code, "message": error.sentence}}
