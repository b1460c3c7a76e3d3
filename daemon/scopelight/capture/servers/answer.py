"""The answer to one gRPC call, put together from what comes in."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote

import h2.events

from scopelight.capture.servers.call_faults import CallFault

MOST_ANSWER_BYTES: Final = (1 << 31) - 1 - 5
"""Protobuf knows no larger message."""
_PREFIX_BYTES: Final = 5
_LONGEST_PROBLEM: Final = 500


class Answer:
    """Takes the events of one stream."""

    def __init__(self, stream: int) -> None:
        self._stream = stream
        self._body = bytearray()
        self._status: int | None = None
        self._problem = ""
        self.is_complete = False

    def take(self, event: h2.events.Event) -> None:
        """Take an event; those of other streams are let pass. Raises `CallFault`."""
        if getattr(event, "stream_id", None) != self._stream:
            return
        if isinstance(event, h2.events.ResponseReceived):
            self._take_headers(event.headers)
        elif isinstance(event, h2.events.TrailersReceived):
            self._take_status(event.headers)
        elif isinstance(event, h2.events.DataReceived):
            self._take_data(event.data)
        elif isinstance(event, h2.events.StreamReset):
            raise CallFault("lost", f"it ended the call (code {int(event.error_code or 0)})")
        elif isinstance(event, h2.events.StreamEnded):
            self.is_complete = True

    def message(self) -> bytes:
        """What was answered. Raises `CallFault` where that is an error, or no answer."""
        if self._status is None:
            raise CallFault("malformed", "the answer has no status")
        if self._status != 0:
            raise CallFault("refused", self._problem, self._status)
        if len(self._body) < _PREFIX_BYTES or len(self._body) != _PREFIX_BYTES + self._claimed_bytes():
            raise CallFault("malformed", "the answer is cut off")
        with memoryview(self._body) as whole:
            return bytes(whole[_PREFIX_BYTES:])

    def _take_headers(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        named = _plain(headers)
        if named.get(":status") != "200" or not named.get("content-type", "").startswith("application/grpc"):
            raise CallFault("foreign", f"HTTP status {named.get(':status', '?')[:10]}")
        self._take_status(headers)

    def _take_status(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        named = _plain(headers)
        status = named.get("grpc-status")
        if status is not None:
            if not status.isascii() or not status.isdigit() or len(status) > 4:
                raise CallFault("malformed", "the status is no number")
            self._status = int(status)
            self._problem = unquote(named.get("grpc-message", ""), errors="replace")[:_LONGEST_PROBLEM]

    def _take_data(self, data: bytes) -> None:
        self._body += data
        if len(self._body) < _PREFIX_BYTES:
            return
        if self._body[0] != 0:
            raise CallFault("malformed", "the answer is compressed, which was not asked for")
        claimed = self._claimed_bytes()
        if claimed > MOST_ANSWER_BYTES:
            raise CallFault("too-large")
        if len(self._body) > _PREFIX_BYTES + claimed:
            raise CallFault("malformed", "there is more than one answer")

    def _claimed_bytes(self) -> int:
        return int.from_bytes(self._body[1:_PREFIX_BYTES], "big")


def _plain(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
