"""Stages: what the input is made by, from what libraries mark in the trace, and from where the user's code stood."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.input.pools import TASKS
from scopelight.analysis.host.input.records import InputStage, InputWork, StageKind
from scopelight.analysis.host.input.segments import Segments, innermost, joined_cells, overlaid
from scopelight.analysis.host.input.work_kinds import work_of_line, work_of_stage
from scopelight.analysis.host.threads.seen import Cells, SeenThread, cells_of
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.waiting.data_flow import only_counts
from scopelight.formats.columns import Bool, Int64
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.model.host.stage_events import StageEvents
from scopelight.model.host.stands import known_outside
from scopelight.model.host.states import HostState
from scopelight.model.spans import Spans, merge_spans
from scopelight.program.hlo.frames import Frame

_LEAST_LINE_PS: Final = 1_000_000
"""A line that all threads together were on for less is left out: 1 µs."""


@attrs.frozen
class StageName:
    """What tells a stage from others; ``id`` is that of its library's object."""

    kind: StageKind
    name: str
    frame: Frame | None = None
    id: int | None = None


ThreadKey = tuple[int, int]
"""A thread by its host and the id of its line in the trace."""


@attrs.define(eq=False, repr=False)
class StageSums:
    """A stage while what threads had of it is added up. ``work_ps`` is its self time by work; None: it only waits."""

    name: StageName
    count: int = 0
    total_ps: int = 0
    self_ps: int = 0
    threads: dict[ThreadKey, SeenThread] = attrs.field(factory=dict)
    work_ps: dict[InputWork | None, int] = attrs.field(factory=dict)
    is_exact: bool = True

    @property
    def work(self) -> InputWork | None:
        """That of most of it."""
        return max(self.work_ps, key=lambda each: self.work_ps[each], default=None)

    @property
    def works(self) -> bool:
        """Whether it does more than to wait for others."""
        return any(work is not None for work in self.work_ps)


Part = tuple[ThreadKey, int]
"""What one thread had of the stage with a number."""


@attrs.define(eq=False, repr=False)
class Gathered:
    """All stages by number; of each thread the segments in which each was the innermost, and for how long in all."""

    stages: list[StageSums] = attrs.field(factory=list)
    numbers: dict[StageName, int] = attrs.field(factory=dict)
    segments: list[tuple[ThreadKey, Segments]] = attrs.field(factory=list)
    own_ps: dict[Part, int] = attrs.field(factory=dict)

    def number(self, name: StageName) -> int:
        """That of a stage, which is new where it was not met before."""
        if name not in self.numbers:
            self.numbers[name] = len(self.stages)
            self.stages.append(StageSums(name))
        return self.numbers[name]


@attrs.define(eq=False, repr=False)
class _Thread:
    """What is gathered of one thread: spans that libraries marked, and cells of functions and of lines."""

    gathered: Gathered
    of: LoadingThread
    marked: list[tuple[Int64, Int64, int]] = attrs.field(factory=list)
    functions: list[tuple[Int64, Int64, int]] = attrs.field(factory=list)
    lines: list[tuple[Int64, Int64, int]] = attrs.field(factory=list)
    work: dict[int, InputWork | None] = attrs.field(factory=dict)

    def add(
        self,
        to: list[tuple[Int64, Int64, int]],
        name: StageName,
        work: InputWork | None,
        own: tuple[Int64, Int64],
        total_ps: int,
    ) -> StageSums:
        """Add a stage's sorted spans, which may lie inside others, and how long it was in all."""
        number = self.gathered.number(name)
        self.work[number] = work
        to.append((*own, number))
        sums = self.gathered.stages[number]
        sums.total_ps += total_ps
        return sums


