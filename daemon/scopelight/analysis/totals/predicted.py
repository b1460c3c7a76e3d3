"""Predicted: for which device the figures of a profile are that ran nowhere, and of what there is no estimate."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from scopelight.analysis.compatibility.compiler_words import sentence
from scopelight.analysis.missing_programs import without_room_told
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.findings import Finding, empty, note, show_view, warning
from scopelight.model.cost.op_cost import OpCosts
from scopelight.model.devices.table import device_model
from scopelight.model.executions import Executions, Op
from scopelight.model.op_work import Work, work_of
from scopelight.model.profile import Profile
from scopelight.program.hlo.calls import RUNNING_OTHERS, runs_of_computations
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule

if TYPE_CHECKING:
    from scopelight.model.run.prediction import PredictedProgram, Prediction

_TOLD: Final = frozenset(("custom-call", "sort"))
"""Categories without estimates that are worth their lines: what they take may be much."""
_COPYING: Final = ("copy-start", "copy-done", "async-")
_CHIP_BY_CHIP: Final = re.compile(r"(v5e|v6e)-\d+")
"""Names of targets whose number is that of their devices, of which a single one is sold as well."""
_WITHOUT_PROGRAM: Final = ("refused", "not-lowered", "too-few-devices", "crashed", "memory-limit")
"""Outcomes of programs of which nothing is predicted; of those that were cancelled that is said first."""


def predicted_for(profile: Profile) -> str | None:
    """The device that a profile's times are predicted for; None where they were measured, or nothing ran."""
    return None if profile.prediction is None else profile.prediction.device


def predicted_devices(profile: Profile) -> int | None:
    """How many devices each do what a profile tells of one: those of the largest program that runs; None where they
    were measured.
    """
    said = profile.prediction
    if said is None:
        return None
    called = {each.program for each in said.calls}
    return max((each.partitions for each in said.programs if _runs(each, called)), default=1)


def _runs(program: PredictedProgram, called: Collection[int]) -> bool:
    return program.number in called and program.outcome == "compiled"


def prediction_note(profile: Profile) -> Iterator[Finding]:
    """For what, and by whom, a profile is predicted; nothing of one that ran."""
    said = profile.prediction
    if said is not None:
        yield note(
            "predicted-for", device=said.device, target=said.target, devices=said.devices, compiler=_compiler(said)
        )


def nothing_predicted() -> Finding:
    """Why a view of a prediction is empty that shows what hosts, links or memories did."""
    return empty("not-predicted", show_view("lines"))


def prediction_findings(
    profile: Profile, executions: Executions, totals: InstructionTotals, steps: int, frames: UserFrames
) -> Iterator[Finding]:
    """What is to be known of predicted times; ``totals`` are those of ``steps``, 0 where they are of the window."""
    said = profile.prediction
    if said is None:
        return
    from scopelight.analysis.compatibility.headline import headline_findings  # noqa: PLC0415 (it counts on totals)

    yield from prediction_note(profile)
    unfit = without_room_told(profile)
    if unfit is not None:
        yield unfit
    yield from headline_findings(profile, frames)
    yield from _devices_without_work(said)
    yield from _without_estimate(executions, totals, max(1, steps), frames)
    yield from _between_slices(said, executions, totals, max(1, steps))
    model = device_model(said.device)
    if model is not None and model.link_bytes_per_s is not None and _has_collectives(executions, totals):
        yield note("prediction-collectives", link_bytes_per_s=model.link_bytes_per_s, device=said.device)
    loops = [place for module in profile.modules for place in _uncounted_loops(module, frames)]
    if loops:
        yield warning("prediction-loops-uncounted", loops=tuple(dict.fromkeys(loops)))
    missing = [each for each in said.programs if each.outcome in _WITHOUT_PROGRAM]
    if missing:
        names = tuple(dict.fromkeys(each.name for each in missing))
        reason = sentence(missing[0].message)
        yield warning(
            "prediction-without-programs", show_view("compatibility"), programs=len(missing), names=names, said=reason
        )


