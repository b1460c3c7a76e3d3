"""One connection to a server: unary gRPC calls over plaintext HTTP/2, with deadlines, that other threads can end.

What comes from the other side is hostile: headers are bounded by h2, a frame by `_MOST_FRAME_BYTES`, an answer by
`MOST_ANSWER_BYTES`, and everything by its deadline. No pings are sent: jax's server ends connections that ping.
"""

import select
import socket
import time
from contextlib import suppress
from typing import Final, Self
from urllib.parse import unquote

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import hpack
import hyperframe.exceptions

from scopelight import __version__
from scopelight.capture.servers.address import Address
from scopelight.capture.servers.answer import Answer
from scopelight.capture.servers.call_faults import CANCELLED, DEADLINE_EXCEEDED, CallFault, CallFaultKind

_SERVICE: Final = "/tensorflow.ProfilerService"
_WINDOW_BYTES: Final = (1 << 31) - 1
_MOST_FRAME_BYTES: Final = 1 << 20
"""Servers send frames of 128 kB."""
_FRAME_HEAD_BYTES: Final = 9
_SETTINGS_FRAME: Final = 4
_MOST_SETTINGS_BYTES: Final = 1 << 14
_MOST_UNSENT_BYTES: Final = 1 << 20
"""A peer that asks, and does not take the answers, is left."""
_READ_BYTES: Final = 1 << 18
_FAREWELL_SECONDS: Final = 0.5
_BROKEN: Final = (
    h2.exceptions.H2Error,
    hyperframe.exceptions.HyperframeError,
    hpack.HPACKError,
    ValueError,
    LookupError,
)


