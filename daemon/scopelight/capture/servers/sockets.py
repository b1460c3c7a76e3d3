"""The TCP sockets of this machine, and the processes that hold them."""

import ipaddress
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

End = tuple[str, int]
"""A host's number and a port."""

_LISTENS: Final = "0A"
_PROC: Final = Path("/proc")


@attrs.frozen
class Socket:
    """One socket: the end here, and the other one, None of a socket that listens.

    ``pids`` are the processes that hold it, as far as this user may know: several where they were forked.
    """

    own: End
    peer: End | None
    pids: tuple[int, ...] = ()

    @property
    def is_of_all(self) -> bool:
        """Whether it listens on all interfaces."""
        return ipaddress.ip_address(self.own[0]).is_unspecified


def sockets(wanted: Callable[[Socket], bool]) -> tuple[Socket, ...]:
    """The sockets that are wanted."""
    return tuple(_of_proc(wanted) if sys.platform == "linux" else _elsewhere(wanted))


def listening(port: int | None = None) -> tuple[Socket, ...]:
    """Those that listen, on any port or one."""
    return sockets(lambda each: each.peer is None and port in (None, each.own[1]))


def other_end(own: End, peer: End) -> Socket | None:
    """The server's socket of a connection of ours from ``own`` to ``peer``; None where the server is elsewhere.

    It tells which process answers: that of a forward of SSH is not the job, and of two that share a port it is one.
    """
    ends = _plain(own), _plain(peer)
    found = sockets(lambda each: (each.peer, each.own) == ends)
    return found[0] if found else None


def _of_proc(wanted: Callable[[Socket], bool]) -> Iterator[Socket]:
    inodes: dict[str, Socket] = {}
    for name in ("tcp", "tcp6"):
        with suppress(OSError), (_PROC / "self/net" / name).open(encoding="ascii") as table:
            next(table, None)
            for row in table:
                fields = row.split()
                own, peer, inode = _end(fields[1]), _end(fields[2]), fields[9]
                # What was not accepted yet is no one's.
                if inode != "0" and wanted(each := Socket(own, None if fields[3] == _LISTENS else peer)):
                    inodes[inode] = each
    holders: dict[str, list[int]] = {each: [] for each in inodes}
    if holders:
        for pid in _processes():
            for inode in _held_by(pid) & holders.keys():
                holders[inode].append(pid)
    for inode, each in inodes.items():
        yield attrs.evolve(each, pids=tuple(holders[inode]))


def _processes() -> Iterator[int]:
    return (int(each.name) for each in _PROC.iterdir() if each.name.isdigit())


def _held_by(pid: int) -> set[str]:
    held = set()
    # It is another user's, or has ended.
    with suppress(OSError):
        folder = f"{_PROC}/{pid}/fd"
        # There are thousands of them: paths as objects take three times as long.
        for each in os.listdir(folder):  # noqa: PTH208
            with suppress(OSError):
                target = os.readlink(f"{folder}/{each}")  # noqa: PTH115
                if target.startswith("socket:["):
                    held.add(target[len("socket:[") : -1])
    return held


def _end(text: str) -> End:
    """``0100007F:2328``: words of 32 bits in the machine's order."""
    number, port = text.split(":")
    words = (int(number[place : place + 8], 16) for place in range(0, len(number), 8))
    packed = b"".join(each.to_bytes(4, sys.byteorder) for each in words)
    return _plain((str(ipaddress.ip_address(packed)), int(port, 16)))


def _plain(end: End) -> End:
    """The same number whether an IPv4 address is written as one of IPv6 or not."""
    address = ipaddress.ip_address(end[0].partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address), end[1]


def _elsewhere(wanted: Callable[[Socket], bool]) -> Iterable[Socket]:
    # It is installed where there is no /proc alone.
    import psutil  # noqa: PLC0415

    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            for each in process.net_connections(kind="tcp"):
                if not each.laddr or each.status not in (psutil.CONN_LISTEN, psutil.CONN_ESTABLISHED):
                    continue
                peer = None if each.status == psutil.CONN_LISTEN or not each.raddr else _plain(tuple(each.raddr))
                found = Socket(_plain(tuple(each.laddr)), peer, (process.pid,))
                if wanted(found):
                    yield found
