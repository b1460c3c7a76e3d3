"""The view of whether programs fit."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import attrs

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.memory.fit.planned import Piece, PlannedProgram
from scopelight.analysis.memory.fit.programs import programs_fit, verdict_of
from scopelight.analysis.memory.fit.records import ArgumentMemory, FitRecord, ProgramFit
from scopelight.analysis.memory.fit.savings import savings
from scopelight.analysis.memory.fit.sharding import least_when_sharded
from scopelight.analysis.memory.options import FitOptions
from scopelight.analysis.memory.plan.buffer_rows import put_together
from scopelight.analysis.memory.plan.lines import memory_lines_record
from scopelight.analysis.memory.plan.program_choice import ProgramChoice
from scopelight.analysis.memory.plan.records import MemoryBuffer
from scopelight.analysis.memory.plan.viewer import ViewedProgram, why_empty
from scopelight.analysis.memory.plan.views import chosen_program, read_program
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.findings import Finding, note, warning
from scopelight.model.run.prediction import Prediction

MOST_BUFFERS = 100


def fit(subject: Subject, options: FitOptions) -> FitRecord:
    """Whether each program fits, and of one, that which fits least unless one is named, what takes the memory."""
    choice, module = chosen_program(subject, options.program)
    programs = programs_fit(subject, choice)
    if options.program is None:
        chosen = next((each for each in programs if each.program_id is not None), None)
        module = choice.find(chosen.program_id) if chosen is not None else module
    prediction = subject.profile.prediction
    record = FitRecord(
        target=prediction.target if prediction is not None else None,
        device=prediction.device if prediction is not None else None,
        devices=prediction.devices if prediction is not None else None,
        compiler=prediction.compiler if prediction is not None else None,
        programs=tuple(programs),
        module=module.name if module is not None else None,
        program_id=module.program_id if module is not None else None,
        findings=tuple(_of_run(subject, choice, programs, prediction)),
    )
    viewed = read_program(subject, choice, module)
    if viewed is None or module is None:
        return attrs.evolve(record, findings=(why_empty(subject.profile, choice, module), *record.findings))
    of_module = next(each for each in programs if each.program_id == module.program_id)
    return _with_plan(record, subject, viewed, of_module)


def what_would_fit(subject: Subject) -> tuple[Advice, ...]:
    """What would make a predicted program smaller that does not fit; nothing where all fit."""
    record = subject.once("fit", (), lambda: fit(subject, FitOptions()))
    return record.savings if any(each.fits is False for each in record.programs) else ()


def _with_plan(record: FitRecord, subject: Subject, viewed: ViewedProgram, of_module: ProgramFit) -> FitRecord:
    profile = subject.profile
    planned = PlannedProgram(
        profile,
        centre_of(profile, subject.line_options),
        viewed,
        of_module,
        devices=record.devices or 1,
        partitions=of_module.partitions or 1,
    )
    lines = memory_lines_record(viewed, 0)
    arguments = _arguments(planned)
    on_arguments = sum(each.bytes for each in arguments)
    return attrs.evolve(
        record,
        basis=lines.basis,
        peak_bytes=lines.peak_bytes,
        rest_bytes=(lines.unattributed_bytes or 0) - on_arguments,
        lines=lines.lines,
        arguments=arguments,
        buffers=_largest(planned),
        savings=tuple(savings(planned)),
        findings=(*record.findings, *_of_program(planned)),
    )


def _of_run(
    subject: Subject, choice: ProgramChoice, programs: Sequence[ProgramFit], prediction: Prediction | None
) -> Iterator[Finding]:
    if prediction is not None and (found := verdict_of(programs, prediction.target, prediction.device)) is not None:
        yield found
    if len(programs) > 1 and prediction is not None:
        yield note("programs-fit-alone")
    yield from subject.profile.findings
    yield from choice.findings


def _of_program(planned: PlannedProgram) -> Iterator[Finding]:
    if planned.memory.buffers.basis == "estimated":
        yield warning("buffers-estimated")
    least_bytes = least_when_sharded(planned) if planned.fit.fits is False else None
    if least_bytes is not None:
        yield note(
            "least-when-sharded",
            devices=planned.devices,
            least_bytes=least_bytes,
            available_bytes=planned.fit.available_bytes,
        )


def _arguments(planned: PlannedProgram) -> tuple[ArgumentMemory, ...]:
    """What is on no line because it was passed to the program, by the argument of its function."""
    pieces: dict[str, list[Piece]] = defaultdict(list)
    for each in planned.pieces:
        if each.argument is not None and each.row.line is None:
            pieces[each.argument].append(each)
    allocations = planned.memory.buffers.allocations
    donated = {each.index for each in allocations if each.is_parameter and each.is_live_out}
    found = [
        ArgumentMemory(
            name,
            arrays=len(own),
            bytes=sum(each.row.bytes for each in own),
            unpadded_bytes=sum(each.row.unpadded_bytes for each in own),
            donated_bytes=sum(each.row.bytes for each in own if each.row.allocation in donated),
            largest_shape=max((each.row for each in own), key=lambda row: row.bytes).shape,
        )
        for name, own in pieces.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.bytes, each.name)))


def _largest(planned: PlannedProgram) -> tuple[MemoryBuffer, ...]:
    rows = put_together(each.row for each in planned.pieces)
    return tuple(sorted(rows, key=lambda row: -row.bytes)[:MOST_BUFFERS])