class Connection:
    """Calls one after the other: `call` from one thread, `cancel` from any."""

    def __init__(self, transport: socket.socket, authority: str) -> None:
        self._socket = transport
        self._socket.setblocking(False)
        self._authority = authority
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self._unsent = bytearray()
        self._first_head = bytearray()
        self._h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=True, header_encoding=None, validate_inbound_headers=True)
        )
        self._h2.max_inbound_frame_size = _MOST_FRAME_BYTES
        # Those that are updated count from the server's consent on, and are not among the first that it hears.
        self._h2.local_settings = h2.settings.Settings(
            client=True,
            initial_values={
                h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: _WINDOW_BYTES,
                h2.settings.SettingCodes.MAX_FRAME_SIZE: _MOST_FRAME_BYTES,
                h2.settings.SettingCodes.ENABLE_PUSH: 0,
                h2.settings.SettingCodes.MAX_HEADER_LIST_SIZE: h2.connection.H2Connection.DEFAULT_MAX_HEADER_LIST_SIZE,
            },
        )

    @classmethod
    def open(cls, address: Address, seconds: float) -> Self:
        """Connect, and hear the server's settings within ``seconds``. Raises `CallFault`."""
        deadline = time.monotonic() + seconds
        try:
            transport = socket.create_connection((address.host, address.port), timeout=seconds)
        except TimeoutError as error:
            raise CallFault("unreachable", f"it did not answer within {seconds:g} s") from error
        except (OSError, UnicodeError) as error:
            raise CallFault("unreachable", _reason(error)) from error
        with suppress(OSError):
            transport.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made = cls(transport, str(address))
        try:
            made._greet(deadline)
        except BaseException:
            made.close()
            raise
        return made

    @property
    def ends(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """Host and port of this end, and of the server's."""
        own, peer = self._socket.getsockname(), self._socket.getpeername()
        return (own[0], own[1]), (peer[0], peer[1])

    def call(self, method: str, message: bytes, seconds: float) -> bytes:
        """The answer to a message, within ``seconds``; ``method`` is of the profiler's service, or ``/service/method``.

        Raises `CallFault`; after any but a refusal the connection is closed, and the server was told to stop.
        """
        deadline = time.monotonic() + seconds
        stream = self._h2.get_next_available_stream_id()
        answer = Answer(stream)
        headers = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", method if method.startswith("/") else f"{_SERVICE}/{method}"),
            (":authority", self._authority),
            ("te", "trailers"),
            ("content-type", "application/grpc"),
            ("user-agent", f"scopelight/{__version__}"),
            ("grpc-timeout", f"{min(99_999_999, max(1, round(seconds * 1000)))}m"),
        ]
        try:
            self._h2.send_headers(stream, headers)
            self._h2.send_data(stream, b"\0" + len(message).to_bytes(4, "big") + message, end_stream=True)
            while not answer.is_complete:
                for event in self._events(deadline, "timed-out"):
                    answer.take(event)
            return answer.message()
        except CallFault as fault:
            if fault.kind == "refused" and fault.status in (DEADLINE_EXCEEDED, CANCELLED):
                self.close()
                kind: CallFaultKind = "timed-out" if fault.status == DEADLINE_EXCEEDED else "lost"
                raise CallFault(kind, fault.problem) from fault
            if fault.kind != "refused":
                self._abandon(stream)
            raise
        except _BROKEN as error:
            self._abandon(stream)
            raise CallFault("malformed", _reason(error)) from error

    def cancel(self) -> None:
        """End the call that another thread waits for, or the next one: it raises a fault of kind ``cancelled``."""
        # A byte is waiting already, or it is closed.
        with suppress(OSError):
            self._waker.send(b"\0")

    def close(self) -> None:
        """Leave the server."""
        for each in (self._socket, self._woken, self._waker):
            each.close()

    def _greet(self, deadline: float) -> None:
        try:
            self._h2.initiate_connection()
            self._h2.increment_flow_control_window(_WINDOW_BYTES - 65_535)
            while True:
                events = self._events(deadline, "silent")
                if any(isinstance(each, h2.events.RemoteSettingsChanged) for each in events):
                    return
        except _BROKEN as error:
            raise CallFault("foreign", _reason(error)) from error
        except CallFault as fault:
            # Whoever wants no HTTP/2 hangs up.
            raise CallFault("foreign", fault.problem) if fault.kind == "lost" else fault from fault

    def _events(self, deadline: float, late: CallFaultKind) -> list[h2.events.Event]:
        """Send what is to be sent, and what came in meanwhile. Raises `CallFault`."""
        self._unsent += self._h2.data_to_send()
        if len(self._unsent) > _MOST_UNSENT_BYTES:
            raise CallFault("malformed", "it takes no answers to what it asks")
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | (select.POLLOUT if self._unsent else 0))
        poll.register(self._woken, select.POLLIN)
        remaining = deadline - time.monotonic()
        ready = dict(poll.poll(remaining * 1000)) if remaining > 0 else {}
        if not ready:
            raise CallFault(late)
        if self._woken.fileno() in ready:
            raise CallFault("cancelled")
        try:
            if self._unsent:
                with suppress(BlockingIOError):
                    del self._unsent[: self._socket.send(self._unsent)]
            received = self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return []
        except OSError as error:
            raise CallFault("lost", _reason(error)) from error
        if not received:
            raise CallFault("lost")
        self._check_first(received)
        events = self._h2.receive_data(received)
        if any(isinstance(each, h2.events.ConnectionTerminated) for each in events):
            terminated = next(each for each in events if isinstance(each, h2.events.ConnectionTerminated))
            detail = (terminated.additional_data or b"").decode("utf-8", "replace")[:200]
            # A server that shuts down answers what was asked before.
            if terminated.error_code != h2.errors.ErrorCodes.NO_ERROR:
                raise CallFault("lost", detail)
        return events

    def _check_first(self, received: bytes) -> None:
        """Raise `CallFault` where the first frame is not HTTP/2's: its claim of a length would be waited for."""
        lacking = _FRAME_HEAD_BYTES - len(self._first_head)
        if lacking <= 0:
            return
        self._first_head += received[:lacking]
        head = self._first_head
        if len(head) == _FRAME_HEAD_BYTES and (
            head[3] != _SETTINGS_FRAME or int.from_bytes(head[:3], "big") > _MOST_SETTINGS_BYTES
        ):
            raise CallFault("foreign", "it does not speak HTTP/2")

    def _abandon(self, stream: int) -> None:
        """Have the server stop a call, so that it can take the next one, and leave it."""
        with suppress(*_BROKEN, OSError):
            self._h2.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
            self._socket.settimeout(_FAREWELL_SECONDS)
            self._socket.sendall(self._unsent + self._h2.data_to_send())
        self.close()


def _reason(error: Exception) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return unquote(said)[:200]