def gather_stages(
    centre: Centre,
    threads: Sequence[LoadingThread],
    events: StageEvents,
    operations: Mapping[int, Sequence[RecordedOperation]],
    window_ps: int,
    borders_ps: Int64,
) -> Gathered:
    """The stages of all threads in the window; segments are cut at ``borders_ps``."""
    gathered = Gathered()
    for each in threads:
        thread = _Thread(gathered, each)
        of_host = operations.get(each.thread.host, ())
        _add_marked(thread, events, window_ps)
        if each.thread.stands is not None:
            cells = cells_of(known_outside(each.thread.stands, _compiling(each)), window_ps)
            inside = _add_functions(thread, cells, of_host) if each.stages else frozenset()
            if not each.stages or each.is_launching:
                _add_lines(thread, cells, inside, centre, of_host)
        _sum_up(thread, of_host, borders_ps)
    return gathered


def _compiling(thread: LoadingThread) -> Spans:
    """When a thread traced or compiled: what jax calls of the user's then makes a program, and no data."""
    states = thread.thread.states
    nothing = np.zeros(0, dtype=np.int64)
    return merge_spans(*states.of(HostState.COMPILE)) if states is not None else Spans(nothing, nothing)


def _add_marked(thread: _Thread, events: StageEvents, window_ps: int) -> None:
    for part in thread.of.stages:
        start_ps, end_ps = np.clip(part.start_ps, 0, window_ps), np.clip(part.end_ps, 0, window_ps)
        for number in sorted(set(part.stage.tolist())):
            stage = events.stages[number]
            rows = (part.stage == number) & (end_ps > start_ps)
            own = start_ps[rows], end_ps[rows]
            work = work_of_stage(stage, on_consumer=thread.of.is_launching)
            name = StageName(stage.library, stage.name, id=stage.id)
            total_ps = int(merge_spans(*own).duration_ps.sum())
            thread.add(thread.marked, name, work, own, total_ps).count += int(rows.sum())


def _add_functions(thread: _Thread, cells: Cells, operations: Sequence[RecordedOperation]) -> frozenset[int]:
    """Add the functions that operations call; also the stacks on which the thread was in one."""
    inside: set[int] = set()
    for operation in operations:
        if operation.function is None:
            continue
        path, function, line = operation.function
        # By stack the line of the function on which the thread stood.
        stood = {
            row: frame.line
            for row in set(cells.stack.tolist())
            for frame in cells.stacks[row]
            if frame.path == path and frame.function == function
        }
        if not stood:
            continue
        inside |= stood.keys()
        rows = np.isin(cells.stack, list(stood))
        own = joined_cells(cells.start_ps[rows], cells.end_ps[rows])
        name = StageName("function", operation.called, Frame(path, line, function), operation.id)
        total_ps = int((own[1] - own[0]).sum())
        sums = thread.add(thread.functions, name, "preprocessing", own, total_ps)
        _count(sums, thread, _entries(cells, stood))
    return frozenset(inside)


def _entries(cells: Cells, stood: Mapping[int, int]) -> int:
    """How often a thread came to the first line of a function on which it stood."""
    first = min(stood.values())
    is_first = np.isin(cells.stack, [row for row, line in stood.items() if line == first])
    follows = cells.start_ps[1:] == cells.end_ps[:-1]
    return int((is_first & ~np.append(False, is_first[:-1] & follows)).sum())


def _count(sums: StageSums, thread: _Thread, entered: int) -> None:
    stands = thread.of.thread.stands
    if stands is not None and stands.is_exact:
        sums.count += entered
    else:
        sums.is_exact = False


