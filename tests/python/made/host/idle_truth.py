"""How much idle time of a run is on another line than the one where its script's own clock saw the script stand.

    python -m made.host.idle_truth RUN TRUTH

RUN is a run directory, TRUTH what ``tests/workloads/host/truth_clock.py`` wrote in the same run. Idle is each complete
step less the union of the executions, of each device; the truth of it is where the main thread stood, by the clock.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import busy_spans, covered_ps, without
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.totals.centre import centre_of
from scopelight.formats.columns import Int64
from scopelight.model.opening.profile import open_profile
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans

Place = tuple[str, int]
"""File and line."""

ELSEWHERE: Place = ("elsewhere", 0)
"""Where the clock was not read: before the first reading, after the last, and below every function that is watched."""

PS_PER_NS = 1000


@attrs.frozen(eq=False)
class Stood:
    """Where one thread stood, from each time to the next: the line, and the line of its outermost function."""

    start_ps: Int64
    end_ps: Int64
    inner: Sequence[Place]
    outer: Sequence[Place]

    def within(self, spans: Spans) -> tuple[Counter[Place], Counter[Place]]:
        """How much of the spans it stood where, by line and by line of the outermost function."""
        inner: Counter[Place] = Counter()
        outer: Counter[Place] = Counter()
        covered = covered_ps(spans, self.start_ps, self.end_ps)
        for row in np.flatnonzero(covered):
            inner[self.inner[row]] += int(covered[row])
            outer[self.outer[row]] += int(covered[row])
        unknown = int(spans.duration_ps.sum()) - sum(inner.values())
        inner[ELSEWHERE] += unknown
        outer[ELSEWHERE] += unknown
        return inner, outer


def stood(readings: Sequence[tuple[int, int]], places: Sequence[Mapping], started_ns: int) -> Stood:
    """What the readings (time, place) of one thread say, in the profile's time."""
    stack: list[tuple[str, Place]] = []
    inner, outer = [], []
    for _, row in readings:
        place = places[row]
        function = place["function"]
        names = [name for name, _ in stack]
        if function in names:
            # What was above it has returned, or was left by an exception.
            del stack[names.index(function) :]
        if not place["leaves"]:
            stack.append((function, (place["path"], place["line"])))
        inner.append(stack[-1][1] if stack else ELSEWHERE)
        outer.append(stack[0][1] if stack else ELSEWHERE)
    times_ps = (np.array([time_ns for time_ns, _ in readings], np.int64) - started_ns) * PS_PER_NS
    return Stood(times_ps[:-1], times_ps[1:], inner[:-1], outer[:-1])


@attrs.frozen(eq=False)
class Compared:
    """Idle time by line, as a run's record has it and as the script's clock had it."""

    idle_ps: int
    truth: Mapping[Place, int]
    attributed: Mapping[Place, int]

    @property
    def misplaced_ratio(self) -> float:
        """Half the sum of the differences over all lines, of all idle time."""
        places = self.truth.keys() | self.attributed.keys()
        off_ps = sum(abs(self.attributed.get(place, 0) - self.truth.get(place, 0)) for place in places)
        return off_ps / 2 / self.idle_ps

    def truth_ratio(self, place: Place) -> float:
        return self.truth.get(place, 0) / self.idle_ps

    def attributed_ratio(self, place: Place) -> float:
        return self.attributed.get(place, 0) / self.idle_ps


