"""The graph of one process while it is put together, and what several kinds of operations ask of it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import attrs

from scopelight.analysis.host.input.core_use import CoreUse, mean_use
from scopelight.analysis.host.input.graph_records import InputOperation, OperationKind
from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.input.queues import FoundQueue
from scopelight.analysis.host.input.stages import Gathered, Part, StageName, StageSums, ThreadKey
from scopelight.analysis.host.threads.seen import cells_of
from scopelight.analysis.totals.centre import Centre
from scopelight.program.hlo.frames import Frame


@attrs.define(eq=False)
class Graph:
    """The operations of one process while they are put together; ``uses`` are of cores, by the system's numbers.

    ``stage_keys`` are by number. What threads had of stages belongs to one operation at most: ``taken`` has its key.
    """

    host: int
    centre: Centre
    threads: Sequence[LoadingThread]
    gathered: Gathered
    window_ps: int
    queues: Sequence[FoundQueue]
    uses: Mapping[int, CoreUse]
    stage_keys: Sequence[str]
    taken: dict[Part, str] = attrs.field(factory=dict)
    made: list[InputOperation] = attrs.field(factory=list)

    def key(self, name: object) -> str:
        """That of an operation."""
        return f"{self.host}:{name}"

    def add(
        self,
        name: object,
        kind: OperationKind,
        called: str,
        place: Frame | None,
        *,
        inputs: tuple[str, ...] = (),
        queue: str | None = None,
        parts: Sequence[Part] = (),
        is_seen: bool = False,
        workers: int | None = None,
        busy_ratio: float | None = None,
        thread_ids: Iterable[int] = (),
        process_ids: Iterable[int] = (),
        runs_in: str | None = None,
    ) -> str:
        """Add an operation to which ``parts`` of stages belong, all of them where it ``is_seen``; gives its key."""
        threads, processes = tuple(thread_ids), tuple(process_ids)
        use = mean_use(self.uses, processes or threads)
        key = self.key(name)
        # Ids that a recording has twice are no reason to take one for the other.
        while any(each.key == key for each in self.made):
            key += "'"
        self.taken.update(dict.fromkeys(parts, key))
        numbers = tuple(dict.fromkeys(number for _, number in parts))
        longest = self.longest(parts)
        works = [each for each in parts if self.gathered.stages[each[1]].works]
        self.made.append(
            InputOperation(
                key=key,
                kind=kind,
                name=called,
                **self.centre.frames.place_fields(place),
                inputs=inputs,
                queue=queue,
                stage=None if longest is None else self.stage_keys[longest],
                stages=tuple(self.stage_keys[each] for each in numbers),
                self_ps=self.self_ps(works) if works or is_seen else None,
                workers=workers,
                busy_ratio=busy_ratio,
                core_ratio=None if use is None else use.core_ratio,
                core_waiting_ratio=None if use is None else use.waiting_ratio,
                thread_ids=threads,
                process_ids=processes,
                runs_in=runs_in,
            )
        )
        return key

    def replace(self, changed: InputOperation) -> None:
        """Put an operation in the place of the one with its key."""
        self.made = [changed if each.key == changed.key else each for each in self.made]

    def parts(self, is_one: Callable[[StageSums], bool], threads: Collection[ThreadKey] | None = None) -> list[Part]:
        """What threads, or all, had of certain stages, and belongs to no operation yet."""
        return [
            part
            for part in self.gathered.own_ps
            if part not in self.taken
            and (part[0][0] == self.host if threads is None else part[0] in threads)
            and is_one(self.gathered.stages[part[1]])
        ]

    def working_on(self, threads: Iterable[LoadingThread]) -> list[Part]:
        """All that threads had of stages that do more than to wait for others."""
        return self.parts(lambda each: each.works, frozenset(map(key_of, threads)))

    def inside(self, path: str, function: str) -> list[Part]:
        """What the threads that launch had of lines on which they mostly stood in a function, or in what it calls."""
        found: list[Part] = []
        for each in self.threads:
            stands = each.thread.stands
            if not each.is_launching or stands is None:
                continue
            all_ps, inside_ps = Counter[int](), Counter[int]()
            for row, time_ps in cells_of(stands, self.window_ps).times_ps().items():
                is_inside = any(frame.path == path and frame.function == function for frame in stands.stacks[row])
                user = self.centre.frames.of(stands.stacks[row])
                number = self._line(user[0]) if user else None
                if number is not None and (is_inside or each.feeds is None or each.feeds[row]):
                    all_ps[number] += time_ps
                    inside_ps[number] += is_inside * time_ps
            own = self.working_on([each])
            found += [part for part in own if 2 * inside_ps[part[1]] > all_ps[part[1]]]
        return found

    def _line(self, frame: Frame) -> int | None:
        return self.gathered.numbers.get(StageName("line", "", Frame(frame.path, frame.line, frame.function)))

    def self_ps(self, parts: Iterable[Part]) -> int:
        """The sum of their self times."""
        return sum(self.gathered.own_ps[each] for each in parts)

    def busy_ratio(self, parts: Iterable[Part], workers: int = 1) -> float:
        """That sum of the time of workers in the window."""
        return min(1.0, self.self_ps(parts) / max(1, self.window_ps * max(1, workers)))

    def longest(self, parts: Iterable[Part]) -> int | None:
        """The number of the stage that has most of them; a function before what its library marked around it."""
        sums: Counter[int] = Counter()
        for part in parts:
            sums[part[1]] += self.gathered.own_ps[part]
        stages = self.gathered.stages
        return max(sums, key=lambda each: (stages[each].name.kind == "function", sums[each]), default=None)

    def place(self, parts: Iterable[Part]) -> Frame | None:
        """The line of that stage."""
        longest = self.longest(parts)
        return None if longest is None else self.gathered.stages[longest].name.frame


def key_of(thread: LoadingThread) -> ThreadKey:
    """What tells a thread from all others."""
    return thread.thread.host, thread.thread.line_id


def native_ids(threads: Iterable[LoadingThread]) -> list[int]:
    """The system's numbers of threads, of those that have one."""
    return [each.thread.native_id for each in threads if each.thread.native_id is not None]
