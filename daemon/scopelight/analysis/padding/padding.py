"""Padding: which arrays take more memory than they have elements, and which products do not fill the matrix unit."""

from collections.abc import Iterator, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.lines.table import place_names
from scopelight.analysis.padding.finder import FoundPadding, PaddingFinder, TimedProgram
from scopelight.analysis.padding.matrix_unit import (
    assumption,
    matrix_unit_of_devices,
    matrix_unit_of_target,
)
from scopelight.analysis.padding.reasons import why_empty
from scopelight.analysis.padding.records import MatrixUnitRecord, PaddingRecord, PaddingRow, PaddingTotals
from scopelight.analysis.padding.sites import compiled_program, program_that_ran
from scopelight.analysis.totals.extent import whole_profile
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.model.devices.fusion_rates import backend_rates
from scopelight.model.devices.table import DeviceModel
from scopelight.model.executions import Executions
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import HloModule, Instruction

MOST_ROWS = 20_000
"""Rows of the record, greatest waste first; a person reads no more. Totals are of all."""


def padding(
    profile: Profile, line_options: LineOptions | None = None, target: DeviceModel | None = None
) -> PaddingRecord:
    """Every padded array and product of the programs of ``profile``, greatest waste first.

    Programs compiled for a TPU say in their layouts what is padded. For others padding is predicted for ``target``; it
    is not for a device without tiles. Waste is an op's time times what is not used of its array or product, and for
    what did not run the bytes and FLOPs of the padding.
    """
    options = line_options or LineOptions()
    frames = UserFrames(options, profile.capture.cwd if profile.capture else None)
    programs = _programs(profile)
    predicting = target is not None and target.tile_rules is not None and target.matrix_unit is not None
    tiled = [each for each in programs if each.program.has_tiles]
    chosen = tiled or (programs if predicting else [])
    finder = PaddingFinder(frames, None if tiled else target)
    unit = _matrix_unit(profile, target, is_tiled=bool(tiled)) if chosen else None
    found = [each for program in chosen for each in finder.of(program, (unit.rows, unit.columns))] if unit else []
    found.sort(key=lambda each: (-each.wasted_ps, -each.work, each.row.op))
    names = place_names((each.frame.path for each in found if each.frame is not None), frames)
    reason, remedy = (None, None) if found else why_empty(profile, programs, chosen, target)
    return PaddingRecord(
        target=unit.device if unit is not None and unit.basis == "predicted" else None,
        rows=tuple(_placed(each, names) for each in found[:MOST_ROWS]),
        totals=_totals([each.row for each in found]),
        extent=whole_profile(profile, profile.executions),
        matrix_unit=unit,
        notes=tuple(finder.notes.sentences(int(profile.executions.self_ps.sum()))),
        warnings=(*_warnings(profile, options, unit, found),),
        reason=reason,
        remedy=remedy,
    )


def _programs(profile: Profile) -> Sequence[TimedProgram]:
    executions = profile.executions
    if not len(executions):
        rates = backend_rates("tpu")
        return [
            TimedProgram(compiled_program(module), module.name, module.program_id, None, 0, rates)
            for module in profile.modules
        ]
    self_ps = _self_ps(executions)
    kinds = {device.kind for device in executions.devices}
    rates = backend_rates("tpu" if "tpu" in kinds else next(iter(sorted(kinds)), "cpu"))
    ran: dict[tuple[str, str], dict[str, int]] = {}
    modules: dict[tuple[str, str], HloModule] = {}
    instructions: dict[tuple[str, str], list[Instruction]] = {}
    for row, op in enumerate(executions.ops):
        if op.module is None or op.instruction is None or self_ps[row] is None:
            continue
        program = executions.programs[op.program] if op.program >= 0 else None
        # Every host has a module of its own of the same program.
        key = (program.program_id, program.name) if program is not None else ("", op.module.name)
        module = modules.setdefault(key, op.module)
        times = ran.setdefault(key, {})
        times[op.instruction.name] = times.get(op.instruction.name, 0) + (self_ps[row] or 0)
        own = module.by_name.get(op.instruction.name)
        if own is not None:
            instructions.setdefault(key, []).append(own)
    whole = int(executions.self_ps.sum())
    return [
        TimedProgram(
            program_that_ran(module, instructions.get(key, [])), key[1] or module.name, key[0], ran[key], whole, rates
        )
        for key, module in modules.items()
    ]


def _self_ps(executions: Executions) -> list[int | None]:
    """Self time by op; None for an op that did not run."""
    totals = np.zeros(len(executions.ops), dtype=np.int64)
    np.add.at(totals, executions.op, executions.self_ps)
    counts = np.bincount(executions.op, minlength=len(executions.ops))
    return [total if count else None for total, count in zip(totals.tolist(), counts.tolist(), strict=True)]


def _matrix_unit(profile: Profile, target: DeviceModel | None, *, is_tiled: bool) -> MatrixUnitRecord | None:
    """That of the programs' own device where they are tiled, else the target's."""
    if not is_tiled:
        return matrix_unit_of_target(target)
    return matrix_unit_of_devices(profile.executions.devices, profile.capture, target, is_tiled=True)


def _totals(rows: Sequence[PaddingRow]) -> PaddingTotals:
    in_memory = [row for row in rows if row.basis == "layout" and row.inner is None]
    return PaddingTotals(
        rows=len(rows),
        arrays=len(in_memory),
        extra_bytes=sum(row.extra_bytes or 0 for row in in_memory),
        fused_arrays=sum(row.basis == "layout" and row.inner is not None for row in rows),
        products=sum(row.basis == "matrix-unit" for row in rows),
    )


def _placed(found: FoundPadding, names: Mapping[str, tuple[str | None, str | None]]) -> PaddingRow:
    if found.frame is None:
        return found.row
    path, file = names[found.frame.path]
    return attrs.evolve(found.row, path=path, file=file)


def _warnings(
    profile: Profile, options: LineOptions, unit: MatrixUnitRecord | None, found: Sequence[FoundPadding]
) -> Iterator[str]:
    yield from profile.warnings
    yield from profile.capture.warnings if profile.capture else ()
    yield from options.warnings
    if any(each.row.basis == "matrix-unit" for each in found):
        yield from assumption(unit)
    if len(found) > MOST_ROWS:
        yield f"The first {MOST_ROWS:,} of {len(found):,} padded arrays and products are listed."
