"""What a report of a fault needs."""

import platform
import sys
from importlib import metadata

from scopelight import __version__
from scopelight.protocol import PROTOCOL_VERSION, DebugInformation, Nothing
from scopelight.server.session import Session

_LIBRARIES = ("numpy", "numba", "pygls", "lsprotocol", "cattrs", "protobuf")


async def debug_information(session: Session, params: Nothing) -> DebugInformation:  # noqa: ARG001 (every request has parameters)
    """Versions, paths and the state of the daemon; one line each."""
    shown = session.shown
    lines = [
        f"scopelight {__version__}, protocol {PROTOCOL_VERSION}",
        f"python {platform.python_version()} ({sys.executable})",
        f"platform {platform.platform()}",
        ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES),
        f"workspace folders: {', '.join(map(str, session.roots)) or 'none'}",
        f"open documents: {len(tuple(session.documents))}",
        f"shown run: {shown.path if shown else 'none'}",
        f"profiles read: {session.cache.statistics('profile')}",
        f"records: {session.cache.statistics('run')}",
        f"settings: {session.settings}",
    ]
    return DebugInformation("\n".join(lines))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
