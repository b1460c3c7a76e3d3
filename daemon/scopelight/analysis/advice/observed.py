"""What the rules look at: the steady steps of a run, what they took, and whose lines may be named."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import attrs
import numpy as np

from scopelight.analysis.advice.records import Advice, Confidence, SavingBasis
from scopelight.analysis.advice.syntax.sources import Sources
from scopelight.analysis.device_time.busy import busy_spans, covered_ps
from scopelight.analysis.host.input.verdict import SteadySteps, steady_steps
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.views import table_of
from scopelight.analysis.padding.padding import padding as padding_record
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.waiting.charging import WaitingLine, WaitingOfScope, charge_waiting
from scopelight.analysis.totals.waiting.syncs import Sync, syncs_of
from scopelight.findings import Action, Value
from scopelight.formats.columns import Bool
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame

if TYPE_CHECKING:
    from scopelight.analysis.host.input.records import InputRecord
    from scopelight.analysis.ops.table import OpTable
    from scopelight.analysis.padding.records import PaddingRecord
    from scopelight.analysis.records import LinesRecord, WaitingClass
    from scopelight.analysis.subject import Subject
    from scopelight.model.spans import Spans
    from scopelight.program.hlo.nouns import HloModule
    from scopelight.program.stored import StoredProgram

LEAST_STEPS: Final = 3
"""Fewer steady steps tell too little of the others."""
LEAST_ATTRIBUTED: Final = 0.8
"""Of the wall clock: with less of it on lines none is named."""
_MOST_STEPS: Final = 0.8
"""Of the steps: what runs in as many is the step's own."""