@attrs.define(eq=False)
class IdleTruth:
    """A run beside the truth of it."""

    profile: Profile
    written: Mapping
    """What the clock wrote."""

    @classmethod
    def of(cls, run: Path, truth: Path) -> "IdleTruth":
        return cls(open_profile(run), json.loads(truth.read_text(encoding="utf-8")))

    @cached_property
    def record(self) -> LinesRecord:
        return hot_lines(self.profile)

    @cached_property
    def steps(self) -> Spans:
        steps = centre_of(self.profile).steps
        return Spans(steps.start_ps, steps.duration_ps)

    @cached_property
    def idle(self) -> Sequence[Spans]:
        """Of each device that ran anything, when it was idle in the complete steps."""
        executions = self.profile.executions
        devices = np.unique(executions.device).tolist()
        return [without(self.steps, busy_spans(executions, device)) for device in devices]

    @cached_property
    def idle_per_step_ps(self) -> Sequence[int]:
        """Of each step, on all devices together."""
        start_ps, end_ps = self.steps.start_ps, self.steps.start_ps + self.steps.duration_ps
        return sum(covered_ps(idle, start_ps, end_ps) for idle in self.idle).tolist()

    @cached_property
    def threads(self) -> Mapping[int, Stood]:
        """Where each thread stood, by its ident."""
        by_thread: dict[int, list[tuple[int, int]]] = {}
        for time_ns, thread, place in self.written["readings"]:
            by_thread.setdefault(thread, []).append((time_ns, place))
        started_ns = self.profile.started_ns
        assert started_ns is not None
        return {
            thread: stood(readings, self.written["places"], started_ns)
            for thread, readings in by_thread.items()
            if len(readings) > 1
        }

    def truth_of(self, thread: int) -> tuple[Counter[Place], Counter[Place]]:
        """Where one thread stood while devices were idle: by line, and by line of its outermost function."""
        inner: Counter[Place] = Counter()
        outer: Counter[Place] = Counter()
        for idle in self.idle:
            each_inner, each_outer = self.threads[thread].within(idle)
            inner.update(each_inner)
            outer.update(each_outer)
        return inner, outer

    def place(self, text: str) -> Place:
        """The line of the script that is marked ``# line: text``."""
        path = self.written["places"][0]["path"]
        rows = Path(path).read_text(encoding="utf-8").splitlines()
        (found,) = (number for number, row in enumerate(rows, 1) if row.endswith(f"# line: {text}"))
        return path, found

    @property
    def main_thread(self) -> int:
        return self.written["main_thread"]

    @cached_property
    def sample_gap_ns(self) -> float:
        """Between two samples of the main thread, on average."""
        apart = [
            np.diff(recording.samples.taken_ns[recording.samples.thread == self.main_thread])
            for record in self.profile.host_records().values()
            for recording in record.recordings
        ]
        return float(np.concatenate(apart).mean())

    @cached_property
    def idle_ps(self) -> int:
        return sum(int(idle.duration_ps.sum()) for idle in self.idle)

    def _attributed(self, field: str) -> Counter[Place]:
        """What the record has on each line of a file."""
        found: Counter[Place] = Counter()
        for line in self.record.lines:
            found[line.file or line.path or "", line.line] += getattr(line, field) or 0
        return +found

    @cached_property
    def by_line(self) -> Compared:
        """By the innermost line of the script."""
        truth, _ = self.truth_of(self.main_thread)
        attributed = self._attributed("waiting_ps")
        attributed[ELSEWHERE] += self.record.unattributed_waiting_ps
        return Compared(self.idle_ps, truth, attributed)

    @cached_property
    def by_loop_line(self) -> Compared:
        """By the line of the outermost function that is watched, where the loop over steps is."""
        _, truth = self.truth_of(self.main_thread)
        inclusive = self._attributed("waiting_inclusive_ps")
        attributed = Counter({place: inclusive[place] for place in truth if place in inclusive})
        # What is on none of these lines is elsewhere, as it is for the clock.
        attributed[ELSEWHERE] = self.idle_ps - sum(attributed.values())
        return Compared(self.idle_ps, truth, attributed)

    @property
    def unattributed_ratio(self) -> float:
        return self.record.unattributed_waiting_ps / self.idle_ps


def printed(truth: IdleTruth) -> str:
    """A table for whoever looks for what is misplaced, in ms per step."""
    steps = max(1, len(truth.steps.start_ps))
    wall_ps = int(truth.steps.duration_ps.sum())

    def ms(ps: float) -> str:
        return f"{ps / steps / 1e9:10.3f}"

    rows = [f"{steps} steps, {ms(wall_ps).strip()} ms each, of which {ms(truth.idle_ps).strip()} ms idle"]
    inner, outer = truth.truth_of(truth.main_thread)
    if hasattr(truth.record, "unattributed_waiting_ps"):
        rows.append(f"unattributed {truth.unattributed_ratio:.2%}, classes: {dict(truth.record.idle_classes)}")
        for title, compared in (("line", truth.by_line), ("loop's line", truth.by_loop_line)):
            rows.append(f"by {title}: misplaced {compared.misplaced_ratio:.2%}\n     truth attributed")
            places = sorted(
                compared.truth.keys() | compared.attributed.keys(),
                key=lambda place, of=compared: -max(of.truth.get(place, 0), of.attributed.get(place, 0)),
            )
            rows += [
                f"{ms(compared.truth.get(place, 0))} {ms(compared.attributed.get(place, 0))}  {_named(place)}"
                for place in places[:14]
            ]
    else:
        for title, found in (("line", inner), ("loop's line", outer)):
            rows.append(f"by {title}:")
            rows += [f"{ms(each_ps)}  {_named(place)}" for place, each_ps in found.most_common(12)]
    for thread in truth.threads:
        if thread != truth.main_thread:
            found, _ = truth.truth_of(thread)
            rows.append(f"meanwhile thread {thread}:")
            rows += [f"{ms(each_ps)}  {_named(place)}" for place, each_ps in found.most_common(6)]
    return "\n".join(rows)


def _named(place: Place) -> str:
    path, number = place
    file = Path(path)
    if not file.is_file():
        return path
    return f"{file.name}:{number}  {file.read_text(encoding='utf-8').splitlines()[number - 1].strip()[:70]}"


if __name__ == "__main__":
    print(printed(IdleTruth.of(Path(sys.argv[1]), Path(sys.argv[2]))))
