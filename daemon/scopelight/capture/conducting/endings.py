"""How a script ended, in words."""

import signal
from collections.abc import Mapping

_BY_SIGNAL: Mapping[str, str] = {
    "SIGABRT": "aborted",
    "SIGBUS": "crashed with a bus error",
    "SIGFPE": "crashed with an arithmetic error",
    "SIGHUP": "was ended with its terminal",
    "SIGILL": "crashed with an instruction that this processor does not have",
    "SIGINT": "was interrupted",
    "SIGKILL": "was killed, by someone or by the system for want of memory",
    "SIGSEGV": "crashed with a segmentation fault",
    "SIGTERM": "was told to end",
}


def ending(returncode: int | None) -> str:
    """``ended with exit code 3``, or ``crashed with a segmentation fault (SIGSEGV)``; 0 is a plain end.

    ``returncode`` is negative for the signal that ended the script, and None where nobody waited for it.
    """
    if returncode is None:
        return "ended without Python's usual exit"
    if returncode == 0:
        return "ended"
    if returncode > 0:
        return f"ended with exit code {returncode}"
    try:
        name = signal.Signals(-returncode).name
    except ValueError:
        return f"was ended by signal {-returncode}"
    said = _BY_SIGNAL.get(name)
    return f"was ended by the signal {name}" if said is None else f"{said} ({name})"


def exit_code(returncode: int | None) -> int | None:
    """The exit code as shells have it, which is 128 + n where signal n ended the script."""
    return 128 - returncode if returncode is not None and returncode < 0 else returncode