def _devices_without_work(said: Prediction) -> Iterator[Finding]:
    """That no program of the script runs on all devices of the target."""
    numbers = {each.program for each in said.calls}
    called = [each for each in said.programs if each.number in numbers]
    working = max((each.partitions for each in called), default=said.devices)
    if working < said.devices:
        kind = _CHIP_BY_CHIP.fullmatch(said.target)
        smaller = f"{kind[1]}-1" if kind is not None and working == 1 else None
        yield warning(
            "prediction-devices-without-work",
            working=working,
            devices=said.devices,
            target=said.target or said.device,
            smaller=smaller,
            has_room=all(each.outcome != "no-room" for each in called),
        )


def _compiler(said: Prediction) -> str:
    """``libtpu 0.0.51`` of all packages that compiled."""
    packages = dict(each.split("==", 1) for each in said.compiler.split() if "==" in each)
    return f"libtpu {packages['libtpu']}" if "libtpu" in packages else ""


def _without_estimate(
    executions: Executions, totals: InstructionTotals, steps: int, frames: UserFrames
) -> Iterator[Finding]:
    """How many kinds of op have none, and what part of the bytes those move; a loop has the time of what is in it."""
    counts = totals.by_op().executions
    rows = [row for row in totals.op_rows if not _is_container(executions.ops[row])]
    without = [row for row in rows if not executions.ops[row].has_estimate]
    if not without:
        return
    costs = OpCosts(executions)

    def moved(of: Sequence[int]) -> int:
        return sum((costs.of(row).bytes or 0) * int(counts[row]) for row in of)

    whole = moved(rows)
    by_category: dict[str, int] = {}
    by_place: dict[str, int] = {}
    for row in without:
        op = executions.ops[row]
        by_category[_named(op)] = by_category.get(_named(op), 0) + moved([row])
        user = frames.of(op.stack) if _named(op) in _TOLD else ()
        if user:
            by_place[_place(user[0])] = by_place.get(_place(user[0]), 0) + moved([row])
    named = _most_first(by_category)
    places = _most_first(by_place)
    yield warning(
        "prediction-without-estimate",
        kinds=len(without),
        of_kinds=len(rows),
        executions=round(int(counts[np.array(without)].sum()) / steps),
        is_of_step=steps > 1,
        categories=tuple(named),
        places=tuple(places),
        bytes_ratio=moved(without) / whole if whole else None,
    )


def _between_slices(
    said: Prediction, executions: Executions, totals: InstructionTotals, steps: int
) -> Iterator[Finding]:
    """That there is no estimate of what slices exchange over the network between them."""
    counts = totals.by_op().executions
    rows = [row for row in totals.op_rows if _sends_to_slices(executions.ops[row])]
    if not rows:
        return
    costs = OpCosts(executions)
    yield warning(
        "prediction-between-slices",
        show_view("steps"),
        target=said.target or said.device,
        sent_bytes=sum((costs.of(row).bytes or 0) * int(counts[row]) for row in rows) // steps,
        is_of_step=steps > 1,
    )


def _sends_to_slices(op: Op) -> bool:
    instruction = op.instruction
    return instruction is not None and instruction.crosses_slices and instruction.opcode == "send"


def _most_first(amounts: Mapping[str, int]) -> Sequence[str]:
    return sorted(amounts, key=lambda each: (-amounts[each], each))


def _named(op: Op) -> str:
    """Its category; what only starts or awaits a copy is a part of one."""
    is_copy = op.instruction is not None and op.instruction.opcode.startswith(_COPYING)
    return "asynchronous copy" if is_copy else op.category


def _is_container(op: Op) -> bool:
    return op.instruction is not None and op.instruction.opcode in RUNNING_OTHERS


def _has_collectives(executions: Executions, totals: InstructionTotals) -> bool:
    return any(
        work_of(executions.ops[row]) is Work.COMMUNICATION and executions.ops[row].has_estimate
        for row in totals.op_rows
    )


def _uncounted_loops(module: HloModule, frames: UserFrames) -> Iterator[str]:
    """Where loops are of which the program does not say how often they run, by line or else by name."""
    names = frozenset(runs_of_computations(module).uncounted_loops)
    for each in module.instructions if names else ():
        if each.name in names and each.opcode == "while":
            user = frames.of(each.stack)
            yield _place(user[0]) if user else each.name


def _place(frame: Frame) -> str:
    return f"{frame.path.rpartition('/')[2]}:{frame.line}"
