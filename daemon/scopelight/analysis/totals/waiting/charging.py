"""Charges idle time to lines: in whole picoseconds, to the innermost line of the user's on the stack where the host
stood, and inclusive to every line of it."""

from collections.abc import Collection, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.options import Scope
from scopelight.analysis.records import WaitingBasis, WaitingClass
from scopelight.analysis.totals.charging import LineKey, apportion
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.shares import Share
from scopelight.analysis.totals.waiting.classes import CLASSES, UNTRACED
from scopelight.analysis.totals.waiting.pieces import NONE, Pieces
from scopelight.formats.columns import Bool, Int64
from scopelight.program.hlo.frames import Frame, Stack


@attrs.define(eq=False, repr=False)
class WaitingLine:
    """A line while its waiting is being added up; ``exact_ps`` is what of it the interpreter told of.

    ``exposed_ps`` is by line what began when a wait for a result there was over.
    """

    frame: Frame
    waiting_ps: int = 0
    inclusive_ps: int = 0
    exact_ps: int = 0
    classes_ps: dict[WaitingClass, int] = attrs.field(factory=dict)
    exposed_ps: dict[LineKey, int] = attrs.field(factory=dict)
    pieces: list[tuple[int, int]] = attrs.field(factory=list)
    """Groups of pieces that it has, and its part of each."""

    @property
    def basis(self) -> WaitingBasis | None:
        """That of most of it."""
        if not self.waiting_ps:
            return None
        return "exact" if 2 * self.exact_ps > self.waiting_ps else "estimated"


@attrs.define(eq=False, repr=False)
class WaitingOfScope:
    """The idle time of a scope by line, and what of it is on none; ``classes_ps`` sum to ``idle_ps``.

    ``rows`` are the pieces that it is of, ``group`` with what other pieces each was charged, ``sums_ps`` how long those
    of a group are together. ``stacks`` are the user frames of stacks, innermost first, and their idle time;
    ``exposing`` the lines whose waits for results exposed any.
    """

    pieces: Pieces
    rows: Int64
    group: Int64
    sums_ps: Int64
    idle_ps: int = 0
    unattributed_ps: int = 0
    classes_ps: dict[WaitingClass, int] = attrs.field(factory=dict)
    lines: dict[LineKey, WaitingLine] = attrs.field(factory=dict)
    stacks: dict[Stack, int] = attrs.field(factory=dict)
    exposing: dict[LineKey, Frame] = attrs.field(factory=dict)


def chosen_pieces(pieces: Pieces, scope: Scope, devices: Collection[int], in_steps: Collection[int]) -> Int64:
    """Rows of a scope, as `wall_of` takes it: to devices that are not ``in_steps`` the window is outside of them."""
    of_devices = np.isin(pieces.device, list(devices))
    inside: Bool = pieces.step >= 0
    if scope == "outside":
        inside = inside & np.isin(pieces.device, list(in_steps))
    untraced = pieces.kind == UNTRACED
    of_scope = inside if scope == "steps" else ~untraced if scope == "window" else ~inside & ~untraced
    return np.flatnonzero(of_devices & of_scope)


def charge_waiting(
    pieces: Pieces, rows: Int64, frames: UserFrames, parts: Mapping[int, Sequence[Share]]
) -> WaitingOfScope:
    """Charge the pieces of ``rows``.

    ``parts`` are by op how its time is divided among lines: what waits inside a run is on the lines of the op that it
    waits for.
    """
    group, columns, sums = _groups(pieces, rows)
    waiting = WaitingOfScope(pieces, rows, group, np.array(sums, dtype=np.int64))
    for number, (kind, stack, op, opened, exact) in enumerate(columns):
        _charge_group(
            waiting,
            number,
            sums[number],
            CLASSES[kind],
            _places(pieces, stack, op, frames, parts),
            frames.of(pieces.stacks[opened]) if opened != NONE else (),
            is_exact=bool(exact),
        )
    return waiting


def _groups(pieces: Pieces, rows: Int64) -> tuple[Int64, list[tuple[int, ...]], list[int]]:
    """Pieces that differ in nothing but their time and device: by row its group, and by group columns and sum."""
    columns = np.stack(
        [getattr(pieces, name)[rows].astype(np.int64) for name in ("kind", "stack", "op", "opened", "is_exact")]
    )
    order = np.lexsort(columns)
    ordered = columns[:, order]
    begins = np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)) if len(rows) else np.zeros(0, np.bool_)
    group = np.empty(len(rows), dtype=np.int64)
    group[order] = np.cumsum(begins) - 1
    firsts = np.flatnonzero(begins)
    sums = np.add.reduceat(pieces.duration_ps[rows][order], firsts) if len(firsts) else np.zeros(0, np.int64)
    return group, [tuple(each) for each in ordered[:, firsts].T.tolist()], sums.tolist()


def _places(
    pieces: Pieces, stack: int, op: int, frames: UserFrames, parts: Mapping[int, Sequence[Share]]
) -> Sequence[tuple[Stack, int]]:
    """Where a group is: stacks of user frames with their weights; an empty stack where there is none."""
    stood = frames.of(pieces.stacks[stack]) if stack != NONE else ()
    if op == NONE:
        return [(stood, 1)]
    # What no line has of the op that was waited for is where its run was launched.
    return [(frames.of(share.stack) or stood, share.weight) for share in parts[op]] if op in parts else [(stood, 1)]


def _charge_group(
    waiting: WaitingOfScope,
    group: int,
    sum_ps: int,
    kind: WaitingClass,
    places: Sequence[tuple[Stack, int]],
    opened: Stack,
    *,
    is_exact: bool,
) -> None:
    waiting.idle_ps += sum_ps
    waiting.classes_ps[kind] = waiting.classes_ps.get(kind, 0) + sum_ps
    for (stack, _), part_ps in zip(places, apportion(sum_ps, [weight for _, weight in places]), strict=True):
        if not stack:
            waiting.unattributed_ps += part_ps
            continue
        waiting.stacks[stack] = waiting.stacks.get(stack, 0) + part_ps
        line = waiting.lines.setdefault(_key(stack[0]), WaitingLine(stack[0]))
        line.waiting_ps += part_ps
        line.exact_ps += part_ps if is_exact else 0
        line.classes_ps[kind] = line.classes_ps.get(kind, 0) + part_ps
        line.pieces.append((group, part_ps))
        if opened:
            key = _key(opened[0])
            waiting.exposing.setdefault(key, opened[0])
            line.exposed_ps[key] = line.exposed_ps.get(key, 0) + part_ps
        for frame in stack:
            waiting.lines.setdefault(_key(frame), WaitingLine(frame)).inclusive_ps += part_ps


def longest_first(classes_ps: Mapping[WaitingClass, int]) -> Mapping[WaitingClass, int]:
    """Classes by how much there is of them."""
    return dict(sorted(classes_ps.items(), key=lambda each: -each[1]))


def _key(frame: Frame) -> LineKey:
    return frame.path, frame.line
