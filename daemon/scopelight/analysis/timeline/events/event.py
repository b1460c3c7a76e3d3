"""One event of a timeline: everything that is known of it."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from scopelight.analysis.timeline.events.arguments import argument_records
from scopelight.analysis.timeline.events.characteristic import explanation
from scopelight.analysis.timeline.events.executions import execution_of, slice_of_execution
from scopelight.analysis.timeline.events.gap_record import gap_at, gap_record
from scopelight.analysis.timeline.events.places import event_place, shown_name
from scopelight.analysis.timeline.lookups import Lookups, is_callback
from scopelight.analysis.timeline.records import SLICE_COLOURS, EventRecord, FlowRecord, FrameRecord
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.names import op_names, scope_and_primitive
from scopelight.analysis.totals.repeats import without_repeats
from scopelight.formats.xspace.stats import StatValue
from scopelight.model.executions import Executions, Op
from scopelight.program.hlo.frames import Frame, Stack
from scopelight.program.hlo.stacks import stack_from_stats

_PYTHON_FRAME: Final = re.compile(r"\$(.+):(\d{1,9}) (.+)$", re.DOTALL)
"""What the Python tracer calls a frame: ``$train.py:12 step``."""
_UNSIGNED: Final = (1 << 64) - 1


def event_record(lookups: Lookups, track: Track, event: int) -> EventRecord:
    """The event of a number on a track.

    Raises `LookupError` with a sentence where the track has no such event, `FormatError` where its arguments are
    broken.
    """
    timeline = lookups.timeline
    place = event_place(timeline, track, event)
    row = execution_of(timeline, track.id, event)
    profile = timeline.profile
    executions = profile.executions if profile is not None else None
    recorded = _recorded(lookups, track, event, row)
    arguments = recorded[0].stored.arguments(recorded[1]) if recorded and recorded[0].stored is not None else {}
    op_row = _op_row(lookups, row, arguments)
    op = executions.ops[op_row] if executions is not None and op_row is not None else None
    step = lookups.step_of(place.start_ps, place.duration_ps)
    name = timeline.slices.names.text(int(track.lane().name[event]))
    category = (op.category if op is not None else "") or _text(arguments, "hlo_category")
    meaning = (
        explanation(
            name,
            category=category,
            is_callback=is_callback(op),
            in_step=step is not None,
            is_of_device=track.section.kind == "device" or op is not None,
            arguments=arguments,
        )
        or track.meaning
    )
    op_name = _op_name(op, arguments)
    in_jax = timeline.derived.in_jax.of(op_row) if timeline.derived is not None and op_row is not None else None
    gap = gap_at(lookups, track, event)
    lines = timeline.derived.lines.get(track.id) if timeline.derived is not None else None
    if lines is not None:
        stack = lines.stack_of(event)
    elif gap is not None and lookups.centre is not None:
        stack = gap.stack(lookups.centre)
    else:
        stack = _stack(op, name, arguments)
    return EventRecord(
        place=place,
        shown_name=shown_name(timeline, track, event),
        self_ps=int(lookups.self_ps(track)[event]),
        step=step,
        program=_program(op, executions, arguments),
        run_id=_run_id(lookups, row, arguments),
        category=category or None,
        colour=SLICE_COLOURS[int(track.colours()[event])],
        op_key=lookups.op_key(op_row) if op_row is not None else None,
        op_name=op_name or None,
        shapes=_shapes(op, executions, arguments),
        findings=(meaning,) if meaning is not None else (),
        arguments=argument_records(arguments),
        flows=tuple(_flows(lookups, recorded, arguments)),
        frames=tuple(frame_records(stack, lookups.frames)),
        primitive=in_jax.primitive if in_jax is not None else scope_and_primitive(op_name)[1],
        phase=in_jax.phase if in_jax is not None else None,
        gap=gap_record(lookups, track, event, gap) if gap is not None else None,
    )


def _op_row(lookups: Lookups, row: int | None, arguments: Mapping[str, StatValue]) -> int | None:
    """The row of the event's op. Asynchronous ops and what launches kernels are no executions, but name theirs."""
    profile = lookups.timeline.profile
    if profile is not None and row is not None:
        return int(profile.executions.op[row])
    return lookups.op_named_by(arguments)


