"""The graph of one process while it is put together, and what several kinds of operations ask of it."""

from collections.abc import Iterable, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.host.input.core_use import CoreUse, mean_use
from scopelight.analysis.host.input.graph_records import InputOperation, OperationKind
from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.input.queues import FoundQueue
from scopelight.analysis.host.input.stages import Gathered, StageSums, ThreadKey, stage_key
from scopelight.analysis.totals.centre import Centre
from scopelight.program.hlo.frames import Frame


@attrs.define(eq=False)
class Graph:
    """The operations of one process while they are put together; ``uses`` are of cores, by the system's numbers."""

    host: int
    centre: Centre
    threads: Sequence[LoadingThread]
    gathered: Gathered
    window_ps: int
    queues: Sequence[FoundQueue]
    uses: Mapping[int, CoreUse]
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
        stage: StageSums | None = None,
        self_ps: int | None = None,
        workers: int | None = None,
        busy_ratio: float | None = None,
        thread_ids: Iterable[int] = (),
        process_ids: Iterable[int] = (),
        runs_in: str | None = None,
    ) -> str:
        """Add an operation; gives its key."""
        threads, processes = tuple(thread_ids), tuple(process_ids)
        use = mean_use(self.uses, processes or threads)
        key = self.key(name)
        self.made.append(
            InputOperation(
                key=key,
                kind=kind,
                name=called,
                **self.centre.frames.place_fields(place),
                inputs=inputs,
                queue=queue,
                stage=None if stage is None else stage_key(self.centre, stage.name),
                self_ps=self_ps,
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

    def busiest_line(self, threads: Sequence[LoadingThread]) -> StageSums | None:
        """The line on which threads worked longest."""
        keys = {key_of(each) for each in threads}
        lines = [each for each in self.gathered.stages if each.name.kind == "line" and each.works]
        own = [each for each in lines if keys & each.threads.keys()]
        return max(own, key=lambda each: each.self_ps, default=None)

    def busy_ratio(self, threads: Sequence[LoadingThread]) -> float:
        """The share of their time in which threads stood where they do not wait for others."""
        keys = {key_of(each) for each in threads}
        works = np.array([each.works for each in self.gathered.stages], dtype=np.bool_)
        busy_ps = sum(
            int(segments.duration_ps[works[segments.stage]].sum())
            for key, segments in self.gathered.segments
            if key in keys
        )
        return min(1.0, busy_ps / max(1, self.window_ps * len(keys)))


def key_of(thread: LoadingThread) -> ThreadKey:
    """What tells a thread from all others."""
    return thread.thread.host, thread.thread.line_id


def native_ids(threads: Iterable[LoadingThread]) -> list[int]:
    """The system's numbers of threads, of those that have one."""
    return [each.thread.native_id for each in threads if each.thread.native_id is not None]
