"""What to do about an input that devices wait for, by what makes it and what is slow."""

from collections.abc import Iterator

import attrs

from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.records import InputRecord
from scopelight.analysis.host.input.suspected import SURE, Suspected
from scopelight.findings import Finding, Value, advice, note

BUSY_CORE = 0.75
"""Of a core: workers that use more of it would do with more of them."""
WAITING_CORE = 0.2
"""Workers that use less of one while their queue is empty wait for something else, such as a disk."""
_TORCH = ("input-torch", "input-torch-busy", "input-torch-waits")
_GRAIN = ("input-grain-processes", "input-grain-processes-busy", "input-grain-processes-waits")
"""What is said of processes: of those whose use of a core says nothing, of busy ones, and of those that wait."""
_IDLE = 0.5
"""Of their time: a pool's workers that have something to do for less are not asked for enough."""
_TAKEN = 0.9
"""Of the machine's cores: where more of them is used, more workers would not help."""


@attrs.frozen
class MachineUse:
    """How much of all cores was used in the steps, by anyone; None where that was not read."""

    busy_ratio: float | None = None


def advice_of(record: InputRecord, suspected: Suspected | None, machine: MachineUse) -> Iterator[Finding]:
    """The verdict, what is slow, and what to do."""
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
    if record.verdict == "transfer":
        yield _advice("input-transfer-slow", evidence, idle=record.idle_launches, launches=record.launches)
    if record.verdict == "consumer" and nearest is not None:
        yield note("input-queue-full", full=nearest.full_gets, gets=nearest.gets)
    if record.verdict == "keeps-up" and record.level == "low":
        yield note("input-keeps-up")
    if record.level in (None, "low") or suspected is None:
        return
    if nearest is not None and record.verdict == "processing":
        yield _advice("input-queue-empty", evidence, empty=nearest.empty_gets, gets=nearest.gets)
    yield from _by_kind(suspected, evidence, machine)


def _by_kind(suspected: Suspected, evidence: tuple[str, ...], machine: MachineUse) -> Iterator[Finding]:
    worker, operation = suspected.worker, suspected.operation
    if machine.busy_ratio is not None and machine.busy_ratio >= _TAKEN and _needs_cores(worker):
        yield _advice("input-cores-taken", evidence, cores_ratio=machine.busy_ratio, name=operation.name)
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
    elif worker.kind == "function":
        yield _advice("input-in-the-loop", evidence, name=operation.name)


def _needs_cores(worker: InputOperation) -> bool:
    """Whether it takes more of what works already, and not just that it works elsewhere or ahead."""
    in_the_loop = worker.kind == "function" or worker.workers == 0
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
