"""Why a job that has ended left nothing to show, in a sentence."""

import attrs

from scopelight.capture.clock_steps import clock_steps
from scopelight.capture.conducting.endings import ending
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.model.run.information import RunInformation


@attrs.frozen
class Course:
    """How far the script was seen to come, and what prevented a trace: empty for nothing."""

    saw_jax: bool
    saw_backend: bool
    is_exiting: bool
    trouble: str


def why_no_trace(run: RunInformation, course: Course, returncode: int | None) -> CaptureFailure:
    """Why there is no trace."""
    known = _out_of_memory(run) or _raised(run, saw_backend=course.saw_backend)
    if known is not None:
        return known
    how, went_well = ending(returncode), returncode == 0
    if not course.saw_jax:
        end = (
            "ended without importing jax, so there is nothing to show" if went_well else f"{how} before it imported jax"
        )
        return CaptureFailure(f"The script {end}.", Exit.JAX_NOT_USED)
    if not course.saw_backend:
        end = (
            "ended without using jax on any device, so there is nothing to show"
            if went_well
            else f"{how} before it used jax on a device"
        )
        return CaptureFailure(f"The script {end}.", Exit.JAX_NOT_USED)
    if course.trouble:
        return CaptureFailure(f"No trace could be taken: {course.trouble}", Exit.NOT_TRACED)
    if returncode is not None and returncode >= 0 and not course.is_exiting:
        code = "" if went_well else f", with exit code {returncode},"
        how = f"left without Python's usual exit (os._exit, os.exec){code}"
    return CaptureFailure(f"The script {how} before a trace was saved.", Exit.NOT_TRACED)


def why_no_program(run: RunInformation, returncode: int | None) -> CaptureFailure:
    """Why the traces that there are hold no run of a program."""
    known = _out_of_memory(run) or _raised(run, saw_backend=True)
    if known is not None:
        return known
    if any(each.code == "clock-set-back" for each in clock_steps(run.probes)):
        # jax's profiler drops what seems to have been before the trace began.
        sentence = (
            "The clock of this machine was set back while the script was traced, and jax's profiler lost what ran then."
            " Run it again."
        )
        return CaptureFailure(sentence, Exit.NOT_TRACED)
    sentence = (
        "The script ran no program on a device while it was traced, so there is nothing to show."
        if returncode == 0
        else f"The script {ending(returncode)} before it ran a program on a device."
    )
    return CaptureFailure(sentence, Exit.JAX_NOT_USED)


def _out_of_memory(run: RunInformation) -> CaptureFailure | None:
    """The failure of a script that ended for want of memory; None for any other."""
    if run.out_of_memory is None:
        return None
    return CaptureFailure(
        "The script ran out of memory before a program of it was traced: no time is known, but what was in memory.",
        Exit.NOT_TRACED,
    )


def _raised(run: RunInformation, *, saw_backend: bool) -> CaptureFailure | None:
    """The failure of a script that an exception ended; None for any other."""
    if run.error is None:
        return None
    sentence = f"The script ended with {str(run.error).rstrip('.')}, before anything was captured."
    return CaptureFailure(sentence, Exit.NOT_TRACED if saw_backend else Exit.JAX_NOT_USED)
