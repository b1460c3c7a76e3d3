"""Whether a server lives while it captures: asked on a connection of its own, for pings make it hang up."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from scopelight.capture.servers.address import Address
from scopelight.capture.servers.call_faults import CallFault
from scopelight.capture.servers.connection import Connection
from scopelight.capture.servers.profiler_service_pb2 import MonitorRequest

EVERY_SECONDS: Final = 2.0


class Heartbeat:
    """Asks every `EVERY_SECONDS` while its block runs; ``tell`` hears for how many seconds there was no answer."""

    def __init__(self, address: Address, tell: Callable[[float], None]) -> None:
        self._address = address
        self._tell = tell
        self._ended = threading.Event()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat {address}", daemon=True)
        self.silent_seconds = 0.0
        """0 while it answers."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._connection is not None:
            self._connection.cancel()

    def _beat(self) -> None:
        heard = time.monotonic()
        while not self._ended.wait(EVERY_SECONDS):
            if self._answers():
                heard = time.monotonic()
                self.silent_seconds = 0.0
            else:
                self.silent_seconds = time.monotonic() - heard
            if not self._ended.is_set():
                self._tell(self.silent_seconds)
        if self._connection is not None:
            self._connection.close()

    def _answers(self) -> bool:
        try:
            if self._connection is None:
                self._connection = Connection.open(self._address, EVERY_SECONDS)
            self._connection.call("Monitor", MonitorRequest().SerializeToString(), EVERY_SECONDS)
        except CallFault as fault:
            # jax's server has the method, and answers that it does nothing.
            if fault.kind == "refused":
                return True
            if self._connection is not None:
                with suppress(OSError):
                    self._connection.close()
                self._connection = None
            return False
        return True
