"""The hot lines: which lines of source the op time went to."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.analysis.lines_frames import LineOptions, UserFrames
from scopelight.analysis.lines_shares import Share, Shares
from scopelight.analysis.records import DeviceRecord, LineOpRecord, LineRecord, LinesRecord, StepRecord
from scopelight.analysis.step_time import step_time
from scopelight.analysis.steps import Steps, find_steps
from scopelight.model.category import category_of
from scopelight.model.devices import backend_rates
from scopelight.model.executions import Executions, Int64, Op
from scopelight.model.frames import Frame, Stack
from scopelight.model.phases import Phase
from scopelight.model.profile import Profile

__all__ = ["LineOptions", "hot_lines"]

MOST_UNATTRIBUTED_OPS = 20
"""Ops without a line that the record names; their time is counted whether they are named or not."""


def hot_lines(profile: Profile, options: LineOptions | None = None) -> LinesRecord:
    """Self and inclusive time of every user line of ``profile``.

    Every op's self time goes to the innermost user frame of its stack, a fusion's to the lines inside it in
    proportion to their estimated cost. Time is handed out in whole picoseconds by largest remainder, so that
    lines and the unattributed rest sum to the op time exactly. An op without a user frame takes the line of
    its neighbours in the dataflow where they agree, and is unattributed where they do not.
    """
    options = options or LineOptions()
    executions = profile.executions
    steps = find_steps(profile)
    totals = _totals(executions, steps)
    frames = UserFrames(options, profile.capture.cwd if profile.capture else None)
    table = _charge(executions, totals, frames)
    lines = table.records(frames, totals.steps_times_devices)
    reason, remedy = _why_empty(profile, totals) if not lines else (None, None)
    kinds = dict.fromkeys(device.kind for device in totals.devices)
    capture = profile.capture
    return LinesRecord(
        op_time_ps=totals.op_time_ps,
        attributed_ps=totals.op_time_ps - table.unattributed_ps,
        unattributed_ps=table.unattributed_ps,
        outside_steps_ps=None if totals.inside_ps is None else totals.op_time_ps - int(totals.inside_ps.sum()),
        devices=totals.devices,
        steps_source=steps.source,
        steps_name=steps.name or None,
        steps_reason=steps.reason or None,
        steps=tuple(
            StepRecord(start, duration)
            for start, duration in zip(steps.start_ps.tolist(), steps.duration_ps.tolist(), strict=True)
        ),
        step_time=step_time(profile, steps),
        window={"start_ps": 0, "duration_ps": profile.duration_ps, **((capture and capture.window) or {})},
        cost_model=" ".join(backend_rates(kind).cost_model for kind in kinds) or None,
        warnings=(*profile.warnings, *(capture.warnings if capture else ()), *options.warnings),
        reason=reason,
        remedy=remedy,
        lines=lines,
        unattributed_ops=tuple(table.unattributed[:MOST_UNATTRIBUTED_OPS]),
    )


@attrs.frozen(eq=False)
class _Totals:
    """What is needed of the executions: columns by op, and sums by device."""

    self_ps: Int64
    executions: Int64
    inside_ps: Int64 | None
    """Self time inside complete steps; None where there are no steps."""
    device: Int64
    """A device that ran the op, for the kind of its backend."""
    op_time_ps: int
    devices: tuple[DeviceRecord, ...]
    steps_times_devices: int


def _totals(executions: Executions, steps: Steps) -> _Totals:
    count = len(executions.ops)
    self_ps = np.zeros(count, dtype=np.int64)
    np.add.at(self_ps, executions.op, executions.self_ps)
    device_ps = np.zeros(len(executions.devices), dtype=np.int64)
    np.add.at(device_ps, executions.device, executions.self_ps)
    busy = np.bincount(executions.device, minlength=len(executions.devices)) > 0
    device = np.zeros(count, dtype=np.int64)
    device[executions.op] = executions.device
    inside_ps = None
    if steps.source is not None and len(steps.start_ps):
        inside = _inside(executions.start_ps, steps)
        inside_ps = np.zeros(count, dtype=np.int64)
        np.add.at(inside_ps, executions.op[inside], executions.self_ps[inside])
    return _Totals(
        self_ps=self_ps,
        executions=np.bincount(executions.op, minlength=count).astype(np.int64),
        inside_ps=inside_ps,
        device=device,
        op_time_ps=int(executions.self_ps.sum()),
        devices=tuple(
            DeviceRecord(each.name, each.kind, each.host, each.ordinal, int(device_ps[row]))
            for row, each in enumerate(executions.devices)
            if busy[row]
        ),
        steps_times_devices=len(steps.start_ps) * int(np.count_nonzero(busy)),
    )


def _inside(start_ps: Int64, steps: Steps) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    order = np.argsort(steps.start_ps, kind="stable")
    starts = steps.start_ps[order]
    ends = starts + steps.duration_ps[order]
    step = np.searchsorted(starts, start_ps, side="right") - 1
    inside: np.ndarray[tuple[int], np.dtype[np.bool_]] = (step >= 0) & (start_ps < ends[step])
    return inside


def apportion(total: int, weights: Sequence[int]) -> list[int]:
    """Divide ``total`` in proportion to ``weights`` into integers that sum to it (largest remainder).

    Equal remainders are served in order. ``total`` may be negative; ``weights`` are positive.
    """
    if len(weights) == 1:
        return [total]
    whole = sum(weights)
    parts = [total * weight // whole for weight in weights]
    left = total - sum(parts)
    if left:
        remainders = sorted(range(len(weights)), key=lambda i: -(total * weights[i] % whole))
        for position in remainders[:left]:
            parts[position] += 1
    return parts


@attrs.define(slots=True, eq=False)
class _Line:
    """A line while it is being added up."""

    frame: Frame
    self_ps: int = 0
    inclusive_ps: int = 0
    inside_ps: int = 0
    executions: int = 0
    phases: list[int] = attrs.field(factory=lambda: [0] * len(Phase))
    ops: list[LineOpRecord] = attrs.field(factory=list)
    longest_ps: int = -1


@attrs.define(slots=True, eq=False)
class _Part:
    """What one op contributes to one line, its phases taken together."""

    frame: Frame
    self_ps: int = 0
    inherited: bool = False


class _Table:
    def __init__(self) -> None:
        self._lines: dict[tuple[str, int], _Line] = {}
        self._stacks: dict[int, tuple[Stack, int]] = {}
        self.unattributed_ps = 0
        self.unattributed: list[LineOpRecord] = []

    def line(self, frame: Frame) -> _Line:
        key = (frame.path, frame.line)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = _Line(frame)
        return line

    def add_inclusive(self, stack: Stack, part_ps: int) -> None:
        # Ops by the thousand have stacks by the dozen: their frames are walked once, at the end.
        known = self._stacks.get(id(stack))
        self._stacks[id(stack)] = (stack, part_ps + (known[1] if known else 0))

    def records(self, frames: UserFrames, steps_times_devices: int) -> tuple[LineRecord, ...]:
        for stack, inclusive_ps in self._stacks.values():
            for frame in stack:
                self.line(frame).inclusive_ps += inclusive_ps
        names: dict[str | None, str] = {}
        records = []
        for line in self._lines.values():
            file = frames.file(line.frame.path)
            # Two roots may hold files of one relative name: the second goes by its whole path.
            is_first = names.setdefault(file.path, line.frame.path) == line.frame.path
            line.ops.sort(key=lambda op: (-op.self_ps, op.name))
            forward, backward, recompute, optimizer, other = line.phases
            records.append(
                LineRecord(
                    path=file.path if is_first else file.file,
                    file=file.file,
                    line=line.frame.line,
                    function=line.frame.function,
                    self_ps=line.self_ps,
                    inclusive_ps=line.inclusive_ps,
                    forward_ps=forward,
                    backward_ps=backward,
                    recompute_ps=recompute,
                    optimizer_ps=optimizer,
                    other_ps=other,
                    per_step_ps=round(line.inside_ps / steps_times_devices) if steps_times_devices else None,
                    executions=line.executions,
                    ops=tuple(line.ops),
                )
            )
        records.sort(key=lambda each: (-each.self_ps, -each.inclusive_ps, each.path or "", each.line))
        self.unattributed.sort(key=lambda op: (-op.self_ps, op.name))
        return tuple(records)


def _charge(executions: Executions, totals: _Totals, frames: UserFrames) -> _Table:
    table = _Table()
    shares = Shares(frames)
    rates = [backend_rates(device.kind) for device in executions.devices]
    for row in np.flatnonzero(totals.executions).tolist():
        op = executions.ops[row]
        _charge_op(
            table,
            frames,
            op,
            shares.of(op, rates[totals.device[row]]),
            self_ps=int(totals.self_ps[row]),
            inside_ps=0 if totals.inside_ps is None else int(totals.inside_ps[row]),
            executions=int(totals.executions[row]),
            program_id=executions.programs[op.program].program_id if op.program >= 0 else "",
        )
    return table


def _charge_op(
    table: _Table,
    frames: UserFrames,
    op: Op,
    shares: Sequence[Share],
    *,
    self_ps: int,
    inside_ps: int,
    executions: int,
    program_id: str,
) -> None:
    category = op.category
    if not category and op.module is not None and op.instruction is not None:
        category = category_of(op.module, op.instruction)
    weights = [share.weight for share in shares]
    parts: dict[tuple[str, int], _Part] = {}
    lost_ps = 0
    for share, part_ps, part_inside_ps in zip(
        shares, apportion(self_ps, weights), apportion(inside_ps, weights), strict=True
    ):
        stack = frames.of(share.stack)
        if not stack:
            lost_ps += part_ps
            continue
        line = table.line(stack[0])
        line.self_ps += part_ps
        line.inside_ps += part_inside_ps
        line.phases[share.phase] += part_ps
        table.add_inclusive(stack, part_ps)
        part = parts.setdefault((stack[0].path, stack[0].line), _Part(stack[0]))
        part.self_ps += part_ps
        part.inherited |= share.inherited
    is_shared = len(parts) > 1 or (len(parts) == 1 and lost_ps > 0)
    for part in parts.values():
        line = table.line(part.frame)
        line.executions += executions
        if part.self_ps > line.longest_ps:
            # Lambdas and comprehensions share lines: the line goes by the function of its longest op.
            line.longest_ps = part.self_ps
            line.frame = part.frame
        line.ops.append(
            LineOpRecord(op.name, category, part.self_ps, is_shared, executions, program_id, part.inherited)
        )
    table.unattributed_ps += lost_ps
    if lost_ps or not parts:
        table.unattributed.append(
            LineOpRecord(op.name, category, lost_ps, is_shared, executions, program_id, inherited=False)
        )


def _why_empty(profile: Profile, totals: _Totals) -> tuple[str, str]:
    if len(profile.executions):
        return (
            f"None of the {int(np.count_nonzero(totals.executions))} ops that ran names a line of source: "
            "the profile holds neither their compiled programs nor source positions.",
            "Capture again with `scopelight run`, which keeps the compiled programs in the profile.",
        )
    if profile.modules:
        return (
            "The file holds compiled programs, but nothing of them ran while it was made.",
            "Open a profile of a run instead; `scopelight run SCRIPT` makes one.",
        )
    return (
        "No op ran on a device while the profile was made.",
        "Capture while the program computes: `scopelight run SCRIPT` chooses the window itself.",
    )
