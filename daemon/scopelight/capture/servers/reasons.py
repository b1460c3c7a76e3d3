"""Why a server was not captured, as findings: what was seen, and what is known of a job of this machine."""

import time
from typing import Final

from scopelight.capture.servers.call_faults import INTERNAL, CallFault
from scopelight.capture.servers.local_process import LocalProcess, how_it_ended, state_of
from scopelight.capture.servers.probe import Capabilities
from scopelight.findings import Finding, warning

_ALREADY_EXISTS: Final = 6
_ENDING_SECONDS: Final = 1.0
"""Its connections are closed a moment before a process is gone."""


class NotCaptured(Exception):  # noqa: N818 (a result of which the caller makes the best)
    """A server was not captured; ``finding`` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code)
        self.finding = finding


def is_busy(fault: CallFault) -> bool:
    """Whether the server is at another capture: another client's, or one that its script has begun."""
    return fault.kind == "refused" and (
        fault.status == _ALREADY_EXISTS or (fault.status == INTERNAL and "profiling session" in fault.problem.lower())
    )


def why_not_to_ask(can: Capabilities, *, trusts: bool, pid: int | None) -> Finding | None:
    """Why a server is not to be captured; None of one that is."""
    address = str(can.address)
    if can.rivals and (can.process is None or can.process.pid != pid):
        both = sorted([*([can.process] if can.process is not None else []), *can.rivals], key=lambda each: each.pid)
        return warning(
            "server-port-shared",
            address=address,
            port=str(can.address.port),
            processes=tuple(f"{each.name} ({each.pid})" for each in both),
        )
    if can.kind == "none":
        return warning("server-without-profiler", address=address)
    if can.kind == "tensorflow" and not trusts:
        return warning("server-of-tensorflow", address=address)
    if can.kind == "older" and not trusts:
        jaxlib = can.process.jaxlib if can.process is not None else None
        return warning("server-too-old", address=address, jaxlib=jaxlib)
    return None


def why_no_connection(address: str, fault: CallFault) -> Finding:
    """Why nothing is known of what listens."""
    match fault.kind:
        case "unreachable":
            return warning("server-unreachable", address=address, problem=fault.problem)
        case "silent" | "timed-out":
            return warning("server-silent", address=address)
        case "cancelled":
            return warning("server-cancelled", address=address)
        case "lost":
            return warning("server-lost", address=address, problem=fault.problem or None)
        case _:
            return warning("server-foreign", address=address, problem=fault.problem or None)


def why_no_answer(
    address: str, fault: CallFault, process: LocalProcess | None, *, waited_seconds: float, silent_seconds: float
) -> Finding:
    """Why a capture that was begun gave nothing. A fault that is told as of no capture is `why_no_connection`'s."""
    if fault.kind == "timed-out":
        return _why_late(address, process, waited_seconds, silent_seconds)
    if fault.kind == "lost" and process is not None and _has_ended(process.pid):
        return warning(
            "server-died", address=address, name=process.name, pid=str(process.pid), how=how_it_ended(process.pid)
        )
    if fault.kind == "too-large":
        return warning("server-answer-too-large", address=address)
    if is_busy(fault):
        return warning("server-busy", address=address)
    if fault.kind in ("refused", "malformed"):
        status = "" if fault.status is None else f" (gRPC status {fault.status})"
        return warning("server-refused", address=address, problem=f"{fault.problem or fault.kind}{status}")
    return why_no_connection(address, fault)


def _why_late(address: str, process: LocalProcess | None, waited_seconds: float, silent_seconds: float) -> Finding:
    if process is not None and state_of(process.pid) == "stopped":
        return warning(
            "server-stopped", address=address, name=process.name, pid=str(process.pid), waited_s=waited_seconds
        )
    code = "server-fell-silent" if silent_seconds else "server-held"
    return warning(code, address=address, waited_s=waited_seconds)


def why_empty(
    address: str, *, host_level: int, asked_seconds: float, traced_seconds: float | None, took_seconds: float
) -> Finding:
    """Why an answer holds no event.

    ``traced_seconds`` is for how long the job says that it was traced. To start and to stop, the profiler needs Python:
    where that was late, Python was held.
    """
    if host_level == 0:
        return warning("server-empty-without-host", address=address)
    is_short = traced_seconds is not None and traced_seconds < asked_seconds / 2
    if is_short or took_seconds > asked_seconds + max(1.0, asked_seconds / 2):
        return warning("server-python-held", address=address, took_s=took_seconds, asked_s=asked_seconds)
    return warning("server-idle", address=address, asked_s=asked_seconds)


def _has_ended(pid: int) -> bool:
    deadline = time.monotonic() + _ENDING_SECONDS
    while state_of(pid) != "ended":
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