def _add_lines(
    thread: _Thread, cells: Cells, inside: frozenset[int], centre: Centre, operations: Sequence[RecordedOperation]
) -> None:
    """Add the lines of the user's: of the thread that launches those on which it only feeds the steps, and those on
    which it stood itself when it did; and what tasks of its event loop do, wherever that awaits meanwhile."""
    of = thread.of
    tasks = {each.function[:2] for each in operations if each.kind == TASKS and each.function is not None}
    own: dict[Frame, list[int]] = {}
    total: dict[Frame, list[int]] = {}
    others: set[Frame] = set()
    for row in sorted(set(cells.stack.tolist())):
        user = [Frame(each.path, each.line, each.function) for each in centre.frames.of(cells.stacks[row])]
        if row in inside or not user:
            continue
        if of.feeds is not None and not of.feeds[row]:
            outermost = next((at for at, each in enumerate(user) if (each.path, each.function) in tasks), -1)
            others.update(user[outermost + 1 :])
            user = user[: outermost + 1]
            if not user:
                continue
        own.setdefault(user[0], []).append(row)
        for frame in user:
            total.setdefault(frame, []).append(row)
    for frame, stacks in total.items():
        if frame in others and frame not in own:
            # It holds the whole loop.
            continue
        text = centre.text(frame.path, frame.line)
        if (frame.path, frame.function) in of.around and only_counts(text or ""):
            # The head of the loop of the steps.
            continue
        spans = _cells_on(cells, stacks)
        total_ps = int((spans[1] - spans[0]).sum())
        if total_ps < _LEAST_LINE_PS:
            continue
        waits = (frame.path, frame.line) in of.waits
        work = None if waits else work_of_line(text, on_consumer=of.is_launching)
        name = StageName("line", "", frame)
        sums = thread.add(thread.lines, name, work, _cells_on(cells, own.get(frame, ())), total_ps)
        _count(sums, thread, len(spans[0]))


def _cells_on(cells: Cells, stacks: Sequence[int]) -> tuple[Int64, Int64]:
    rows = np.isin(cells.stack, stacks)
    return joined_cells(cells.start_ps[rows], cells.end_ps[rows])


def _sum_up(thread: _Thread, operations: Sequence[RecordedOperation], borders_ps: Int64) -> None:
    gathered, of = thread.gathered, thread.of.thread
    if not thread.work:
        return
    lines, marked, functions = (
        _innermost(each, borders_ps) for each in (thread.lines, thread.marked, thread.functions)
    )
    read_by = _reads_of(gathered, operations)

    def function_wins(function: Int64, other: Int64) -> Bool:
        # What an operation reads from is called by it, not by its function: samples take one for the other.
        pairs = zip(function.tolist(), other.tolist(), strict=True)
        return np.fromiter((pair not in read_by for pair in pairs), dtype=np.bool_, count=len(other))

    segments = overlaid(lines, marked, lambda over, _: np.ones(len(over), dtype=np.bool_))
    segments = overlaid(segments, functions, function_wins)
    key = (of.host, of.line_id)
    gathered.segments.append((key, segments))
    own_ps = np.zeros(len(gathered.stages), dtype=np.int64)
    np.add.at(own_ps, segments.stage, segments.duration_ps)
    for number, work in thread.work.items():
        sums = gathered.stages[number]
        gathered.own_ps[key, number] = gathered.own_ps.get((key, number), 0) + int(own_ps[number])
        sums.self_ps += int(own_ps[number])
        sums.threads[key] = of
        sums.work_ps[work] = sums.work_ps.get(work, 0) + int(own_ps[number])


def _innermost(spans: Sequence[tuple[Int64, Int64, int]], borders_ps: Int64) -> Segments:
    nothing = np.zeros(0, dtype=np.int64)
    return innermost(
        np.concatenate([nothing, *(start_ps for start_ps, _, _ in spans)]),
        np.concatenate([nothing, *(end_ps for _, end_ps, _ in spans)]),
        np.concatenate([nothing, *(np.full(len(start_ps), number) for start_ps, _, number in spans)]),
        borders_ps,
    )


def _reads_of(gathered: Gathered, operations: Sequence[RecordedOperation]) -> frozenset[tuple[int, int]]:
    """Stages of functions, each with those that their operations read from, however far behind."""
    inputs = {each.id: each.inputs for each in operations}
    by_id: dict[int, list[int]] = {}
    for number, sums in enumerate(gathered.stages):
        if sums.name.id is not None:
            by_id.setdefault(sums.name.id, []).append(number)
    found = set()
    for number, sums in enumerate(gathered.stages):
        if sums.name.kind != "function":
            continue
        waiting, seen = list(inputs.get(sums.name.id or 0, ())), set()
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen.add(each)
                waiting.extend(inputs.get(each, ()))
        found |= {(number, other) for each in seen for other in by_id.get(each, ())}
    return frozenset(found)


