"""The view of compiled programs."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from scopelight.analysis.memory.plan.views import chosen_program
from scopelight.analysis.missing_programs import no_program_held
from scopelight.analysis.options import NoOptions
from scopelight.analysis.programs.calls import calling_lines
from scopelight.analysis.programs.compiled import Compiled, compiled_programs
from scopelight.analysis.programs.reasons import CompileCause
from scopelight.analysis.programs.records import CompilationRow, ProgramArgument, ProgramRow, ProgramsRecord
from scopelight.analysis.programs.variants import Variant, families, nearest, parameters_of
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.keys import digest
from scopelight.analysis.totals.waiting.launching import as_program, function_of_program
from scopelight.findings import Finding, note
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame


def programs(subject: Subject, options: NoOptions) -> ProgramsRecord:  # noqa: ARG001 (every view has them)
    """Every compiled program: its variants, runs, compile time, arguments and memory, and what calls it."""
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    compiled = compiled_programs(profile)
    rows = sorted(_rows(subject, centre, compiled), key=lambda each: (-each.time_ps, each.function, each.variant))
    return ProgramsRecord(
        program_time_ps=sum(each.time_ps for each in rows),
        compile_ps=sum(each.duration_ps for each in compiled) if compiled else None,
        rows=tuple(rows),
        compilations=tuple(_compilations(centre, compiled)),
        findings=(*_of_programs(profile, rows, compiled), *centre.findings),
    )


def _of_programs(profile: Profile, rows: Sequence[ProgramRow], compiled: Sequence[Compiled]) -> Iterator[Finding]:
    if not rows:
        yield no_program_held(profile)
    elif not compiled and len(profile.executions) and profile.prediction is None:
        yield note("compilations-not-recorded")


def _rows(subject: Subject, centre: Centre, compiled: Sequence[Compiled]) -> Iterator[ProgramRow]:
    profile = subject.profile
    runs, steps = profile.runs, len(centre.steps) * max(1, centre.scoped("steps").extent.devices)
    named = profile.executions.programs
    calls = calling_lines(centre)
    peaks = _peaks(subject)
    whole_ps = max(1, int(runs.duration_ps.sum()))
    in_step = step_of(runs.start_ps, centre.steps) >= 0
    seen = set()
    for name, variants in families(profile).items():
        took_ps = compile_times(variants, compiled, function_of_program(name))
        for number, variant in enumerate(variants):
            of_program = np.isin(
                runs.program, [row for row, each in enumerate(named) if each.program_id == variant.program_id]
            )
            if not variant.program_id:
                of_program = runs.program == variant.program
            time_ps, count = int(runs.duration_ps[of_program].sum()), int(of_program.sum())
            seen.add(variant.program_id)
            module = next((each for each in profile.modules if each.program_id == variant.program_id), None)
            yield ProgramRow(
                key=centre.program_key(variant.program_id, name),
                name=name,
                function=function_of_program(name),
                program_id=variant.program_id,
                variant=number + 1,
                variants=len(variants),
                runs=count,
                runs_per_step=int((of_program & in_step).sum()) / steps if steps else None,
                time_ps=time_ps,
                mean_ps=round(time_ps / count) if count else None,
                share_ratio=time_ps / whole_ps,
                compile_ps=took_ps[number],
                peak_bytes=peaks.get(variant.program_id),
                instructions=None if module is None else len(module.instructions),
                arguments=tuple(ProgramArgument(*each) for each in variant.parameters),
                changed=tuple(nearest(variant, variants[:number])),
                **centre.frames.place_fields(calls.get((variant.program_id, name))),
            )
    yield from _that_did_not_run(profile, centre, peaks, calls, seen)


def _that_did_not_run(
    profile: Profile,
    centre: Centre,
    peaks: Mapping[str, int | None],
    calls: Mapping[tuple[str, str], Frame],
    seen: set[str],
) -> Iterator[ProgramRow]:
    built = {each.program_id: each for each in profile.modules}
    for stored in profile.programs:
        if stored.program_id in seen:
            continue
        module = built.get(stored.program_id)
        yield ProgramRow(
            key=centre.program_key(stored.program_id, stored.name),
            name=stored.name,
            function=function_of_program(stored.name),
            program_id=stored.program_id,
            variant=1,
            variants=1,
            runs=0,
            runs_per_step=None,
            time_ps=0,
            mean_ps=None,
            share_ratio=0.0,
            compile_ps=None,
            peak_bytes=peaks.get(stored.program_id),
            instructions=None if module is None else len(module.instructions),
            arguments=() if module is None else tuple(ProgramArgument(*each) for each in parameters_of(module)),
            changed=(),
            **centre.frames.place_fields(calls.get((stored.program_id, stored.name))),
        )


def compile_times(variants: Sequence[Variant], compiled: Sequence[Compiled], function: str) -> Sequence[int | None]:
    """By variant what compiling it took: the last of its function that was done before it first ran.

    Of those that were compiled before the profile begins it is known where there is one of each.
    """
    of_function = [each for each in compiled if as_program(each.function) == function]
    found: list[int | None] = []
    used: set[int] = set()
    for variant in variants:
        before = [row for row, each in enumerate(of_function) if each.end_ps <= variant.first_ps and row not in used]
        is_sure = bool(before) and (of_function[before[-1]].end_ps >= 0 or len(before) == 1)
        found.append(of_function[before[-1]].duration_ps if is_sure else None)
        used.update(before if is_sure else ())
    return found


def _peaks(subject: Subject) -> Mapping[str, int | None]:
    if not subject.profile.programs:
        return {}
    choice, _ = chosen_program(subject, None)
    return {each.program_id: each.peak_bytes for each in choice.modules}


def _compilations(centre: Centre, compiled: Sequence[Compiled]) -> Iterator[CompilationRow]:
    """By function, line and cause, most time first."""
    groups: dict[tuple[str, Frame | None, CompileCause], list[Compiled]] = {}
    for each in compiled:
        user = centre.frames.of(each.stack)
        groups.setdefault((each.function, user[0] if user else None, each.reason.cause), []).append(each)
    ordered = sorted(groups.items(), key=lambda each: -sum(one.duration_ps for one in each[1]))
    for (function, frame, cause), group in ordered:
        ends_ps = np.array([one.end_ps for one in group], dtype=np.int64)
        yield CompilationRow(
            key=digest("compilation", function, frame and centre.line_key(frame), cause),
            function=function,
            **centre.frames.place_fields(frame),
            cause=cause,
            count=len(group),
            in_steps=int((step_of(ends_ps, centre.steps) >= 0).sum()),
            time_ps=sum(one.duration_ps for one in group),
            changed=group[-1].reason.changed,
        )
