"""The capture of one server: asked until it gives a trace, its turn never comes, or someone ends it."""

import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

import attrs
from google.protobuf.message import DecodeError

from scopelight.capture.servers.address import Address
from scopelight.capture.servers.call_faults import CallFault
from scopelight.capture.servers.connection import Connection
from scopelight.capture.servers.heartbeat import Heartbeat
from scopelight.capture.servers.probe import CONNECT_SECONDS, Capabilities, probe
from scopelight.capture.servers.profiler_service_pb2 import ProfileRequest, ProfileResponse, TracerOptions
from scopelight.capture.servers.reasons import (
    NotCaptured,
    is_busy,
    why_empty,
    why_no_answer,
    why_no_connection,
    why_not_to_ask,
)
from scopelight.capture.servers.spec import ServerCaptureSpec, ServerProgress
from scopelight.capture.servers.trace_times import trace_times
from scopelight.findings import warning

_FIRST_PAUSE_SECONDS: Final = 0.5
_LONGEST_PAUSE_SECONDS: Final = 8.0
_MOST_CONNECTIONS: Final = 200
"""To come by the process that is meant of those that share a port: each gets about its share of them."""


@attrs.frozen
class Taken:
    """A trace: its file, and when the job was asked to begin and says that it began and ended, in ns of the epoch."""

    file: Path
    requested_ns: int
    started_ns: int | None
    stopped_ns: int | None


