"""The host's side of the input: its stages, the kinds of work, queues, operations, and what is slow."""

from collections.abc import Mapping, Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.host.input.advice import advice_of
from scopelight.analysis.host.input.advice_tasks import blocked_at
from scopelight.analysis.host.input.core_use import CoreUse, core_uses, machine_use
from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.host_parts import host_parts
from scopelight.analysis.host.input.queue_verdict import queue_verdict
from scopelight.analysis.host.input.records import InputCategory, InputRecord, InputStage, InputWork
from scopelight.analysis.host.input.stages import Gathered, stage_keys, stage_records, work_times
from scopelight.analysis.host.input.suspected import suspected_of
from scopelight.analysis.host.input.suspects import suspects_of
from scopelight.analysis.host.input.verdict import SteadySteps
from scopelight.analysis.host.input.wait_place import longest_wait
from scopelight.analysis.host.resources.measured import resources_record
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.model.host.states import HostState
from scopelight.model.profile import Profile
from scopelight.model.spans import merge_spans

_WORKS: Final[Sequence[InputWork]] = ("read-on-demand", "read-ahead", "preprocessing", "enqueue", "other")


def with_host_side(record: InputRecord, profile: Profile, centre: Centre, steady: SteadySteps) -> InputRecord:
    """A record of the device's side with that of the host, and with advice."""
    records = profile.host_records()
    of_resources = resources_record(profile, centre.options)
    uses = core_uses(of_resources)
    parts = host_parts(profile, centre, uses)
    gathered, found = parts.gathered, parts.queues
    suspects = suspects_of(gathered, parts.owners, steady, centre.steps)
    operations = [
        attrs.evolve(each, suspect_steps=suspects.operation_steps.get(each.key, 0)) for each in parts.operations
    ]
    told = {each.id: each for of_host in records.values() for each in of_host.operations}
    stages = stage_records(centre, gathered, told, suspects.steps, steady.is_steady)
    longest = longest_wait(steady, centre, parts.taken_at, parts.waits, parts.nearest)
    verdict = queue_verdict(
        found,
        record.launches,
        record.idle_launches,
        _transfer_ps(steady),
        record.wall_ps,
        record.level,
        longest,
    )
    suspected = None if verdict == "gets" else suspected_of(operations, found, in_the_loop=verdict == "loop")
    keys = stage_keys(centre, gathered)
    is_told = suspected is not None and record.level in ("moderate", "high")
    record = attrs.evolve(
        record,
        steps=tuple(
            attrs.evolve(step, suspect=keys[number] if number >= 0 else None)
            for step, number in zip(record.steps, suspects.of_step.tolist(), strict=True)
        ),
        categories=_categories(profile, gathered),
        stages=(*stages, *_workers(operations, uses)),
        verdict=verdict,
        queues=tuple(found),
        operations=tuple(
            attrs.evolve(each, suspected=suspected.certainty)
            if suspected is not None and is_told and each.key == suspected.operation.key
            else each
            for each in operations
        ),
        suspected=suspected.operation.key if suspected is not None and is_told else None,
        suspected_by=suspected.rule if suspected is not None and is_told else None,
    )
    findings = advice_of(record, suspected, machine_use(of_resources), longest, blocked_at(steady, centre))
    return attrs.evolve(record, findings=tuple(findings))


def _categories(profile: Profile, gathered: Gathered) -> tuple[InputCategory, ...]:
    """What all threads did, by kind."""
    times: dict[InputWork, tuple[int, int]] = {}
    for work, time_ps, threads in work_times(gathered):
        times[work] = time_ps, len(threads)
    enqueue_ps = number = 0
    whole = np.array([0], dtype=np.int64), np.array([profile.duration_ps], dtype=np.int64)
    for each in profile.host_states:
        spent_ps = int(covered_ps(merge_spans(*each.of(HostState.TRANSFER)), *whole)[0])
        enqueue_ps += spent_ps
        number += spent_ps > 0
    before = times.get("enqueue", (0, 0))
    times["enqueue"] = before[0] + enqueue_ps, before[1] + number
    sum_ps = max(1, sum(time_ps for time_ps, _ in times.values()))
    return tuple(InputCategory(work, *_spent(times.get(work, (0, 0)), sum_ps)) for work in _WORKS)


def _spent(times: tuple[int, int], sum_ps: int) -> tuple[int, float, int]:
    return times[0], times[0] / sum_ps, times[1]


def _workers(operations: Sequence[InputOperation], uses: Mapping[int, CoreUse]) -> tuple[InputStage, ...]:
    """A row for each process that loads data."""
    return tuple(
        InputStage(
            key=f"worker:{operation.key}:{number}",
            kind="worker",
            name=str(pid),
            path=None,
            file=None,
            line=None,
            function="",
            count=None,
            total_ps=None,
            total_ratio=None,
            self_ps=None,
            self_ratio=None,
            work="other",
            threads=1,
            thread_names=(),
            basis=None,
            core_ratio=uses[pid].core_ratio if pid in uses else None,
        )
        for operation in operations
        for number, pid in enumerate(operation.process_ids)
    )


def _transfer_ps(steady: SteadySteps) -> int:
    """For how long devices waited for transfers, whatever these were for."""
    rows = steady.rows[steady.in_steady]
    of_transfer = steady.pieces.kind[rows] == CLASSES.index("transfer")
    return int(steady.pieces.duration_ps[rows][of_transfer].sum())
