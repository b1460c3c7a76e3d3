"""Watching a job through its server: by its own answer where it has one, else by traces of a fraction of a second."""

import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from scopelight.capture.servers.address import Address
from scopelight.capture.servers.call_faults import UNIMPLEMENTED, CallFault
from scopelight.capture.servers.connection import Connection
from scopelight.capture.servers.one_server import OneServer
from scopelight.capture.servers.probe import CONNECT_SECONDS
from scopelight.capture.servers.profiler_service_pb2 import MonitorRequest, MonitorResponse, MonitorResult
from scopelight.capture.servers.reasons import NotCaptured
from scopelight.capture.servers.spec import ServerCaptureSpec
from scopelight.findings import Finding

TRACED_SECONDS: Final = 0.2


@attrs.frozen
class MonitorSpec:
    """How closely to watch, and how often: a reading every ``every_seconds``, ``count`` of them, None without end."""

    level: int = 1
    every_seconds: float = 5.0
    count: int | None = None
    trusts: bool = False


@attrs.frozen
class MonitorSample:
    """What was seen at ``time_ns`` (epoch): the server's own ``result``, or a trace in ``file``, which is removed
    before the next one; or ``problem``, why there is neither."""

    address: Address
    time_ns: int
    result: MonitorResult | None = None
    file: Path | None = None
    problem: Finding | None = None


class ServerWatch:
    """`samples` of one server; `cancel` ends them from another thread."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._ended = threading.Event()
        self._server: OneServer | None = None
        self._answers_itself = True

    def samples(self, spec: MonitorSpec) -> Iterator[MonitorSample]:
        """One after the other; what cannot be had once is tried again the next time."""
        taken = 0
        while not self._ended.is_set():
            began = time.monotonic()
            # Not for all of them: whoever ends the process while it waits leaves nothing behind.
            with tempfile.TemporaryDirectory(prefix="scopelight-") as folder:
                yield self._sample(spec, Path(folder))
            taken += 1
            if spec.count is not None and taken >= spec.count:
                break
            self._ended.wait(max(0.0, spec.every_seconds - (time.monotonic() - began)))
        if self._server is not None:
            self._server.close()

    def cancel(self) -> None:
        """End, now."""
        self._ended.set()
        if self._server is not None:
            self._server.cancel()

    def _sample(self, spec: MonitorSpec, folder: Path) -> MonitorSample:
        time_ns = time.time_ns()
        result = self._own_answer(spec.level) if self._answers_itself else None
        if result is not None:
            return MonitorSample(self._address, time_ns, result=result)
        of_trace = ServerCaptureSpec(
            seconds=TRACED_SECONDS, attempts=1, host_level=1, programs=False, trusts=spec.trusts
        )
        try:
            if self._server is None:
                self._server = OneServer(self._address, lambda _: None)
                self._server.connect(trusts=spec.trusts)
            taken = self._server.take(of_trace, time_ns, folder)
        except NotCaptured as failed:
            if self._server is not None:
                self._server.close()
            self._server = None
            return MonitorSample(self._address, time_ns, problem=failed.finding)
        return MonitorSample(self._address, time_ns, file=taken.file)

    def _own_answer(self, level: int) -> MonitorResult | None:
        """What the server says of its job; None where it says nothing, as jax's."""
        message = MonitorRequest(duration_ms=round(TRACED_SECONDS * 1000), monitoring_level=level)
        try:
            connection = Connection.open(self._address, CONNECT_SECONDS)
            try:
                answer = connection.call("Monitor", message.SerializeToString(), CONNECT_SECONDS)
            finally:
                connection.close()
            result = MonitorResponse.FromString(answer).monitor_result
        except CallFault as fault:
            self._answers_itself = not (fault.kind == "refused" and fault.status == UNIMPLEMENTED)
            return None
        except ValueError:
            return None
        return result if result.response_type else None
