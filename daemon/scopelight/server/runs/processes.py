"""Whether another process lives."""

import os


def is_alive(pid: int) -> bool:
    """Whether a process with this id exists; also True where the system cannot be asked without harm."""
    if os.name != "posix" or pid <= 0:
        # On Windows the signal that only asks elsewhere is an interrupt.
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
