"""The view of shapes that change: how long a program takes, iteration by iteration, over its shapes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from scopelight.analysis.missing_programs import nothing_ran
from scopelight.analysis.options import NoOptions
from scopelight.analysis.programs.buckets import bucket_plans
from scopelight.analysis.programs.calls import calling_lines
from scopelight.analysis.programs.compiled import Compiled, compiled_programs
from scopelight.analysis.programs.records import (
    ProgramArgument,
    ShapeFamily,
    ShapeIteration,
    ShapeSeries,
    ShapesRecord,
    ShapeVariant,
)
from scopelight.analysis.programs.variants import Variant, families
from scopelight.analysis.programs.view import compile_times
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.keys import digest
from scopelight.analysis.totals.names import op_names
from scopelight.analysis.totals.waiting.launching import function_of_program
from scopelight.findings import empty
from scopelight.formats.columns import Int64
from scopelight.model.profile import Profile

_MOST_ITERATIONS: Final = 2000
_MOST_SERIES: Final = 12


def shapes(subject: Subject, options: NoOptions) -> ShapesRecord:  # noqa: ARG001 (every view has them)
    """The families of programs whose shapes change."""
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    if centre.static is not None or not len(profile.executions):
        return ShapesRecord(findings=(nothing_ran(profile), *centre.findings))
    compiled = compiled_programs(profile)
    found = [
        _family(profile, centre, name, variants, compiled)
        for name, variants in families(profile).items()
        if len(variants) > 1 and _changing(variants)
    ]
    # What jax computes with before the steps is compiled for many shapes, and none of theirs.
    found = [each for each in found if not len(centre.steps) or any(one.step is not None for one in each.iterations)]
    found.sort(key=lambda each: -sum(one.duration_ps for one in each.iterations))
    why = () if found else (empty("shapes-do-not-change"),)
    return ShapesRecord(families=tuple(found), findings=(*why, *centre.findings))


def _changing(variants: Sequence[Variant]) -> Sequence[int]:
    """The places of the arguments whose shapes are not the same in all variants."""
    if len({len(each.parameters) for each in variants}) != 1:
        shortest = min(len(each.parameters) for each in variants)
        return list(range(shortest))
    places = range(len(variants[0].parameters))
    return [place for place in places if len({each.parameters[place].shape for each in variants}) > 1]


def _family(
    profile: Profile, centre: Centre, name: str, variants: Sequence[Variant], compiled: Sequence[Compiled]
) -> ShapeFamily:
    changing = _changing(variants)
    runs = profile.runs
    programs = {each.program: row for row, each in enumerate(variants)}
    device = int(runs.device[np.isin(runs.program, list(programs))].min(initial=len(profile.executions.devices)))
    rows = np.flatnonzero(np.isin(runs.program, list(programs)) & (runs.device == device))[:_MOST_ITERATIONS]
    variant = [programs[each] for each in runs.program[rows].tolist()]
    times_ps = _op_times(profile, rows)
    took_ps = compile_times(variants, compiled, function_of_program(name))
    counts = Counter(variant)
    means = {row: round(float(runs.duration_ps[rows][np.array(variant) == row].mean())) for row in counts}
    step = step_of(runs.start_ps[rows], centre.steps).tolist()
    argument, dimension, sizes = _size(variants, changing)
    known = [each for each in took_ps if each is not None]
    each_ps = round(sum(known) / len(known)) if known else None
    call = calling_lines(centre).get((variants[0].program_id, variants[0].name))
    plans = bucket_plans(dict(Counter(sizes[row] for row in variant)) if sizes else {}, each_ps, len(variants))
    return ShapeFamily(
        key=digest("family", name),
        name=name,
        function=function_of_program(name),
        variants=tuple(
            ShapeVariant(
                key=centre.program_key(each.program_id, name),
                program_id=each.program_id,
                number=row + 1,
                shapes=tuple(ProgramArgument(*each.parameters[place]) for place in changing),
                runs=counts.get(row, 0),
                mean_ps=means.get(row, 0),
                compile_ps=took_ps[row],
            )
            for row, each in enumerate(variants)
        ),
        iterations=tuple(
            ShapeIteration(
                number=number + 1,
                step=step[number] + 1 if step[number] >= 0 else None,
                variant=variant[number],
                start_ps=int(runs.start_ps[row]),
                duration_ps=int(runs.duration_ps[row]),
                op_time_ps=times_ps[number],
            )
            for number, row in enumerate(rows.tolist())
        ),
        series=tuple(_series(profile, rows)),
        argument=argument,
        dimension=dimension,
        plans=plans,
        **centre.frames.place_fields(call),
    )


def _size(variants: Sequence[Variant], changing: Sequence[int]) -> tuple[str | None, int | None, Sequence[int]]:
    """The size that changes: of the first argument where one dimension alone does; and by variant what it is."""
    for place in changing:
        shapes = [_dimensions(each.parameters[place].shape) for each in variants]
        if any(each is None for each in shapes) or len({len(each or ()) for each in shapes}) != 1:
            continue
        columns = list(zip(*(each or () for each in shapes), strict=True))
        varying = [number for number, column in enumerate(columns) if len(set(column)) > 1]
        if len(varying) == 1:
            return variants[0].parameters[place].name, varying[0], columns[varying[0]]
    return None, None, ()


def _dimensions(shape: str) -> tuple[int, ...] | None:
    """``(32, 64)`` of ``f32[32,64]``."""
    _, bracket, rest = shape.partition("[")
    sizes = rest.rstrip("]").split(",") if bracket else []
    return tuple(map(int, sizes)) if sizes and all(each.isdigit() for each in sizes) else None


def _op_times(profile: Profile, rows: Int64) -> list[int]:
    """By run the sum of the self times of its ops."""
    executions = profile.executions
    sums = np.zeros(len(profile.runs) + 1, dtype=np.int64)
    np.add.at(sums, executions.run, executions.self_ps)
    found: list[int] = sums[rows].tolist()
    return found


def _series(profile: Profile, rows: Int64) -> Iterator[ShapeSeries]:
    """The op time of the categories, then of the ops that take longest, by run. Ops are alike by what they do where."""
    executions = profile.executions
    place = np.full(len(profile.runs) + 1, -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    of_run = np.flatnonzero(place[executions.run] >= 0)
    ops = executions.op[of_run]
    names = {row: op_names(executions.ops[row], executions.programs) for row in np.unique(ops).tolist()}
    for is_op in (False, True):
        labels = [
            (each.category if not is_op else f"{each.primitive or each.category} · {each.scope}".rstrip(" ·"))
            for each in names.values()
        ]
        known = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        label_of = np.zeros(len(executions.ops), dtype=np.int64)
        for row, label in zip(names, labels, strict=True):
            label_of[row] = known[label]
        sums = np.zeros((len(known), len(rows)), dtype=np.int64)
        np.add.at(sums, (label_of[ops], place[executions.run[of_run]]), executions.self_ps[of_run])
        text = list(known)
        for number in np.argsort(-sums.sum(axis=1), kind="stable").tolist()[:_MOST_SERIES]:
            yield ShapeSeries(digest("series", is_op, text[number]), text[number], is_op, tuple(sums[number].tolist()))
