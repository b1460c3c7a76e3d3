"""What a run took of the quantities that budgets limit, from the records of the views that show them."""

import statistics
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property

from scopelight.analysis.budgets.inside import Inside, NotInRun
from scopelight.analysis.budgets.measured import Measured, exact, noisy, steady
from scopelight.analysis.budgets.records import Budget
from scopelight.analysis.lines.view import lines
from scopelight.analysis.memory.fit.view import fit
from scopelight.analysis.memory.options import FitOptions
from scopelight.analysis.memory.profile.view import memory_profile
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.records import FlopsRecord
from scopelight.analysis.ops.views import flops
from scopelight.analysis.options import NoOptions, ScopeOptions
from scopelight.analysis.programs.records import ProgramsRecord
from scopelight.analysis.programs.view import programs
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.subject import Subject
from scopelight.findings import Finding, note, warning

Taken = Measured | Finding
"""What was taken, or why that is not known."""


class Measuring:
    """One run, each of whose views is asked for once, when a budget needs it."""

    def __init__(self, subject: Subject, folder: str, was_there: Callable[[Budget], bool] = lambda _: False) -> None:
        """``folder`` is that of the file of budgets, which the files of budgets are relative to.

        ``was_there`` says of a place without time whether the code that ran had it: then it took none.
        """
        self._subject = subject
        self._folder = folder
        self._was_there = was_there

    def measure(self, budget: Budget) -> Taken:
        """What the run took of a budget that compares with no other run."""
        return _MEASURES[budget.name](self, budget)

    @cached_property
    def lines(self) -> LinesRecord:
        """Times of lines and functions, over the complete steps."""
        return self._subject.once("budgets", "lines", lambda: lines(self._subject, ScopeOptions(scope="steps")))

    @cached_property
    def programs(self) -> ProgramsRecord:
        """Compiled programs."""
        return self._subject.once("budgets", "programs", lambda: programs(self._subject, NoOptions()))

    @cached_property
    def flops(self) -> FlopsRecord:
        """FLOPs over the complete steps, of all devices."""
        return self._subject.once("budgets", "flops", lambda: flops(self._subject, OpsOptions(scope="steps")))

    def step(self, budget: Budget) -> Taken:
        """The median of the complete steps; of a function or a file its share of that.

        What it has of each step on average would be more than the whole where a few steps take long.
        """
        missing = self._without_steps()
        if missing is not None:
            return missing
        median_ps = Fraction(statistics.median(self._steps_ps))
        if budget.place is None:
            return self._noisy(median_ps, is_mean=False)
        inside = self._inside(budget)
        if isinstance(inside, NotInRun):
            return self._absent(budget)
        return self._noisy(median_ps * self._of_wall(inside.wall_ps).value, is_mean=False)

    def share(self, budget: Budget) -> Taken:
        """What a function or a file has of the wall clock of the complete steps, with all that it calls."""
        missing = self._without_steps()
        if missing is not None:
            return missing
        inside = self._inside(budget)
        return self._absent(budget) if isinstance(inside, NotInRun) else self._of_wall(inside.wall_ps)

    def waiting_share(self, budget: Budget) -> Taken:
        """How much of the same devices were idle while the host stood there, or anywhere."""
        missing = self._without_steps()
        if missing is not None:
            return missing
        if budget.place is None:
            return self._of_wall(self.lines.idle_ps)
        inside = self._inside(budget)
        return self._absent(budget) if isinstance(inside, NotInRun) else self._of_wall(inside.waiting_ps)

    def peak_memory(self, budget: Budget) -> Taken:  # noqa: ARG002 (as all measures)
        """The most that a device's allocator had in use, else the most that the compiler planned for one program.

        Where the CPU is the device, the memory of its process holds interpreter and libraries too: the plan is taken.
        """
        return self._subject.once("peak of budgets", (), self._peak_memory)

    def _peak_memory(self) -> Taken:
        measured = [
            max(memory.peak_bytes, memory.lifetime_peak_bytes or 0)
            for memory in memory_profile(self._subject, NoOptions()).memories
            if memory.kind == "accelerator"
        ]
        if measured:
            return steady(max(measured), "measured", note("budget-peak-measured"))
        planned = [
            (each.needed_bytes if each.needed_bytes is not None else each.peak_bytes or 0, each.name)
            for each in fit(self._subject, FitOptions()).programs
            if each.needed_bytes is not None or each.peak_bytes is not None
        ]
        if not planned:
            return warning("budget-without-memory")
        most_bytes, program = max(planned)
        return exact(most_bytes, "planned", note("budget-peak-planned", program=program))

    def compilations(self, budget: Budget) -> Taken:
        """How often a function was compiled; of the run how often that of the user's functions that was most often.

        Of the user's functions none may be known by name; then that of the programs that run in steps counts.
        """
        counted = self._compiled()
        if budget.function is not None:
            name = bare(budget.function)
            if name not in counted:
                return warning("budget-never-compiled", function=budget.function)
            return exact(counted[name], "counted")
        users = {bare(each.function) for each in self.lines.functions}
        own = {name: count for name, count in counted.items() if name in users}
        if not own:
            in_steps = {row.function for row in self.programs.rows if row.runs_per_step}
            own = {name: count for name, count in counted.items() if name in in_steps}
        if not own:
            return warning("budget-without-compilations")
        most = max(own.values())
        function = next(name for name, count in own.items() if count == most)
        return exact(most, "counted", note("budget-most-compiled", function=function))

    def padding(self, budget: Budget) -> Taken:  # noqa: ARG002
        """Which part of the FLOPs that the device computes only fills its matrix unit up."""
        rows = self.flops.rows
        wasted_ratio = rows[0].padding_waste_ratio if rows else None
        if wasted_ratio is None:
            return warning("budget-without-padding")
        return exact(Fraction(wasted_ratio), "counted")

    @property
    def _steps_ps(self) -> list[int]:
        return [each.duration_ps for each in self.lines.steps]

    def _without_steps(self) -> Finding | None:
        """Why the wall clock of steps is not known."""
        if self._subject.profile.prediction is not None:
            return warning("budget-of-prediction")
        extent = self.lines.extent
        return None if extent.kind == "steps" and extent.steps and self.lines.wall else warning("budget-without-steps")

    def _inside(self, budget: Budget) -> "Inside | NotInRun":
        return Inside.of(self.lines, self._folder, budget)

    def _absent(self, budget: Budget) -> Taken:
        if self._was_there(budget):
            return exact(0, "measured", note("budget-place-without-time", place=budget.place))
        return warning("budget-place-not-in-run", place=budget.place)

    def _of_wall(self, part_ps: int) -> Measured:
        wall = self.lines.wall
        return self._noisy(Fraction(part_ps, max(1, wall.wall_ps if wall is not None else 1)), most=1)

    def _noisy(self, value: Fraction, *, is_mean: bool = True, most: int | None = None) -> Measured:
        on_cpu = all(each.kind == "cpu" for each in self.lines.devices)
        return noisy(value, self._steps_ps, on_cpu=on_cpu, is_mean=is_mean, most=most)

    def _compiled(self) -> Mapping[str, int]:
        """By function how often it was compiled: as it was written down, else how many of its programs there are."""
        record = self.programs
        counted: dict[str, int] = {}
        for each in record.compilations:
            counted[each.function] = counted.get(each.function, 0) + each.count
        for row in record.rows:
            counted[row.function] = max(counted.get(row.function, 0), row.variants)
        return counted


def bare(function: str) -> str:
    """The last part of a qualified name: what jax calls its program."""
    return function.rpartition(".")[2]


_MEASURES: Mapping[str, Callable[[Measuring, Budget], Taken]] = {
    "step_ms": Measuring.step,
    "peak_memory_gib": Measuring.peak_memory,
    "compilations": Measuring.compilations,
    "padding_ratio": Measuring.padding,
    "share": Measuring.share,
    "waiting_share": Measuring.waiting_share,
}
