"""Tracing: where jax calls functions of the user's to make programs of them, which is compiling and no work on data."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from scopelight.analysis.device_time.busy import span_at
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.launching import LaunchingThread, as_program, function_of_program
from scopelight.model.host.stands import Stands
from scopelight.model.host.states import HostState
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Frame, Stack

_TRACING: Final = (
    ("jax/_src/interpreters/partial_eval.py", ("trace_to_jaxpr",)),
    ("jax/_src/interpreters/mlir.py", ("lower_jaxpr",)),
)
"""Ends of files of jax, and beginnings of functions there in which it traces and lowers."""
_COMPUTING: Final = "_nounits"
"""How those end in which it computes what is known, on devices too."""


def is_tracing(frame: Frame) -> bool:
    """Whether a frame is one of jax's in which it traces or lowers; only samples have those."""
    path, name = frame.path.replace("\\", "/"), frame.function.rpartition(".")[2]
    return any(path.endswith(end) and name.startswith(names) for end, names in _TRACING) and not name.endswith(
        _COMPUTING
    )


def functions_only_traced(sampled: Iterable[Stack], frames: UserFrames) -> frozenset[tuple[str, str]]:
    """Files and names of the user's functions that samples saw under jax's tracing, and nowhere else."""
    traced: set[tuple[str, str]] = set()
    others: set[tuple[str, str]] = set()
    for stack in set(sampled):
        under = next((row for row in reversed(range(len(stack))) if is_tracing(stack[row])), 0)
        for row, frame in enumerate(stack):
            if not frame.function.endswith(">") and not frames.file(frame.path).is_library:
                (traced if row < under else others).add((frame.path, frame.function))
    return frozenset(traced - others)


def traced_functions(profile: Profile) -> frozenset[tuple[str, str]]:
    """Files and names of the functions that programs are called after, by where their ops come from.

    Python runs those to trace them, and at no other time. A lambda's name says nothing.
    """
    executions = profile.executions
    names = [function_of_program(each.name) for each in executions.programs]
    return frozenset(
        (frame.path, frame.function)
        for op in executions.ops
        if op.program >= 0
        for frame in op.stack
        if as_program(frame.function) == names[op.program] and not frame.function.endswith(">")
    )


def entered_by_launches(threads: Sequence[LaunchingThread]) -> frozenset[Stack]:
    """Stacks that begin within launches, above the line that launches: jax traces there, or a program calls back."""
    found: set[Stack] = set()
    for thread in threads:
        launches = thread.spans.get(HostState.DISPATCH)
        if launches is not None and thread.stands is not None and thread.stands.is_exact:
            found |= _entered(thread.stands, launches)
    return frozenset(found)


def _entered(stands: Stands, launches: Spans) -> set[Stack]:
    launch = span_at(launches, stands.start_ps).tolist()
    launched_at = stands.at(launches.start_ps).tolist()
    within: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for row, number in zip(stands.stack.tolist(), launch, strict=True):
        if row < 0:
            continue
        seen[row] += 1
        below = launched_at[number] if number >= 0 else -1
        within[row] += below >= 0 and _is_above(stands.stacks[row], stands.stacks[below])
    return {stands.stacks[row] for row, times in within.items() if 2 * times > seen[row]}


def _is_above(stack: Stack, below: Stack) -> bool:
    return len(stack) > len(below) and stack[len(stack) - len(below) :] == below