@attrs.frozen(eq=False, repr=False)
class Observed:
    """One run as the rules see it. What takes time is found when it is first asked for."""

    subject: Subject
    profile: Profile
    centre: Centre
    steady: SteadySteps
    sources: Sources
    """The user's files as syntax trees."""

    @property
    def steps(self) -> Steps:
        """All complete steps."""
        return self.centre.steps

    @property
    def count(self) -> int:
        """The steady steps."""
        return int(self.steady.is_steady.sum())

    @property
    def parts(self) -> int:
        """What a sum over the steady steps and their devices is divided by."""
        return self.count * len(self.steady.devices)

    @cached_property
    def wall_ps(self) -> int:
        """The wall clock of the steady steps, over their devices."""
        return int(self.steps.duration_ps[self.steady.is_steady].sum()) * len(self.steady.devices)

    @property
    def step_ps(self) -> int:
        """How long a steady step takes on average."""
        return round(self.wall_ps / self.parts)

    @cached_property
    def shares_cores(self) -> bool:
        """Whether a device's ops run on the cores that run the script."""
        return any(self.profile.executions.devices[row].is_on_the_host for row in self.steady.devices.tolist())

    @cached_property
    def names_lines(self) -> bool:
        """Whether enough of the wall clock is on lines."""
        scoped = self.centre.scoped("steps")
        wall_ps = 0 if scoped.wall is None else scoped.wall.wall_ps
        lost_ps = scoped.charges.unattributed_wall_ps + scoped.waiting.unattributed_ps
        return wall_ps > 0 and lost_ps <= (1 - LEAST_ATTRIBUTED) * wall_ps

    @cached_property
    def waiting(self) -> WaitingOfScope:
        """The idle time of the steady steps, by line."""
        return self.charged(self.steady.in_steady)

    def charged(self, chosen: Bool) -> WaitingOfScope:
        """The same of some of the pieces of the steps; ``chosen`` is by row of ``steady.rows``."""
        return charge_waiting(self.steady.pieces, self.steady.rows[chosen], self.centre.frames, self.centre.parts)

    @cached_property
    def syncs(self) -> Mapping[tuple[str, int], Sync]:
        """The lines at which the host waits for results, by all complete steps."""
        pieces = self.steady.pieces
        return syncs_of(pieces.waits, self.busy, self.steady_steps, self.centre.frames)

    @cached_property
    def line_of_stack(self) -> Sequence[Frame | None]:
        """By stack of the pieces the line of the user's that it is on."""
        user = (self.centre.frames.of(stack) for stack in self.steady.pieces.stacks)
        return [frames[0] if frames else None for frames in user]

    def longest(self, waiting: WaitingOfScope, kind: WaitingClass | None = None) -> Sequence[WaitingLine]:
        """The lines of idle time, or of what of it is of one class, longest first."""

        def of_line(line: WaitingLine) -> int:
            return line.waiting_ps if kind is None else line.classes_ps.get(kind, 0)

        lines = [each for each in waiting.lines.values() if of_line(each)]
        return sorted(lines, key=lambda each: (-of_line(each), each.frame.path, each.frame.line))

    @cached_property
    def busy(self) -> Sequence[Spans]:
        """By device when it ran anything."""
        return [busy_spans(self.profile.executions, row) for row in self.steady.devices.tolist()]

    @cached_property
    def device_step_ps(self) -> int:
        """How long in a steady step the device runs something that does so longest."""
        steps = self.steady_steps
        ends_ps = steps.start_ps + steps.duration_ps
        return max((round(float(covered_ps(each, steps.start_ps, ends_ps).mean())) for each in self.busy), default=0)

    @cached_property
    def steady_steps(self) -> Steps:
        """The steady ones of the complete steps."""
        rows = np.flatnonzero(self.steady.is_steady)
        return attrs.evolve(self.steps, start_ps=self.steps.start_ps[rows], duration_ps=self.steps.duration_ps[rows])

    @cached_property
    def input(self) -> InputRecord:
        """What is known of the input."""
        return input_record(self.profile, self.subject.line_options)

    @cached_property
    def ops(self) -> OpTable:
        """Every op that ran in the steps."""
        return table_of(self.subject, scope="steps")

    @cached_property
    def padding(self) -> PaddingRecord:
        """What is padded in the steps."""
        return padding_record(self.profile, self.subject.line_options, None, "steps")

    @cached_property
    def lines(self) -> LinesRecord:
        """The lines that the time of the steps went to."""
        return hot_lines(self.profile, self.subject.line_options, "steps")

    @cached_property
    def line_costs(self) -> LineCosts:
        """What the ops of each of them cost."""
        return LineCosts(self.lines, ops_record(self.ops), self.padding)

    @cached_property
    def steady_runs(self) -> Bool:
        """By program run whether it began in a steady step."""
        inside: Bool = step_of(self.profile.runs.start_ps, self.steady_steps) >= 0
        return inside

    @cached_property
    def runs_per_step(self) -> float:
        """How many programs a device runs in a steady step."""
        return int(self.steady_runs.sum()) / self.parts

    @cached_property
    def step_programs(self) -> Sequence[StoredProgram]:
        """The programs that run in most steady steps."""
        runs = self.profile.runs
        times = Counter(runs.program[self.steady_runs].tolist())
        programs = self.profile.executions.programs
        ids = {programs[row].program_id for row, count in times.items() if count >= _MOST_STEPS * self.count}
        return [each for each in self.profile.programs if each.program_id and each.program_id in ids]

    @property
    def step_modules(self) -> Sequence[HloModule]:
        """The same, as far as they were read."""
        ids = {each.program_id for each in self.step_programs}
        return [each for each in self.profile.modules if each.program_id in ids]

    def frame_at(self, path: str, line: int) -> Frame | None:
        """The frame of a line that a record names by its path; None where no file has that name."""
        recorded = next((each for each in self.centre.user_files if self.centre.frames.file(each).path == path), None)
        return None if recorded is None else self.frame_at_recorded(recorded, line)

    def frame_at_recorded(self, path: str, line: int) -> Frame:
        """The frame of a line of a file by its recorded path."""
        return Frame(path, line, self.sources.function_at(path, line))

    def advice(
        self,
        code: str,
        at: Frame | None,
        *,
        saving_ps: float | None = None,
        saving_bytes: int | None = None,
        basis: SavingBasis | None = None,
        confidence: Confidence = "medium",
        evidence: Sequence[str] = (),
        action: Action | None = None,
        within: str | None = None,
        of_ps: int | None = None,
        is_by_text: bool = False,
        **values: Value,
    ) -> Advice:
        """An advice about the line of ``at``; ``saving_ps`` is per step, ``basis`` how it was computed.

        ``of_ps`` is what a step takes of which that is saved, where it is not a steady one.
        ``is_by_text``: the text of the script names the line, or the program itself, and no time.
        """
        frame = at if self.names_lines or is_by_text else None
        key = None if frame is None else self.centre.line_key(frame)
        keys = dict.fromkeys(([key] if key is not None else []) + list(evidence))
        whole_ps = self.step_ps if of_ps is None else of_ps
        promised_ps = None if saving_ps is None else max(0, min(round(saving_ps), whole_ps))
        return Advice(
            code=code,
            severity="advice",
            values=values,
            evidence=tuple(keys),
            action=action,
            **self.centre.frames.place_fields(frame),
            key=key,
            saving_per_step_ps=promised_ps,
            saving_ratio=None if promised_ps is None else promised_ps / max(1, whole_ps),
            saving_bytes=saving_bytes,
            saving_basis=basis,
            confidence=confidence,
            shares_cores=self.shares_cores and promised_ps is not None,
            within=within,
        )


def observe(subject: Subject) -> Observed | None:
    """What a run shows; None where it has no complete steps or nothing ran in it."""
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    if centre.static is not None or not len(centre.steps):
        return None
    return Observed(subject, profile, centre, steady_steps(profile, centre), sources_of(centre))


def sources_of(centre: Centre) -> Sources:
    """The syntax trees of the files that frames name."""
    return Sources(lambda path: functools.partial(centre.indented_text, path))