def stage_records(
    centre: Centre,
    gathered: Gathered,
    operations: Mapping[int, RecordedOperation],
    suspects: Mapping[int, int],
    is_steady: Bool,
) -> tuple[InputStage, ...]:
    """The stages, those that work longest first; ``suspects`` are by stage in how many steps it was the suspect."""
    keys = stage_keys(centre, gathered)
    per_step_ps = _self_per_step_ps(gathered, centre.steps, is_steady)
    whole_ps = max(1, sum(each.self_ps for each in gathered.stages if each.works))
    order = sorted(
        range(len(gathered.stages)),
        key=lambda number: (not gathered.stages[number].works, -gathered.stages[number].self_ps),
    )
    return tuple(
        attrs.evolve(
            _record(centre, keys[number], gathered.stages[number], operations, whole_ps),
            self_per_step_ps=per_step_ps[number],
            suspect_steps=suspects.get(number, 0),
        )
        for number in order
    )


def _self_per_step_ps(gathered: Gathered, steps: Steps, is_steady: Bool) -> list[int]:
    """By stage the mean over steady steps; segments are cut where steps begin and end."""
    sums_ps = np.zeros(len(gathered.stages), dtype=np.int64)
    for _, segments in gathered.segments:
        step = step_of(segments.start_ps, steps)
        inside = (step >= 0) & is_steady[step]
        np.add.at(sums_ps, segments.stage[inside], segments.duration_ps[inside])
    return [round(sum_ps / max(1, int(is_steady.sum()))) for sum_ps in sums_ps.tolist()]


def _record(
    centre: Centre,
    key: str,
    sums: StageSums,
    operations: Mapping[int, RecordedOperation],
    whole_ps: int,
) -> InputStage:
    name = sums.name
    frame = name.frame
    works = sums.works
    return InputStage(
        key=key,
        kind=name.kind,
        name=name.name,
        **centre.frames.place_fields(frame if frame is not None else frame_of(operations.get(name.id or 0))),
        function=frame.function if frame is not None else "",
        count=sums.count if sums.is_exact else None,
        total_ps=sums.total_ps,
        # One that waits for others inside takes longer than all work.
        total_ratio=sums.total_ps / whole_ps if works and sums.total_ps <= whole_ps else None,
        self_ps=sums.self_ps,
        self_ratio=sums.self_ps / whole_ps if works else None,
        work=sums.work,
        threads=len(sums.threads),
        thread_names=tuple(sorted({each.name for each in sums.threads.values()})),
        basis=None if name.kind in ("grain", "tf.data", "data") else "exact" if sums.is_exact else "estimated",
    )


def frame_of(operation: RecordedOperation | None) -> Frame | None:
    """The first line of the function that an operation calls."""
    if operation is None or operation.function is None:
        return None
    path, function, line = operation.function
    return Frame(path, line, function)


def stage_keys(centre: Centre, gathered: Gathered) -> Sequence[str]:
    """By number the key of a stage; those that would have the same are counted."""
    seen: Counter[str] = Counter()
    found = []
    for sums in gathered.stages:
        key = _key(centre, sums.name)
        seen[key] += 1
        found.append(key if seen[key] == 1 else f"{key} #{seen[key]}")
    return found


def _key(centre: Centre, name: StageName) -> str:
    """That of its line where it is one, else its kind and name."""
    if name.frame is not None:
        return f"{name.kind}:{centre.line_key(name.frame)}"
    return f"{name.kind}:{name.name}"


def work_times(gathered: Gathered) -> Iterator[tuple[InputWork, int, set[ThreadKey]]]:
    """By work how long threads did it, and which."""
    found: dict[InputWork, tuple[int, set[ThreadKey]]] = {}
    for sums in gathered.stages:
        for work, time_ps in sums.work_ps.items():
            if work is not None and time_ps:
                before, threads = found.get(work, (0, set()))
                found[work] = before + time_ps, threads | set(sums.threads)
    for work, (time_ps, threads) in found.items():
        yield work, time_ps, threads
