"""Charges the time of ops to lines and stacks, in whole picoseconds, so that nothing is lost or counted twice."""

from collections.abc import Mapping, Sequence

import attrs

from scopelight.analysis.totals.attribution import greatest_phase
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.analysis.totals.names import OpNames, op_names
from scopelight.analysis.totals.shares import Share
from scopelight.formats.columns import Int64, distinct_values
from scopelight.model.executions import Op, Program
from scopelight.program.hlo.frames import Frame, Stack
from scopelight.program.phases.phase import Phase

LineKey = tuple[str, int]
"""A recorded path and a line of it."""


@attrs.define(eq=False, repr=False)
class OpPart:
    """What one op contributes to one line, its phases taken together; ``share_ratio`` is of the op's time."""

    frame: Frame
    self_ps: int = 0
    wall_ps: int = 0
    cpu_ps: int = 0
    share_ratio: float = 0.0
    inherited: bool = False

    @property
    def key(self) -> LineKey:
        """The line."""
        return self.frame.path, self.frame.line


@attrs.frozen(eq=False, repr=False)
class ChargedOp:
    """An op that ran, with its parts, longest first, and the time that no line took."""

    row: int
    """In `Executions.ops`."""
    names: OpNames
    executions: int
    parts: tuple[OpPart, ...]
    lost_ps: int
    lost_wall_ps: int
    phase: Phase
    """The one that most of the op belongs to."""
    cpu_ps: int = 0
    """How long it was on cores, all its parts and what no line took; 0 where that is not known."""

    @property
    def shared(self) -> bool:
        """Whether its time was divided."""
        return len(self.parts) > 1 or (len(self.parts) == 1 and self.lost_ps > 0)


@attrs.define(eq=False, repr=False)
class ChargedLine:
    """A line while it is being added up; call sites have no time and no parts."""

    frame: Frame
    self_ps: int = 0
    wall_ps: int = 0
    cpu_ps: int = 0
    executions: int = 0
    phases: list[int] = attrs.field(factory=lambda: [0] * len(Phase))
    parts: list[tuple[ChargedOp, OpPart]] = attrs.field(factory=list)
    longest_ps: int = -1


@attrs.define(eq=False, repr=False)
class ChargedStack:
    """A recorded stack, the user frames in it, the self time of the ops that have it, and their part of the wall."""

    recorded: Stack
    user: Stack
    self_ps: int = 0
    wall_ps: int = 0


@attrs.define(eq=False, repr=False)
class Charges:
    """All lines and stacks, in the order in which they were met, and what could not be charged."""

    lines: dict[LineKey, ChargedLine] = attrs.field(factory=dict)
    # Keyed by identity: ops by the thousand have stacks by the dozen, and their frames are walked once, later.
    stacks: dict[int, ChargedStack] = attrs.field(factory=dict)
    ops: dict[int, ChargedOp] = attrs.field(factory=dict)
    """Every op that ran, by its row in `Executions.ops`."""
    unattributed: list[ChargedOp] = attrs.field(factory=list)
    unattributed_ps: int = 0
    unattributed_wall_ps: int = 0
    unattributed_cpu_ps: int = 0
    """Of ops alone."""

    def line(self, frame: Frame) -> ChargedLine:
        """The line of ``frame``, made where it is new."""
        return self.lines.setdefault((frame.path, frame.line), ChargedLine(frame))

    def stack(self, recorded: Stack, user: Stack) -> ChargedStack:
        """The sums of a recorded stack, made where it is new."""
        return self.stacks.setdefault(id(recorded), ChargedStack(recorded, user))


def charge(
    ops: Sequence[Op],
    programs: Sequence[Program],
    totals: InstructionTotals,
    parts: Mapping[int, Sequence[Share]],
    frames: UserFrames,
    cpu_of_op_ps: Int64 | None = None,
) -> Charges:
    """Charge every op that ran; ``parts`` are those of `Attribution`. How long each was on cores is charged as well."""
    charges = Charges()
    sums = totals.by_op()
    for row in distinct_values(totals.op).tolist():
        _charge_op(
            charges,
            frames,
            parts[row],
            row=row,
            names=op_names(ops[row], programs),
            self_ps=int(sums.self_ps[row]),
            wall_ps=int(sums.wall_ps[row]),
            cpu_ps=0 if cpu_of_op_ps is None else int(cpu_of_op_ps[row]),
            executions=int(sums.executions[row]),
        )
    for stack in charges.stacks.values():
        for frame in stack.user:
            # Call sites are lines too, of inclusive time alone.
            charges.line(frame)
    return charges


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


def _charge_op(
    charges: Charges,
    frames: UserFrames,
    shares: Sequence[Share],
    *,
    row: int,
    names: OpNames,
    self_ps: int,
    wall_ps: int,
    cpu_ps: int,
    executions: int,
) -> None:
    weights = [share.weight for share in shares]
    whole = sum(weights)
    parts: dict[LineKey, OpPart] = {}
    lost_ps = lost_wall_ps = lost_cpu_ps = 0
    divided = (apportion(whole_ps, weights) for whole_ps in (self_ps, wall_ps, cpu_ps))
    for share, part_ps, part_wall_ps, part_cpu_ps in zip(shares, *divided, strict=True):
        user = frames.of(share.stack)
        if not user:
            lost_ps += part_ps
            lost_wall_ps += part_wall_ps
            lost_cpu_ps += part_cpu_ps
            continue
        line = charges.line(user[0])
        line.self_ps += part_ps
        line.wall_ps += part_wall_ps
        line.cpu_ps += part_cpu_ps
        line.phases[share.phase] += part_ps
        stack = charges.stack(share.stack, user)
        stack.self_ps += part_ps
        stack.wall_ps += part_wall_ps
        part = parts.setdefault((user[0].path, user[0].line), OpPart(user[0]))
        part.self_ps += part_ps
        part.wall_ps += part_wall_ps
        part.cpu_ps += part_cpu_ps
        part.share_ratio += share.weight / whole
        part.inherited |= share.inherited
    longest_first = sorted(parts.values(), key=lambda part: (-part.self_ps, -part.share_ratio, part.key))
    op = ChargedOp(row, names, executions, tuple(longest_first), lost_ps, lost_wall_ps, greatest_phase(shares), cpu_ps)
    charges.ops[row] = op
    for part in parts.values():
        line = charges.line(part.frame)
        line.executions += executions
        if part.self_ps > line.longest_ps:
            # Lambdas and comprehensions share lines: the line goes by the function of its longest op.
            line.longest_ps = part.self_ps
            line.frame = part.frame
        line.parts.append((op, part))
    charges.unattributed_ps += lost_ps
    charges.unattributed_wall_ps += lost_wall_ps
    charges.unattributed_cpu_ps += lost_cpu_ps
    if lost_ps or not parts:
        charges.unattributed.append(op)
