"""What a capture waits for, in words that change while it does."""

import math
import re

from scopelight.model.run.information import CaptureProgress
from scopelight.report.language import text
from scopelight.report.numbers import duration

_NAME = re.compile(r"[\w.<>]{1,60}")
_PROGRAM = re.compile(r"(?:\w{1,20}\([\w.<>]{1,60}\)|[\w.<>]{1,60})")


def progress_message(state: CaptureProgress, now_ns: int) -> str:
    """What a capture waits for, in a few words; ``now_ns`` (epoch) tells for how long, and which step its window has
    reached."""
    is_compiling = state.stage == "compiling" or (state.stage == "measuring" and state.compiling is not None)
    if state.is_by_hand and state.stage in ("compiling", "measuring"):
        said = text("capturing now")
    elif is_compiling:
        said = _compiling(state, now_ns)
    elif state.stage == "measuring":
        said = _measuring(state, now_ns)
    elif state.stage == "capturing":
        said = _window(state, now_ns)
    elif state.stage == "calibrating":
        said = text("measuring the machine")
    elif state.stage == "predicting":
        said = _predicting(state, now_ns)
    else:
        said = _starting(state, now_ns)
    return said


def _starting(state: CaptureProgress, now_ns: int) -> str:
    since = _since(state, now_ns)
    if state.is_by_hand:
        said = text("starting: capturing as soon as there is something to capture")
        return said if since is None else text("{said} ({since} s)", said=said, since=since)
    if since is None:
        return text("starting")
    if state.has_jax:
        return text("starting: waiting for the first use of a device ({since} s)", since=since)
    return text("starting: waiting for the script to import jax ({since} s)", since=since)


def _since(state: CaptureProgress, now_ns: int) -> int | None:
    return None if state.since_ns is None else max(0, (now_ns - state.since_ns) // 10**9)


def _compiling(state: CaptureProgress, now_ns: int) -> str:
    """One program, or what was compiled so far."""
    since, number = _since(state, now_ns), state.programs
    if since is None:
        return text("compiling") if not number else _compiled(number)
    # What a message says must not become a link.
    if state.compiling and _NAME.fullmatch(state.compiling):
        return text(
            "compiling {program} ({since} s), program {number}", program=state.compiling, since=since, number=number + 1
        )
    if state.compiling is not None:
        return text("compiling program {number} ({since} s)", since=since, number=number + 1)
    if not number:
        return text("waiting for the first program to compile ({since} s)", since=since)
    return text("{compiled}, waiting for more ({since} s)", compiled=_compiled(number), since=since)


def _predicting(state: CaptureProgress, now_ns: int) -> str:
    """Which program the compiler of another device is at, and how many are known."""
    since, known = _since(state, now_ns), state.caught
    if state.compiling is None or since is None:
        return text("running the script on zeros")
    # What a message says must not become a link.
    name = state.compiling if _PROGRAM.fullmatch(state.compiling) else text("a program")
    return text(
        "compiling {program} ({since} s), {number} of {known} are compiled",
        program=name,
        since=since,
        number=state.programs,
        known=known,
    )


def _compiled(number: int) -> str:
    return text("compiling (1 program)" if number == 1 else "compiling ({number} programs)", number=number)


def _measuring(state: CaptureProgress, now_ns: int) -> str:
    since = _since(state, now_ns) or 0
    if not state.seen or state.period_seconds is None:
        return text("waiting for 3 steps that repeat: none seen so far ({since} s)", since=since)
    return text(
        "waiting for 3 steps that repeat: {seen} seen so far, about {period} each ({since} s)",
        seen=state.seen,
        period=duration(state.period_seconds * 1e12),
        since=since,
    )


def _window(state: CaptureProgress, now_ns: int) -> str:
    if state.started_ns is None:
        return text("capturing")
    since_seconds = (now_ns - state.started_ns) / 1e9
    if since_seconds < 0:
        return text("waiting for the window ({seconds} s)", seconds=math.ceil(-since_seconds))
    if state.seconds is None:
        return text("capturing until the script ends ({since} s)", since=int(since_seconds))
    if since_seconds > state.seconds:
        return text("saving ({since} s)", since=int(since_seconds - state.seconds))
    if not state.steps or not state.period_seconds:
        return text("capturing, {since} of {seconds} s", since=f"{since_seconds:.0f}", seconds=f"{state.seconds:.3g}")
    step = min(state.steps, int(since_seconds / state.period_seconds) + 1)
    return text("step {step} of {steps}", step=step, steps=state.steps)
