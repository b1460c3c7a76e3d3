"""Many programs: a step launches many small ones, between which devices wait for the next."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.rules.debug_settings import is_on
from scopelight.analysis.programs.calls import calling_lines
from scopelight.analysis.records import WaitingClass
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.feeding import lines_mostly_in
from scopelight.analysis.totals.waiting.launching import as_program, function_of_program, launching_threads
from scopelight.findings import show_view
from scopelight.formats.columns import Bool
from scopelight.program.hlo.frames import Frame

MOST_PROGRAMS: Final = 5
"""Of more in a step it is their number that matters."""
_LEAST: Final = 0.01
"""Of the wall clock that devices wait on the lines that launch them."""
_LEAST_OF_FEW: Final = 0.05
"""The same of few that jax makes of single ops, such as to split a key, beside the user's own."""
_CLASSES: Final[Sequence[WaitingClass]] = ("dispatch", "python", "runtime", "transfer", "release")
_LEAST_LAUNCHING: Final = 0.1
"""Of what devices wait on a line: with less of it the line does something else."""
_MOST_NAMED: Final = 4


@attrs.frozen(eq=False, repr=False)
class _Small:
    """What launches the small programs of steps: lines, with how long devices wait there, and what they launch.

    ``first`` is the line that most of it is on. Of lines ``in_jax`` what is Python is jax's, also where they make the
    data of a step.
    """

    waiting: Mapping[Frame, int]
    first: Frame
    names: Sequence[str]
    in_jax: Collection[LineKey]


def many_programs(observed: Observed) -> Iterator[Advice]:
    """One program of them is launched once: at best devices wait no more between them."""
    small = _small_programs(observed)
    if small is None:
        return
    per_step, waits_ps = observed.runs_per_step, sum(small.waiting.values())
    yield observed.advice(
        "many-programs",
        small.first,
        # The last of many, and the step's own, are launched all the same; few join the step's own.
        saving_ps=waits_ps / observed.parts * (1 - 1 / per_step if per_step > MOST_PROGRAMS else 1),
        basis="waiting",
        evidence=[observed.centre.line_key(frame) for frame in list(small.waiting)[:_MOST_NAMED]],
        action=show_view("programs"),
        programs_per_step=per_step,
        names=tuple(dict.fromkeys(small.names))[:_MOST_NAMED],
        per_step_ps=round(waits_ps / observed.parts),
    )


def in_small_programs(observed: Observed) -> Bool:
    """By row of the idle time of steps whether it is on a line that launches many small programs, and of that."""
    small = _small_programs(observed)
    pieces, rows = observed.steady.pieces, observed.steady.rows
    if small is None:
        return np.zeros(len(rows), dtype=np.bool_)
    kinds = np.zeros((len(pieces.stacks) + 1, len(CLASSES)), dtype=np.bool_)
    for row, frame in enumerate(observed.line_of_stack):
        if frame is not None and frame in small.waiting:
            kinds[row, [CLASSES.index(each) for each in _classes_of(frame, small.in_jax)]] = True
    found: Bool = kinds[pieces.stack[rows], pieces.kind[rows]]
    return found


def _small_programs(observed: Observed) -> _Small | None:
    """None where steps launch few programs, or devices wait little for it."""
    return observed.subject.once("small programs", (), lambda: _found(observed))


def _found(observed: Observed) -> _Small | None:
    if is_on(observed, "jax_disable_jit"):
        # What is compiled in the text and was not in this run runs op by op for that alone.
        return None
    runs, programs = observed.profile.runs, observed.profile.executions.programs
    rows = np.flatnonzero(observed.steady_runs)
    if not len(rows):
        return None
    times = Counter(runs.program[rows].tolist())
    busiest = Counter[int]()
    for program, duration_ps in zip(runs.program[rows].tolist(), runs.duration_ps[rows].tolist(), strict=True):
        busiest[program] += duration_ps
    (largest, _), *_ = busiest.most_common(1)
    in_jax = _lines_in_jax(observed)
    are_many = observed.runs_per_step > MOST_PROGRAMS
    least = _LEAST if are_many else _LEAST_OF_FEW
    left_out = {largest} if are_many else _own_programs(observed) | {largest}
    calling = _lines_calling(observed, left_out)
    launched = _waiting_to_launch(observed, calling, in_jax)
    if are_many:
        launched |= _launching_lines(observed, largest)
    else:
        launched = {key: frame for key, frame in launched.items() if key in in_jax}
    waiting = {
        frame: sum(line.classes_ps.get(each, 0) for each in _classes_of(frame, in_jax))
        for key, frame in launched.items()
        if (line := observed.waiting.lines.get(key)) is not None
    }
    names = [function_of_program(programs[row].name) for row, _ in times.most_common() if row not in left_out]
    if not names or sum(waiting.values()) < least * observed.wall_ps:
        return None

    def rank(frame: Frame) -> tuple[object, ...]:
        # Of what is between two launches only samples may tell where the thread stood: those just behind that of the
        # large program see the line that calls it.
        is_only_small = (frame.path, frame.line) not in calling
        return is_only_small, _dispatch_ps(observed, frame), waiting[frame], frame.path, -frame.line

    return _Small(waiting, max(waiting, key=rank), names, in_jax)


