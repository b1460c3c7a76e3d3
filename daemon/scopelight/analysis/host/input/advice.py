"""What to do about an input that devices wait for, by what makes it and what is slow."""

from collections.abc import Iterator, Mapping

import attrs

from scopelight.analysis.host.input.advice_tasks import Blocked, advice_of_tasks, is_awaited
from scopelight.analysis.host.input.core_use import MachineUse
from scopelight.analysis.host.input.graph_records import InputOperation, InputQueue
from scopelight.analysis.host.input.records import InputRecord, QueueVerdict
from scopelight.analysis.host.input.suspected import SURE, Suspected
from scopelight.analysis.host.input.wait_place import LongestWait
from scopelight.findings import Finding, Value, advice, note

BUSY_CORE = 0.75
"""Of a core: workers that use more of it would do with more of them."""
WAITING_CORE = 0.2
"""Workers that use less of one while their queue is empty wait for something else, such as a disk."""
_IN_THE_LOOP = ("function", "line")
"""Kinds of operations that the thread that launches does itself."""
_TORCH = ("input-torch", "input-torch-busy", "input-torch-waits")
_GRAIN = ("input-grain-processes", "input-grain-processes-busy", "input-grain-processes-waits")
"""What is said of processes: of those whose use of a core says nothing, of busy ones, and of those that wait."""
_SLOW: Mapping[QueueVerdict, str] = {
    "gets": "input-gets-slow",
    "loop": "input-loop-works",
    "elsewhere": "input-waits-elsewhere",
}
"""By verdict what is said of devices that wait although the queue is not empty."""
_IDLE = 0.5
"""Of their time: a pool's workers that have something to do for less are not asked for enough."""
_TAKEN = 0.9
"""Of the cores: where more of them is used, more workers would not help."""
_LEAST_OTHERS = 0.1
"""Of all cores, that other programs take; where it is less they are not what holds the script up."""


def advice_of(
    record: InputRecord,
    suspected: Suspected | None,
    machine: MachineUse,
    longest: LongestWait | None = None,
    blocked: Blocked | None = None,
) -> Iterator[Finding]:
    """The verdict, what is slow, and what to do; ``longest`` is what devices waited for longest, ``blocked`` where the
    loop of the steps blocks for results."""
    evidence = tuple(each.key for each in record.lines[:3])
    if record.level in ("moderate", "high"):
        first = record.lines[0] if record.lines else None
        yield _advice(
            "input-bound",
            evidence,
            input_ratio=record.input_ratio,
            per_step_ps=next((each.mean_ps for each in record.spreads if each.quantity == "input"), 0),
            step_ps=next((each.mean_ps for each in record.spreads if each.quantity == "step"), 0),
            file=None if first is None else first.path,
            line=None if first is None else first.line,
        )
    nearest = next((each for each in record.queues if each.is_nearest), None)
    if nearest is not None:
        yield from _by_verdict(record, nearest, evidence, longest)
    if record.level in (None, "low") or suspected is None:
        return
    if record.verdict == "loop" and suspected.worker.kind in _IN_THE_LOOP:
        # What it does with the data has been said: it does not make it.
        return
    if is_awaited(suspected.worker, record.operations):
        yield from advice_of_tasks(record, suspected, evidence, blocked)
        return
    yield from _by_kind(suspected, evidence, machine)


def _by_verdict(
    record: InputRecord, nearest: InputQueue, evidence: tuple[str, ...], longest: LongestWait | None
) -> Iterator[Finding]:
    match record.verdict:
        case "transfer":
            yield _advice("input-transfer-slow", evidence, idle=record.idle_launches, launches=record.launches)
        case "consumer":
            yield note("input-queue-full", full=nearest.full_gets, gets=nearest.gets)
        case "keeps-up" if record.level == "low":
            yield note("input-keeps-up")
        case "barely":
            yield note("input-queue-often-empty", empty=nearest.empty_gets, gets=nearest.gets)
        case "processing" if record.level is not None:
            yield _advice("input-queue-empty", evidence, empty=nearest.empty_gets, gets=nearest.gets)
        case "gets" | "loop" | "elsewhere" if longest is not None:
            parts = max(1, record.steady_steps * len(record.devices))
            yield _advice(
                _SLOW[record.verdict],
                evidence,
                held=nearest.gets - nearest.empty_gets,
                gets=nearest.gets,
                per_step_ps=longest.waiting_ps // parts,
                file=None if longest.at is None else longest.at.path,
                line=None if longest.at is None else longest.at.line,
            )


