"""The jobs of this machine that a profiler server of jax can be reached at."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from scopelight.capture.servers.address import Address
from scopelight.capture.servers.call_faults import CallFault
from scopelight.capture.servers.connection import Connection
from scopelight.capture.servers.job import LocalJob
from scopelight.capture.servers.local_process import LocalProcess, eldest, local_process
from scopelight.capture.servers.probe import probe
from scopelight.capture.servers.sockets import Socket, listening

_PROBE_SECONDS: Final = 2.0
_AT_ONCE: Final = 16


def find_local_jobs() -> tuple[LocalJob, ...]:
    """All of them, by process. Processes of other users, of which nothing is told, are left out."""
    candidates = dict(_candidates())
    if not candidates:
        return ()
    with ThreadPoolExecutor(min(_AT_ONCE, len(candidates))) as pool:
        found = pool.map(_probed, candidates.keys(), candidates.values())
    return tuple(sorted((each for each in found if each is not None), key=lambda each: (each.pid, each.address)))


def _candidates() -> Iterator[tuple[tuple[int, Address], LocalProcess]]:
    known: dict[int, LocalProcess | None] = {}
    for each in listening():
        pid = eldest(each.pids)
        if pid is None:
            continue
        if pid not in known:
            known[pid] = local_process(pid)
        process = known[pid]
        if process is not None and (process.has_jaxlib or process.has_tensorflow):
            yield (pid, _address(each)), process


def _address(socket: Socket) -> Address:
    return Address("localhost" if socket.is_of_all else socket.own[0], socket.own[1])


def _probed(key: tuple[int, Address], process: LocalProcess) -> LocalJob | None:
    pid, address = key
    try:
        connection = Connection.open(address, _PROBE_SECONDS)
    except CallFault:
        return None
    try:
        can = probe(connection, address)
    except CallFault:
        return None
    finally:
        connection.close()
    if can.kind == "none":
        return None
    cwd = str(process.cwd) if process.cwd is not None else None
    return LocalJob(
        pid, str(address), process.script, process.arguments, cwd, process.jaxlib, can.kind, bool(can.rivals)
    )