def _own_programs(observed: Observed) -> set[int]:
    """Those that were traced from functions of the user's: ops that run by themselves were not."""
    executions, frames = observed.profile.executions, observed.centre.frames
    functions = [function_of_program(each.name) for each in executions.programs]
    return {
        op.program
        for op in executions.ops
        if op.program >= 0
        # Of what a library calls, such as a lambda for each of some arrays, the name alone says what it is in.
        and any(functions[op.program] in map(as_program, each.function.split(".")) for each in frames.of(op.stack))
    }


def _classes_of(frame: Frame, in_jax: Collection[LineKey]) -> Sequence[WaitingClass]:
    return (*_CLASSES, "input") if (frame.path, frame.line) in in_jax else _CLASSES


def _lines_in_jax(observed: Observed) -> Collection[LineKey]:
    """The lines that are mostly in jax, as samples saw them: they do little but launch."""
    profile, frames = observed.profile, observed.centre.frames

    def is_jaxs(frame: Frame) -> bool:
        return frames.file(frame.path).is_library and "/jax/" in frame.path.replace("\\", "/")

    sampled = [
        stack
        for host, threads in launching_threads(profile).items()
        if (record := profile.host_records().get(host)) is not None
        for thread in threads
        for stack in record.sampled_stacks(thread.line_id)
    ]
    return lines_mostly_in(sampled, frames, is_jaxs)


def _dispatch_ps(observed: Observed, frame: Frame) -> int:
    line = observed.waiting.lines.get((frame.path, frame.line))
    return 0 if line is None else line.classes_ps.get("dispatch", 0)


def _lines_calling(observed: Observed, left_out: Collection[int]) -> Collection[LineKey]:
    """The lines that call some programs, by their rows."""
    programs = observed.profile.executions.programs
    by_program = calling_lines(observed.centre)
    calls = [by_program.get((programs[row].program_id, programs[row].name)) for row in left_out]
    return {(call.path, call.line) for call in calls if call is not None}


def _waiting_to_launch(
    observed: Observed, calling: Collection[LineKey], in_jax: Collection[LineKey]
) -> dict[LineKey, Frame]:
    """The lines on which devices mostly wait to be launched, but for those ``calling`` the programs to leave out.

    Where only samples tell where the thread stood, little does at the moment of a launch.
    """
    return {
        key: line.frame
        for key, line in observed.waiting.lines.items()
        if 2 * sum(line.classes_ps.get(each, 0) for each in _classes_of(line.frame, in_jax)) > line.waiting_ps
        and line.classes_ps.get("dispatch", 0) > _LEAST_LAUNCHING * line.waiting_ps
        and key not in calling
    }


def _launching_lines(observed: Observed, largest: int) -> dict[LineKey, Frame]:
    """The lines that launch programs other than the largest in steady steps."""
    runs = observed.profile.runs
    rows = np.flatnonzero(observed.steady_runs & (runs.program != largest) & (runs.launch_ps >= 0))
    found: dict[LineKey, Frame] = {}
    for threads in launching_threads(observed.profile).values():
        for thread in threads:
            if thread.stands is None:
                continue
            for stack in np.unique(thread.stands.at(runs.launch_ps[rows])).tolist():
                user = observed.centre.frames.of(thread.stands.stacks[stack]) if stack >= 0 else ()
                if user:
                    found.setdefault((user[0].path, user[0].line), user[0])
    return found
