"""Padding: which arrays take more memory than they have elements, and which products do not fill the matrix unit."""

from collections.abc import Sequence

from scopelight.analysis.missing_programs import nothing_ran, why_no_program
from scopelight.analysis.options import Scope
from scopelight.analysis.padding.finder import PaddingFinder, TimedProgram
from scopelight.analysis.padding.matrix_unit import (
    assumption,
    matrix_unit_of_devices,
    matrix_unit_of_target,
)
from scopelight.analysis.padding.records import MatrixUnitRecord, PaddingRecord, PaddingRow, PaddingTotals
from scopelight.analysis.padding.sites import compiled_program, executed_program
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.findings import PROFILE_SCRIPT, Action, Finding, empty, warning
from scopelight.model.devices.compiled_for import compiled_for
from scopelight.model.devices.device_model import DeviceModel
from scopelight.model.profile import Profile
from scopelight.program.cost.rates import BackendRates
from scopelight.program.hlo.nouns import HloModule, Instruction

MOST_ROWS = 20_000
"""Rows of the record, greatest waste first; a person reads no more. Totals are of all."""


def padding(
    profile: Profile,
    line_options: LineOptions | None = None,
    target: DeviceModel | None = None,
    scope: Scope = "steps",
) -> PaddingRecord:
    """Every padded array and product of the programs of ``profile``, greatest waste first.

    Programs compiled for a TPU say in their layouts what is padded. For others padding is predicted for ``target``; it
    is not for a device without tiles. Waste is an op's time times what is not used of its array or product, and for
    what did not run the bytes and FLOPs of the padding.
    """
    centre = centre_of(profile, line_options)
    scoped = centre.scoped(scope)
    programs = _programs(profile, centre, scoped.totals)
    predicting = target is not None and target.tile_rules is not None and target.matrix_unit is not None
    tiled = [each for each in programs if each.program.has_tiles]
    chosen = tiled or (programs if predicting else [])
    finder = PaddingFinder(centre, None if tiled else target)
    unit = _matrix_unit(profile, target, is_tiled=bool(tiled)) if chosen else None
    found = [each for program in chosen for each in finder.of(program, (unit.rows, unit.columns))] if unit else []
    found.sort(key=lambda each: (-each.wasted_ps, -each.work, each.row.op))
    return PaddingRecord(
        target=unit.device if unit is not None and unit.basis == "predicted" else None,
        rows=tuple(each.row for each in found[:MOST_ROWS]),
        totals=_totals([each.row for each in found]),
        extent=scoped.extent,
        matrix_unit=unit,
        findings=(
            *(() if found else (why_empty(profile, programs, chosen, target),)),
            *centre.findings,
            *(assumption(unit) if any(each.row.basis == "matrix-unit" for each in found) else ()),
            *([warning("padding-cut", listed=MOST_ROWS, rows=len(found))] if len(found) > MOST_ROWS else []),
            *finder.notes.findings(scoped.totals.op_time_ps),
        ),
    )


def _programs(profile: Profile, centre: Centre, totals: InstructionTotals) -> Sequence[TimedProgram]:
    if not len(profile.executions):
        rates = compiled_for(profile.modules).rates
        return [
            TimedProgram(compiled_program(module), module.name, module.program_id, None, 0, rates)
            for module in profile.modules
        ]
    executions = centre.executions
    self_ps, device = totals.by_op().self_ps.tolist(), totals.device_of_op.tolist()
    rates_of: dict[tuple[str, str], BackendRates] = {}
    times_of: dict[tuple[str, str], dict[str, int]] = {}
    modules: dict[tuple[str, str], HloModule] = {}
    instructions: dict[tuple[str, str], list[Instruction]] = {}
    for row in totals.op_rows:
        op = executions.ops[row]
        if op.module is None or op.instruction is None:
            continue
        program = executions.programs[op.program] if op.program >= 0 else None
        # Every host has a module of its own of the same program.
        key = (program.program_id, program.name) if program is not None else ("", op.module.name)
        module = modules.setdefault(key, op.module)
        rates_of.setdefault(key, totals.devices[device[row]].rates)
        times = times_of.setdefault(key, {})
        times[op.instruction.name] = times.get(op.instruction.name, 0) + self_ps[row]
        own = module.by_name.get(op.instruction.name)
        if own is not None:
            instructions.setdefault(key, []).append(own)
    return [
        TimedProgram(
            executed_program(module, instructions.get(key, [])),
            key[1] or module.name,
            key[0],
            times_of[key],
            totals.op_time_ps,
            rates_of[key],
        )
        for key, module in modules.items()
    ]


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


_SET_TARGET = Action("set-target")


def why_empty(
    profile: Profile, programs: Sequence[TimedProgram], chosen: Sequence[TimedProgram], target: DeviceModel | None
) -> Finding:
    """Why nothing is padded of the ``chosen`` ones of ``programs``, those that were held against tiles."""
    if chosen:
        predicted = target.name if target is not None and not chosen[0].program.has_tiles else None
        return empty("everything-fits", target=predicted, cut_off=profile.is_cut_off)
    if programs and target is not None:
        return empty("target-without-tiles", _SET_TARGET, target=target.name)
    if programs:
        kinds = tuple(sorted({device.kind.upper() for device in profile.executions.devices}))
        return empty("device-without-tiles", _SET_TARGET, kinds=kinds)
    known = why_no_program(profile)
    if known is not None:
        return known
    return empty("padding-without-programs", PROFILE_SCRIPT) if len(profile.executions) else nothing_ran(profile)
