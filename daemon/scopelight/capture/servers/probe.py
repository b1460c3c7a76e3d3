"""What listens at an address, found out without making it do anything."""

from typing import Final

import attrs

from scopelight.capture.servers.address import Address
from scopelight.capture.servers.call_faults import INTERNAL, UNIMPLEMENTED, CallFault
from scopelight.capture.servers.connection import Connection
from scopelight.capture.servers.job import ServerKind
from scopelight.capture.servers.local_process import LocalProcess, eldest, local_process
from scopelight.capture.servers.sockets import listening, other_end

CONNECT_SECONDS: Final = 5.0
"""A server whose network is slow has answered by then."""
_UNREADABLE: Final = b"\xff\xff"
"""No message: a method that exists fails to read it, and does nothing."""


@attrs.frozen
class Capabilities:
    """What a server can do, and ``process``, which answers there, where it is one of this machine.

    ``rivals`` are the processes that share its port, each of which gets some of the connections.
    """

    address: Address
    kind: ServerKind
    process: LocalProcess | None = None
    rivals: tuple[LocalProcess, ...] = ()


def probe(connection: Connection, address: Address) -> Capabilities:
    """Ask whether methods exist. Raises `CallFault` where what listens says neither yes nor no."""
    process, rivals = _who_answers(connection)
    kind: ServerKind = "none"
    if _has(connection, "Profile"):
        is_older = not _has(connection, "GetSnapshot")
        is_tensorflow = process is not None and process.has_tensorflow and not process.has_jaxlib
        kind = "current" if not is_older else "tensorflow" if is_tensorflow else "older"
    return Capabilities(address, kind, process, rivals)


def _has(connection: Connection, method: str) -> bool:
    try:
        connection.call(method, _UNREADABLE, CONNECT_SECONDS)
    except CallFault as fault:
        if fault.kind == "refused" and fault.status == INTERNAL:
            return True
        if fault.kind == "refused" and fault.status == UNIMPLEMENTED:
            return False
        raise CallFault("foreign", fault.problem) if fault.kind == "refused" else fault from fault
    raise CallFault("foreign", "it answers what is no question")


def _who_answers(connection: Connection) -> tuple[LocalProcess | None, tuple[LocalProcess, ...]]:
    own, peer = connection.ends
    found = other_end(own, peer)
    pid = eldest(found.pids) if found is not None else None
    if found is None or pid is None:
        return None, ()
    others = {eldest(each.pids) for each in listening(found.own[1])} - {pid, None}
    # One that listens at another of the machine's addresses is asked for by that address.
    answering = (local_process(each) for each in sorted(other for other in others if other is not None))
    rivals = tuple(each for each in answering if each is not None and each.has_jaxlib)
    return local_process(pid), rivals
