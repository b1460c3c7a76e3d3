"""Where threads stood by the interpreter's own events: a walk over them that keeps each thread's stack."""

from collections.abc import Collection

import numpy as np

from scopelight.formats.columns import Int64
from scopelight.formats.host_recording.reader import BASE, DARK, LINE, PAUSE, RETURN, LineRows
from scopelight.formats.kernels import kernel

DEEPEST = 400
"""Frames of a stack that are told apart: what is called beyond them takes the place of the last."""
UNKNOWN = -1


@kernel
def _find(codes: Int64, of: int, height: int, what: int) -> int:
    """The highest place of a code on a thread's stack; -1 where it is not on it."""
    place = height - 1
    while place >= 0 and codes[of, place] != what:
        place -= 1
    return place


@kernel
def _darken(codes: Int64, rows: Int64, depth: Int64, what: int) -> None:
    """Take the frames of a code from every stack; what they called stays, and with it the line that called it."""
    for of in range(len(depth)):
        kept = 0
        for place in range(depth[of]):
            if codes[of, place] != what:
                codes[of, kept], rows[of, kept] = codes[of, place], rows[of, place]
                kept += 1
        depth[of] = kept


@kernel
def _settle(home: Int64, home_depth: Int64, of: int, paused: int, place: int, launches: int) -> None:
    """Keep where the coroutines that launch gave way, by an event of code at a place of a thread's stack."""
    if launches:
        home[of] = paused if place >= 0 else -1
        home_depth[of] = place
    elif 0 <= place < home_depth[of]:
        # What had called them goes on.
        home[of] = -1


@kernel
def _below(rows: Int64, home: Int64, home_depth: Int64, of: int, place: int) -> int:
    """What says where a thread stands below a place of its stack."""
    if home[of] >= 0 and place == home_depth[of]:
        return int(home[of])
    return int(rows[of, place - 1]) if place > 0 else -1


@kernel
def _walk(
    thread: Int64,
    code: Int64,
    kind: Int64,
    codes: Int64,
    rows: Int64,
    depth: Int64,
    at: Int64,
    parent: Int64,
    level: Int64,
    paused: Int64,
    launching: Int64,
    home: Int64,
    home_depth: Int64,
) -> int:
    """Of each event the one that says where its thread stands after it (``at``), and of those that say so, which one
    says it of the caller (``parent``), and how deep they are. ``codes`` and ``rows`` are stacks by thread, ``paused``
    is by thread where its coroutines stand that gave way, until it runs another one or goes on.

    ``home`` is the same of those that are ``launching`` the steps, until they go on: what runs meanwhile stands as if
    they had called it where they gave way. They stood at ``home_depth``."""
    for row in range(len(thread)):
        of, what, how = thread[row], code[row], kind[row]
        found = -1
        if how in (LINE, RETURN, PAUSE):
            found = _find(codes, of, depth[of], what)
        if how == DARK:
            _darken(codes, rows, depth, what)
        elif how in (RETURN, PAUSE):
            if how == PAUSE and paused[of] < 0 and depth[of]:
                # The innermost coroutine gives way first; those that await it follow at once.
                paused[of] = rows[of, depth[of] - 1]
            if found >= 0:
                depth[of] = found
            _settle(home, home_depth, of, paused[of] if how == PAUSE else -1, found, launching[what])
        else:
            if how == BASE:
                found = 0
            elif found < 0:
                found = min(depth[of], codes.shape[1] - 1)
            _settle(home, home_depth, of, -1, found, launching[what])
            codes[of, found], rows[of, found] = what, row
            depth[of] = found + 1
            parent[row] = _below(rows, home, home_depth, of, found)
            # Deeper than its place where a frame below has gone dark since it called.
            level[row] = level[parent[row]] + 1 if parent[row] >= 0 else 0
        if how != PAUSE:
            paused[of] = -1
        at[row] = paused[of]
        if at[row] < 0 or depth[of] == home_depth[of]:
            at[row] = _below(rows, home, home_depth, of, depth[of])
    return len(thread)


def walk(
    lines: LineRows, number: Int64, threads: int, launching: Collection[int] = ()
) -> tuple[Int64, list[tuple[int, int, int]]]:
    """By event the number of the stack on which its thread stands after it, `UNKNOWN` where that is empty.

    Also by number (the caller's stack, code, line). ``number`` is the thread of each event, below ``threads``;
    ``launching`` are codes of coroutines that launch the steps."""
    count = len(number)
    codes, rows = np.zeros((2, threads, DEEPEST), dtype=np.int64)
    at, parent, level = np.full((3, count), UNKNOWN, dtype=np.int64)
    code, kind = np.ascontiguousarray(lines.code), np.ascontiguousarray(lines.kind)
    depths, paused = np.zeros(threads, dtype=np.int64), np.full(threads, -1, dtype=np.int64)
    launches = np.zeros(int(code.max(initial=-1)) + 1, dtype=np.int64)
    launches[[each for each in launching if each < len(launches)]] = 1
    homes, home_depths = np.full(threads, -1, dtype=np.int64), np.zeros(threads, dtype=np.int64)
    _walk(number, code, kind, codes, rows, depths, at, parent, level, paused, launches, homes, home_depths)
    stack = np.full(count + 1, UNKNOWN, dtype=np.int64)
    nodes: list[tuple[int, int, int]] = []
    for depth in range(int(level.max(initial=-1)) + 1):
        of_level = np.flatnonzero(level == depth)
        places = np.stack([stack[parent[of_level]], lines.code[of_level], lines.line[of_level]], axis=1)
        distinct, inverse = np.unique(places, axis=0, return_inverse=True)
        stack[of_level] = len(nodes) + inverse.reshape(-1)
        nodes.extend((int(caller), int(code), int(line)) for caller, code, line in distinct)
    return stack[at], nodes


def numbered(thread: Int64) -> tuple[Int64, Int64]:
    """The threads that occur, and of each row the number of its own among them."""
    idents, inverse = np.unique(thread, return_inverse=True)
    return idents, inverse.astype(np.int64)
