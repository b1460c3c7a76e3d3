"""Borders: in each step of a device where the forward pass begins, and where the backward pass ends."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.options import OptionError
from scopelight.analysis.step_trace.records import BorderSource
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.formats.columns import Bool, Int64
from scopelight.model.op_work import Work, works_of
from scopelight.phrase import Phrase
from scopelight.program.phases.phase import Phase

_NEVER: Final = np.iinfo(np.int64).max
_LINE: Final = re.compile(r"(?P<path>.+\.py):(?P<line>\d+)")


@attrs.frozen(eq=False, repr=False)
class Asked:
    """A border that was asked for, and by what; None where it is to be found by phases."""

    text: str | None
    source: BorderSource


@attrs.frozen(eq=False, repr=False)
class Borders:
    """Int64[steps] of one device: when the first op that begins the forward pass starts and the last that ends the
    backward pass ends, and the rows of these executions. A step without has -1 each."""

    forward_ps: Int64
    backward_ps: Int64
    first: Int64
    last: Int64


class BorderFinder:
    """Finds the borders on each device. Raises `OptionError` for an expression that is none."""

    def __init__(self, centre: Centre, forward_start: Asked, backward_end: Asked) -> None:
        self._centre = centre
        self.phases = op_phases(centre)
        works = works_of(centre.executions)
        computes = works == Work.COMPUTATION
        in_step = (self.phases == Phase.FORWARD) | (self.phases == Phase.BACKWARD) | (self.phases == Phase.RECOMPUTE)
        self.has_phases = bool((computes & in_step & self._ran()).any())
        if not self.has_phases:
            # Nothing says the phases of programs that jax did not differentiate.
            in_step = np.ones(len(self.phases), dtype=np.bool_)
        self.has_backward = bool((computes & (self.phases == Phase.BACKWARD) & self._ran()).any())
        ending = (self.phases == Phase.BACKWARD) | (self.phases == Phase.RECOMPUTE)
        # What was asked for may be in another program than the one of most of the step.
        self._in_main = forward_start.text is None, backward_end.text is None
        self._begins = self._chosen("forward_start", forward_start, computes & in_step)
        self._ends = self._chosen("backward_end", backward_end, computes & (ending if self.has_backward else in_step))

    def _ran(self) -> Bool:
        ran = np.zeros(len(self._centre.executions.ops), dtype=np.bool_)
        ran[self._centre.scoped("steps").totals.op] = True
        return ran

    def _chosen(self, option: str, asked: Asked, by_phase: Bool) -> Bool:
        if asked.text is None:
            return by_phase
        matches = self._matching(option, asked.text)
        ops = self._centre.executions.ops
        return np.fromiter(map(matches, range(len(ops))), dtype=np.bool_, count=len(ops))

    def _matching(self, option: str, text: str) -> Callable[[int], bool]:
        ops, frames = self._centre.executions.ops, self._centre.frames
        place = _LINE.fullmatch(text)
        if place is not None:
            path, line = place["path"], int(place["line"])

            def on_line(row: int) -> bool:
                return any(
                    frame.line == line and _is_named(path, frames.file(frame.path).path, frame.path)
                    for frame in ops[row].stack
                )

            return on_line
        try:
            expression = re.compile(text)
        except re.error as error:
            raise OptionError(
                option, Phrase("{text} is no regular expression: {problem}.", text=text, problem=str(error))
            ) from error
        names = [each.name for each in self._centre.executions.programs]
        of_program = np.array([expression.fullmatch(name) is not None for name in (*names, "")], dtype=np.bool_)

        def is_named(row: int) -> bool:
            op = ops[row]
            return bool(of_program[op.program] or expression.search(op.op_name) or expression.search(op.name))

        return is_named

    def source_of(self, asked: Asked) -> BorderSource:
        """By what a border was found."""
        return "ops" if asked.source == "phases" and not self.has_phases else asked.source

    def of_device(self, device: int) -> Borders:
        """The borders in the complete steps of a device."""
        executions, steps = self._centre.executions, self._centre.steps
        rows = executions.rows_of(device)
        op, start_ps = executions.op[rows], executions.start_ps[rows]
        end_ps = start_ps + executions.duration_ps[rows]
        step = step_of(start_ps, steps)
        main = _main_program(self._programs()[op], step, executions.duration_ps[rows], len(steps))
        of_main = (step >= 0) & (self._programs()[op] == main[np.maximum(step, 0)])
        begin_in, end_in = (of_main if in_main else step >= 0 for in_main in self._in_main)
        begins = np.flatnonzero(begin_in & self._begins[op])
        ends = np.flatnonzero(end_in & self._ends[op])
        first = _extreme(step[begins], start_ps[begins], begins, len(steps), np.argmin)
        last = _extreme(step[ends], end_ps[ends], ends, len(steps), np.argmax)
        return Borders(
            forward_ps=np.where(first >= 0, start_ps[np.maximum(first, 0)], -1),
            backward_ps=np.where(last >= 0, end_ps[np.maximum(last, 0)], -1),
            first=np.where(first >= 0, first + rows.start, -1),
            last=np.where(last >= 0, last + rows.start, -1),
        )

    def _programs(self) -> Int64:
        return np.array([op.program for op in self._centre.executions.ops], dtype=np.int64)

    def op_most(self, rows: Sequence[int]) -> int | None:
        """The op of most of some executions."""
        ops = Counter(self._centre.executions.op[list(rows)].tolist())
        return ops.most_common(1)[0][0] if ops else None


def op_phases(centre: Centre) -> Int64:
    """By op its phase; that of most of it."""
    phases = np.full(len(centre.executions.ops), int(Phase.OTHER), dtype=np.int64)
    for row, charged in centre.scoped("window").charges.ops.items():
        phases[row] = int(charged.phase)
    return phases


def _main_program(program: Int64, step: Int64, duration_ps: Int64, steps: int) -> Int64:
    """By step the program whose ops ran longest in it, -1 where none is known."""
    programs = int(program.max(initial=-1)) + 2
    sums = np.zeros((max(1, steps), programs), dtype=np.int64)
    inside = np.flatnonzero(step >= 0)
    np.add.at(sums, (step[inside], program[inside] + 1), duration_ps[inside])
    main: Int64 = np.argmax(sums, axis=1) - 1
    return main


def _extreme(step: Int64, times_ps: Int64, rows: Int64, steps: int, choose: Callable[[Int64], np.intp]) -> Int64:
    """By step the row with the extreme time; -1 where there is none."""
    found = np.full(steps, -1, dtype=np.int64)
    order = np.argsort(step, kind="stable")
    bounds = np.searchsorted(step[order], np.arange(steps + 1))
    for number in range(steps):
        of_step = order[bounds[number] : bounds[number + 1]]
        if len(of_step):
            found[number] = rows[of_step[choose(times_ps[of_step])]]
    return found


def _is_named(wanted: str, *paths: str | None) -> bool:
    """Whether a path, or its end, is the one that was asked for."""
    ends = f"/{wanted.lstrip('./')}"
    return any(path is not None and f"/{path}".replace("\\", "/").endswith(ends) for path in paths)