def _recorded(lookups: Lookups, track: Track, event: int, row: int | None) -> tuple[Track, int] | None:
    """The event of the file that has the arguments: itself, or what a derived one was made from."""
    if track.stored is not None:
        return track, event
    found = slice_of_execution(lookups.timeline, row) if row is not None else None
    return (lookups.timeline.track(found[0]), found[1]) if found is not None else None


def _program(op: Op | None, executions: Executions | None, arguments: Mapping[str, StatValue]) -> str | None:
    name, program_id = _text(arguments, "hlo_module"), _text(arguments, "program_id")
    if op is not None and executions is not None and op.program >= 0:
        program = executions.programs[op.program]
        name, program_id = program.name or name, program.program_id or program_id
    if name and program_id and not name.endswith(f"({program_id})"):
        return f"{name}({program_id})"
    return name or program_id or None


def _run_id(lookups: Lookups, row: int | None, arguments: Mapping[str, StatValue]) -> str | None:
    recorded = arguments.get("run_id")
    if isinstance(recorded, int) and recorded:
        return _signed(recorded)
    profile = lookups.timeline.profile
    if profile is not None and row is not None:
        run = int(profile.executions.run[row])
        if run >= 0 and profile.runs.run_id[run]:
            return _signed(int(profile.runs.run_id[run]))
    return None


def _signed(run_id: int) -> str:
    """An id of 64 bits as runtimes print it: with a sign, also where a profile writes the same bits without."""
    bits = run_id & _UNSIGNED
    return str(bits - (1 << 64) if bits >> 63 else bits)


def _op_name(op: Op | None, arguments: Mapping[str, StatValue]) -> str:
    return op.op_name if op is not None else _text(arguments, "tf_op").rpartition(":")[0]


def _shapes(op: Op | None, executions: Executions | None, arguments: Mapping[str, StatValue]) -> str | None:
    """``(f32[8,2], f32[2,4]) → f32[8,4]``: of the operands and of the result."""
    if op is not None and op.instruction is not None and executions is not None:
        names = op_names(op, tuple(executions.programs))
        return f"({', '.join(names.operand_shapes)}) → {names.shape}" if names.operand_shapes else names.shape
    return _text(arguments, "shape_with_layout") or None


def _stack(op: Op | None, name: str, arguments: Mapping[str, StatValue]) -> Stack:
    if op is not None and op.stack:
        return op.stack
    frame = _PYTHON_FRAME.match(name)
    if frame is not None:
        return (Frame(frame[1], int(frame[2]), frame[3]),)
    return stack_from_stats(_text(arguments, "source"), _text(arguments, "source_stack"))


def frame_records(stack: Stack, frames: UserFrames) -> Iterator[FrameRecord]:
    """The frames of a stack, innermost first, and which of them are the user's; what repeats is there once."""
    if len(stack) == 1 and "/" not in stack[0].path:
        # The Python tracer records names of files without their folders: any file could be meant.
        yield FrameRecord(stack[0].path, None, stack[0].line, stack[0].function, user=False)
        return
    user = set(frames.every(stack))
    for frame in without_repeats(stack):
        file = frames.file(frame.path)
        yield FrameRecord(
            path=file.path or frame.path,
            file=file.file,
            line=frame.line,
            function=frame.function,
            user=frame in user,
        )


def _flows(
    lookups: Lookups, recorded: tuple[Track, int] | None, arguments: Mapping[str, StatValue]
) -> Iterator[FlowRecord]:
    if recorded is None:
        return
    for outgoing, track, number in lookups.flows.of(*recorded, arguments):
        place, name = event_place(lookups.timeline, track, number), shown_name(lookups.timeline, track, number)
        yield FlowRecord(outgoing, place, name, lookups.op_of_event(track, number))


def _text(arguments: Mapping[str, StatValue], name: str) -> str:
    value = arguments.get(name, "")
    return "" if isinstance(value, bytes) else str(value)
