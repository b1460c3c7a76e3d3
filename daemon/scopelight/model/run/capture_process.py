"""Whether the process that makes a capture is still there, which a capture that was killed cannot say itself."""

import os

from scopelight.model.run.information import RunInformation


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


def is_live(run: RunInformation) -> bool:
    """Whether a job of which a window was captured still runs, with whoever captures it."""
    # Older captures end with their window, and do not say whether their job has ended.
    is_captured = run.state == "captured" and bool(run.windows) and run.progress is not None
    return is_captured and not run.has_ended and not has_gone(run)


def has_gone(run: RunInformation) -> bool:
    """Whether the process that makes ``run``, which names it, is no more: what ``run.json`` says it says for good."""
    pid = run.progress.pid if run.progress is not None else None
    return pid is not None and not is_alive(pid)
