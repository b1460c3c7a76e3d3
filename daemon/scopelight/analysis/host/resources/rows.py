"""The tables of processes, threads and accelerators: their means over a span, and their totals."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

import attrs
import numpy as np

from scopelight.analysis.host.resources.records import ResourceDevice, ResourceProcess, ResourceSpan, ResourceThread
from scopelight.analysis.host.resources.series import mean_over, rate
from scopelight.analysis.host.resources.spans import Spans, grown_by
from scopelight.model.host.resources import Counter, HostProcess, HostResources, HostThread, Level

MOST_PROCESSES = 200
MOST_THREADS = 500


@attrs.frozen
class _Totals:
    """What counters in ns grew by in each span, in ps; None of a span that was not read."""

    steps_ps: int | None
    window_ps: int | None
    run_ps: int

    def of(self, span: ResourceSpan) -> int:
        """That of a span that was read."""
        return {"steps": self.steps_ps, "window": self.window_ps, "run": self.run_ps}[span] or 0

    def without(self, other: "_Totals") -> "_Totals":
        """What is left; 0 where less was measured of the whole than of its parts, at slightly different moments."""

        def left(whole_ps: int | None, part_ps: int | None) -> int | None:
            return None if whole_ps is None else max(0, whole_ps - (part_ps or 0))

        run_ps = max(0, self.run_ps - other.run_ps)
        return _Totals(left(self.steps_ps, other.steps_ps), left(self.window_ps, other.window_ps), run_ps)

    @classmethod
    def sum(cls, totals: Sequence["_Totals"]) -> "_Totals":
        """All together."""

        def total(values: Iterable[int | None]) -> int | None:
            """The same spans were read of all."""
            known = [each for each in values if each is not None]
            return sum(known) if known else None

        steps_ps = total(each.steps_ps for each in totals)
        return cls(steps_ps, total(each.window_ps for each in totals), sum(each.run_ps for each in totals))


def _totals(counters: Sequence[Counter], spans: Spans) -> _Totals:
    def grown_ps(span: ResourceSpan) -> int | None:
        parts = spans.of(span)
        return round(float(grown_by(counters, parts).sum()) * 1000) if len(parts) else None

    return _Totals(grown_ps("steps"), grown_ps("window"), grown_ps("run") or 0)


class Rows:
    """Rows of what was read in the spans of a profile."""

    def __init__(self, resources: HostResources, spans: Spans) -> None:
        self._resources = resources
        self._spans = spans
        self._span = spans.chosen
        self._parts = spans.of(self._span)
        self.span_ps = round(float(self._parts.duration_ns.sum()) * 1000)
        """How long the span is that means are over."""

    def processes(self) -> tuple[ResourceProcess, ...]:
        """Those with most time on a core first."""
        threads: dict[int, list[HostThread]] = {}
        for each in self._resources.threads:
            threads.setdefault(each.process, []).append(each)
        pids = {each.id: each.pid for each in self._resources.processes}
        rows = [self._process(each, threads.get(each.id, ()), pids) for each in self._resources.processes]
        return tuple(sorted(rows, key=lambda row: (-row.core_ratio, row.pid))[:MOST_PROCESSES])

    def threads(self) -> tuple[ResourceThread, ...]:
        """Those with most time on a core or waiting for one first; then what of their processes has no row."""
        measured = [(each, _totals([each.cpu], self._spans), self._waiting([each])) for each in self._resources.threads]
        measured.sort(key=lambda row: (-self._taken(row[1], row[2]), -row[1].run_ps, row[0].id))
        of_process: dict[int, list[_Totals]] = {}
        for thread, cpu, _ in measured:
            of_process.setdefault(thread.process, []).append(cpu)
        processes = {each.id: each for each in self._resources.processes}
        rows = [self._thread(each, cpu, waiting, processes) for each, cpu, waiting in measured[:MOST_THREADS]]
        for number, process in processes.items():
            left = [row for row in measured[MOST_THREADS:] if row[0].process == number]
            if left:
                waits = [waiting for _, _, waiting in left if waiting is not None]
                cpu = _Totals.sum([each for _, each, _ in left])
                rows.append(self._rest(process, len(left), cpu, _Totals.sum(waits) if waits else None))
            known = of_process.get(number)
            # Without a single thread none are told of.
            unseen = _totals([process.cpu], self._spans).without(_Totals.sum(known)) if known else None
            if unseen is not None and unseen.run_ps:
                rows.append(self._rest(process, 0, unseen, None))
        return tuple(rows)

    def devices(self) -> tuple[ResourceDevice, ...]:
        """All of them."""
        return tuple(
            ResourceDevice(
                key=f"{each.kind} {each.index}",
                kind=each.kind,
                index=each.index,
                name=each.name,
                busy_ratio=mean_over(lambda parts, of=each: of.busy.mean(parts.from_ns, parts.to_ns), self._parts),  # type: ignore[misc]
                used_bytes=self._most(each.used),
                total_bytes=each.total_bytes,
            )
            for each in self._resources.devices
        )

    def _process(self, process: HostProcess, threads: Sequence[HostThread], pids: Mapping[int, int]) -> ResourceProcess:
        spans, cpu, waiting = self._spans, _totals([process.cpu], self._spans), self._waiting(threads)
        ended_ns = process.ended_ns
        user_ratio, system_ratio = self._split(process, self._ratio(cpu))
        return ResourceProcess(
            key=f"process {process.id}",
            name=process.name,
            pid=process.pid,
            parent_pid=None if process.parent is None else pids.get(process.parent),
            started_ps=spans.relative_ps(process.started_ns),
            ended_ps=None if ended_ns is None else spans.relative_ps(ended_ns),
            threads=len(threads),
            core_ratio=self._ratio(cpu),
            user_ratio=user_ratio,
            system_ratio=system_ratio,
            waiting_ratio=None if waiting is None else self._ratio(waiting),
            resident_bytes=self._most(process.resident),
            read_bytes_per_s=self._rate(process.read, 1e9),
            written_bytes_per_s=self._rate(process.written, 1e9),
            steps_cpu_ps=cpu.steps_ps,
            window_cpu_ps=cpu.window_ps,
            run_cpu_ps=cpu.run_ps,
            **_waiting_fields(waiting),
        )

    def _thread(
        self, thread: HostThread, cpu: _Totals, waiting: _Totals | None, processes: Mapping[int, HostProcess]
    ) -> ResourceThread:
        process = processes[thread.process]
        switches = self._rate(thread.switches, 1e9) if len(thread.switches) else None
        return self._row(f"thread {thread.id}", thread.name, thread.tid, 1, process, cpu, waiting, switches)

    def _rest(self, process: HostProcess, number: int, cpu: _Totals, waiting: _Totals | None) -> ResourceThread:
        key = f"threads of process {process.id}, {'rest' if number else 'unseen'}"
        return self._row(key, "", None, number, process, cpu, waiting, None)

    def _row(
        self,
        key: str,
        name: str,
        tid: int | None,
        number: int,
        process: HostProcess,
        cpu: _Totals,
        waiting: _Totals | None,
        switches_per_s: float | None,
    ) -> ResourceThread:
        return ResourceThread(
            key=key,
            name=name,
            tid=tid,
            number=number,
            pid=process.pid,
            process=process.name,
            core_ratio=self._ratio(cpu),
            waiting_ratio=None if waiting is None else self._ratio(waiting),
            switches_per_s=switches_per_s,
            steps_cpu_ps=cpu.steps_ps,
            window_cpu_ps=cpu.window_ps,
            run_cpu_ps=cpu.run_ps,
            **_waiting_fields(waiting),
        )

    def _waiting(self, threads: Sequence[HostThread]) -> _Totals | None:
        """For how long threads waited for a core; None where that is told of none."""
        counters = [each.waiting for each in threads if len(each.waiting)]
        return _totals(counters, self._spans) if counters else None

    def _taken(self, cpu: _Totals, waiting: _Totals | None) -> int:
        return cpu.of(self._span) + (0 if waiting is None else waiting.of(self._span))

    def _ratio(self, totals: _Totals) -> float:
        return totals.of(self._span) / self.span_ps if self.span_ps else 0.0

    def _split(self, process: HostProcess, core_ratio: float) -> tuple[float | None, float | None]:
        """How much of a process's time on a core was in its own code, and in the kernel.

        Both are counted coarsely and read seldom, but the time itself is not: they say how it divides. None where they
        did not grow meanwhile.
        """
        user, system = self._rate(process.user, 1.0), self._rate(process.system, 1.0)
        if user is None or system is None:
            return None, None
        counted = user + system
        if not counted:
            return (None, None) if core_ratio else (0.0, 0.0)
        return core_ratio * user / counted, core_ratio * system / counted

    def _rate(self, counter: Counter, per_ns: float) -> float | None:
        """Growth in a nanosecond of the span; None of what is not counted. It stands still when its process ended."""
        return mean_over(rate([counter], per_ns, is_always_known=True), self._parts) if len(counter) else None

    def _most(self, level: Level) -> int | None:
        """The most of it at a moment of the span, or when it began; None where nothing was known by then."""
        if not len(level) or not len(self._parts):
            return None
        inside = np.zeros(len(level), dtype=np.bool_)
        for from_ns, to_ns in zip(self._parts.from_ns.tolist(), self._parts.to_ns.tolist(), strict=True):
            first = max(0, int(np.searchsorted(level.time_ns, from_ns, side="right")) - 1)
            inside[first : int(np.searchsorted(level.time_ns, to_ns, side="right"))] = True
        return int(level.value[inside].max()) if inside.any() else None


class _Waiting(TypedDict):
    steps_waiting_ps: int | None
    window_waiting_ps: int | None
    run_waiting_ps: int | None


def _waiting_fields(waiting: _Totals | None) -> _Waiting:
    return {
        "steps_waiting_ps": None if waiting is None else waiting.steps_ps,
        "window_waiting_ps": None if waiting is None else waiting.window_ps,
        "run_waiting_ps": None if waiting is None else waiting.run_ps,
    }