class OneServer:
    """`connect`, then `take`, from one thread; `cancel` from any. Both raise `NotCaptured`."""

    def __init__(self, address: Address, tell: Callable[[ServerProgress], None]) -> None:
        self.address = address
        self._tell = tell
        self._connection: Connection | None = None
        self._cancelled = threading.Event()
        self.capabilities: Capabilities | None = None

    def connect(self, *, trusts: bool = False, pid: int | None = None) -> Capabilities:
        """Find out what listens, and whether it can be asked."""
        self._tell(ServerProgress(self.address, "connecting"))
        try:
            can = self._reach(pid)
        except CallFault as fault:
            raise NotCaptured(why_no_connection(str(self.address), fault)) from fault
        if finding := why_not_to_ask(can, trusts=trusts, pid=pid):
            self.close()
            raise NotCaptured(finding)
        self._tell(ServerProgress(self.address, "ready"))
        return can

    def take(self, spec: ServerCaptureSpec, start_ns: int, folder: Path) -> Taken:
        """Capture from ``start_ns`` (of the epoch) on into a file in ``folder``."""
        for attempt, pause_seconds in enumerate(_pauses(spec.attempts), 1):
            took = self._ask(spec, start_ns if attempt == 1 else time.time_ns(), folder, attempt)
            if isinstance(took, Taken):
                self._tell(ServerProgress(self.address, "captured", attempt))
                return took
            if attempt == spec.attempts:
                raise took
            busy = took.finding.code == "server-busy"
            self._tell(ServerProgress(self.address, "waiting", attempt, busy, pause_seconds))
            if self._cancelled.wait(pause_seconds):
                raise NotCaptured(warning("server-cancelled", address=str(self.address)))
        raise AssertionError("unreachable")

    def cancel(self) -> None:
        """End the capture: the server is told, and takes the next one."""
        self._cancelled.set()
        if self._connection is not None:
            self._connection.cancel()

    def close(self) -> None:
        """Leave the server."""
        if self._connection is not None:
            self._connection.close()

    def _reach(self, pid: int | None) -> Capabilities:
        for _ in range(_MOST_CONNECTIONS):
            self._connection = Connection.open(self.address, CONNECT_SECONDS)
            if self._cancelled.is_set():
                self._connection.cancel()
            can = self.capabilities = probe(self._connection, self.address)
            if pid is None or not can.rivals or (can.process is not None and can.process.pid == pid):
                break
            self.close()
        return can

    def _ask(self, spec: ServerCaptureSpec, start_ns: int, folder: Path, attempt: int) -> Taken | NotCaptured:
        """Ask once. What may go otherwise the next time is returned."""
        assert self._connection is not None and self.capabilities is not None
        address, process = str(self.address), self.capabilities.process
        session = f"scopelight-{uuid.uuid4().hex}"
        # Where the answer cannot hold the data, or this is not known, they arrive in a folder that no one else has.
        root = None if self.capabilities.kind == "current" else PurePosixPath("/tmp", session)
        ahead_seconds = max(0.0, (start_ns - time.time_ns()) / 1e9)
        asked_seconds = ahead_seconds + spec.seconds
        began = time.monotonic()
        self._tell(ServerProgress(self.address, "capturing", attempt))
        heartbeat = Heartbeat(
            self.address,
            lambda silent: self._tell(ServerProgress(self.address, "capturing", attempt, silent_seconds=silent)),
        )
        try:
            with heartbeat:
                message = _request(spec, start_ns if ahead_seconds else 0, session, root, self.address.name)
                answer = self._connection.call(
                    "Profile", message.SerializeToString(), asked_seconds + spec.margin_seconds
                )
            response = ProfileResponse.FromString(answer)
        except DecodeError as error:
            raise NotCaptured(warning("server-refused", address=address, problem="its answer is damaged")) from error
        except CallFault as fault:
            waited = time.monotonic() - began
            silent = heartbeat.silent_seconds
            failed = NotCaptured(why_no_answer(address, fault, process, waited_seconds=waited, silent_seconds=silent))
            if is_busy(fault):
                return failed
            raise failed from fault
        took_seconds = time.monotonic() - began
        file = folder / f"{self.address.name}.xplane.pb"
        if response.xspace:
            file.write_bytes(response.xspace)
        elif not response.empty_trace and root is not None:
            self._fetch(root, root / session / f"{self.address.name}.xplane.pb", file)
        times = trace_times(file)
        if response.empty_trace or not file.exists():
            file.unlink(missing_ok=True)
            traced = None if times is None else (times[1] - times[0]) / 1e9
            return NotCaptured(
                why_empty(
                    address,
                    host_level=spec.host_level,
                    asked_seconds=spec.seconds,
                    traced_seconds=traced,
                    took_seconds=took_seconds - ahead_seconds,
                )
            )
        return Taken(file, start_ns, *(times or (None, None)))

    def _fetch(self, root: PurePosixPath, place: PurePosixPath, file: Path) -> None:
        """Take a trace that was written on the server's machine, where that is this one."""
        assert self.capabilities is not None
        process = self.capabilities.process
        if process is None:
            raise NotCaptured(warning("server-kept-file", address=str(self.address), path=str(place)))
        # The job may see other folders than this process does.
        seen = Path(f"/proc/{process.pid}/root")
        here = seen if seen.exists() else Path("/")
        try:
            shutil.copyfile(here / place.relative_to("/"), file)
        except OSError as error:
            raise NotCaptured(warning("server-kept-file", address=str(self.address), path=str(place))) from error
        with suppress(OSError):
            shutil.rmtree(here / root.relative_to("/"))


def _pauses(attempts: int) -> Iterator[float]:
    for number in range(attempts):
        yield min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2**number)


def _request(
    spec: ServerCaptureSpec, start_ns: int, session: str, root: PurePosixPath | None, name: str
) -> ProfileRequest:
    duration_ms = max(1, round(spec.seconds * 1000))
    return ProfileRequest(
        duration_ms=duration_ms,
        opts=TracerOptions(
            version=1,
            host_tracer_level=spec.host_level,
            python_tracer_level=spec.python_level,
            device_tracer_level=spec.device_level,
            include_dataset_ops=spec.dataset_ops,
            enable_hlo_proto=spec.programs,
            start_timestamp_ns=start_ns,
            duration_ms=duration_ms,
        ),
        session_id=session,
        host_name=name,
        repository_root="" if root is None else str(root),
        emit_xspace=True,
    )