def _by_kind(suspected: Suspected, evidence: tuple[str, ...], machine: MachineUse) -> Iterator[Finding]:
    worker, operation = suspected.worker, suspected.operation
    taken = _taken_cores(machine, operation.name, evidence) if _needs_cores(worker) else None
    if taken is not None:
        yield taken
        return
    if worker.kind == "grain" and worker.process_ids:
        yield _of_workers(_GRAIN, worker, evidence)
    elif worker.kind == "grain":
        yield _advice(
            "input-grain", evidence, name=operation.name, threads=worker.workers, busy_ratio=operation.busy_ratio
        )
    elif worker.kind == "torch" and worker.workers == 0:
        yield _advice("input-torch-in-the-loop", evidence, name=operation.name)
    elif worker.kind == "torch":
        yield _of_workers(_TORCH, worker, evidence)
    elif _is_pool(worker):
        yield _of_pool(worker, evidence)
    elif worker.kind in ("threads", "processes"):
        yield _advice("input-fillers", evidence, number=worker.workers or 1, name=worker.name)
    elif worker.kind in _IN_THE_LOOP:
        yield _advice("input-in-the-loop", evidence, name=operation.name)


def _taken_cores(machine: MachineUse, name: str, evidence: tuple[str, ...]) -> Finding | None:
    """That no core is free, and who has them; None where one is, or it is not known."""
    own_ratio, others_ratio = machine.own_ratio, machine.others_ratio or 0.0
    if own_ratio is None:
        return None
    is_full = machine.busy_ratio is not None and machine.busy_ratio >= _TAKEN
    if own_ratio >= _TAKEN or (is_full and others_ratio < _LEAST_OTHERS):
        return _advice("input-cores-taken", evidence, own_ratio=own_ratio, name=name)
    if not is_full:
        return None
    return _advice(
        "input-cores-others",
        evidence,
        cores_ratio=machine.busy_ratio,
        own_ratio=own_ratio,
        others_ratio=others_ratio,
        name=name,
    )


def _needs_cores(worker: InputOperation) -> bool:
    """Whether it takes more of what works already, and not just that it works elsewhere or ahead."""
    in_the_loop = worker.kind in _IN_THE_LOOP or worker.workers == 0
    core_ratio, waiting_ratio = worker.core_ratio, worker.core_waiting_ratio
    if core_ratio is not None and core_ratio + (waiting_ratio or 0.0) <= WAITING_CORE:
        # They sleep: more of them would do so at once.
        return False
    return not in_the_loop and not (_is_pool(worker) and worker.busy_ratio is not None and worker.busy_ratio <= _IDLE)


def _is_pool(worker: InputOperation) -> bool:
    return worker.kind in ("threads", "processes") and worker.queue is None


def _of_workers(codes: tuple[str, str, str], worker: InputOperation, evidence: tuple[str, ...]) -> Finding:
    """Of processes: by how much of a core they use."""
    plain, busy, waits = codes
    core_ratio = worker.core_ratio
    if core_ratio is not None and core_ratio >= BUSY_CORE:
        return _advice(busy, evidence, workers=worker.workers, core_ratio=core_ratio)
    if core_ratio is not None and core_ratio <= WAITING_CORE:
        return _advice(waits, evidence, workers=worker.workers, core_ratio=core_ratio)
    return _advice(plain, evidence, workers=worker.workers)


def _of_pool(worker: InputOperation, evidence: tuple[str, ...]) -> Finding:
    """Of a pool: by how much of the time its threads have something to do, or how much of a core processes use."""
    told = {"workers": worker.workers, "name": worker.name}
    if worker.kind == "processes":
        core_ratio = worker.core_ratio
        if core_ratio is not None and core_ratio >= BUSY_CORE:
            return _advice("input-pool-cores", evidence, **told, core_ratio=core_ratio)
        if core_ratio is not None and core_ratio <= WAITING_CORE:
            return _advice("input-pool-waits", evidence, **told, core_ratio=core_ratio)
        return _advice("input-pool", evidence, **told)
    if worker.busy_ratio is not None and worker.busy_ratio >= SURE:
        return _advice("input-pool-busy", evidence, **told, busy_ratio=worker.busy_ratio)
    if worker.busy_ratio is not None and worker.busy_ratio <= _IDLE:
        return _advice("input-pool-idle", evidence, **told, busy_ratio=worker.busy_ratio)
    return _advice("input-pool", evidence, **told)


def _advice(code: str, evidence: tuple[str, ...], **values: Value) -> Finding:
    return attrs.evolve(advice(code, **values), evidence=evidence)
