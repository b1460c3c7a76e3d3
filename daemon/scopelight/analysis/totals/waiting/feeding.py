"""Feeding: on which lines the script prepares, or waits for, the data of its next step.

Such a line is a generator's or an iterator's own, one on which the thread that launches the steps was found in a queue
or a loader, or one whose value flows into the call of the step and is no result of the step before.
"""

import ast
import functools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.launching import LaunchingThread, call_stack
from scopelight.formats.columns import Bool
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame, Stack

_ITERATING = ("__next__", "__getitem__", "__getitems__")
_FETCHING = (
    ("/queue.py", ("get",)),
    ("multiprocessing/queues.py", ("get",)),
    ("torch/utils/data/dataloader.py", ("__next__",)),
    ("tensorflow/python/data/ops/iterator_ops.py", ("__next__", "get_next")),
)
"""Ends of files of libraries, and functions there in which a thread waits for data."""
_MOST_LINES = 20_000


def is_fetching(frame: Frame) -> bool:
    """Whether a frame of a library is one in which a thread waits for data."""
    name = frame.function.rpartition(".")[2]
    path = frame.path.replace("\\", "/")
    return any(name in names and path.endswith(end) for end, names in _FETCHING) or (
        name in _ITERATING and "/grain/" in path
    )


def feeding_of(
    profile: Profile,
    host: int,
    threads: Sequence[LaunchingThread],
    stacks: Sequence[Stack],
    frames: UserFrames,
    text: Callable[[str, int], str | None],
) -> Bool:
    """By stack whether the host feeds its steps there; ``text`` is that of a line of a file, with its indentation."""
    record = profile.host_records().get(host)
    loop = loop_of(profile, threads, frames) if record is not None else None
    if record is None or loop is None:
        return np.zeros(len(stacks), dtype=np.bool_)
    fetching = _fetching_lines((each for thread in threads for each in record.sampled_stacks(thread.line_id)), frames)
    data_lines = data_lines_of(functools.partial(text, loop.path), loop.line)
    found = (_feeds(stack, loop, data_lines, fetching, record.generators) for stack in stacks)
    return np.fromiter(found, dtype=np.bool_, count=len(stacks))


def _feeds(
    stack: Stack,
    loop: Frame,
    data_lines: Collection[int],
    fetching: Collection[LineKey],
    generators: Collection[tuple[str, str]],
) -> bool:
    place = next((row for row, each in enumerate(stack) if _is_same(each, loop)), None)
    if place is None:
        return False
    if stack[place].line in data_lines or any((each.path, each.line) in fetching for each in stack[: place + 1]):
        return True
    return any(
        (each.path, each.function) in generators or _name(each) in _ITERATING or is_fetching(each)
        for each in stack[:place]
    )


def loop_of(profile: Profile, threads: Sequence[LaunchingThread], frames: UserFrames) -> Frame | None:
    """The frame that launches the program with most op time, most often."""
    executions, runs = profile.executions, profile.runs
    program_of_op = np.array([each.program for each in executions.ops], dtype=np.int64)
    if not (program_of_op >= 0).any():
        return None
    sums_ps = np.zeros(len(executions.programs) + 1, dtype=np.int64)
    np.add.at(sums_ps, program_of_op[executions.op], executions.self_ps)
    busiest = int(np.argmax(sums_ps[:-1]))
    launch_ps = runs.launch_ps[(runs.program == busiest) & (runs.launch_ps >= 0)]
    counted: Counter[Frame] = Counter()
    for thread in threads:
        if thread.stands is not None and thread.stands.is_exact:
            for number in thread.stands.at(launch_ps).tolist():
                counted.update(frames.of(thread.stands.stacks[number])[:1] if number >= 0 else ())
    if counted:
        return max(counted, key=lambda frame: (counted[frame], frame.path, frame.line))
    ops = [each for each in executions.ops if each.program == busiest]
    called = frames.of(call_stack(executions.programs[busiest].name, [each.stack for each in ops]))
    return called[0] if called else None


def _fetching_lines(stacks: Iterable[Stack], frames: UserFrames) -> frozenset[LineKey]:
    """Lines of the user's on which most samples were in what waits for data."""
    seen: Counter[LineKey] = Counter()
    fetching: Counter[LineKey] = Counter()
    for stack in stacks:
        user = frames.of(stack)
        if user:
            key = user[0].path, user[0].line
            seen[key] += 1
            inner = stack[: next(row for row, each in enumerate(stack) if each == user[0])]
            fetching[key] += any(is_fetching(each) for each in inner)
    return frozenset(key for key, number in fetching.items() if 2 * number > seen[key])


def _is_same(frame: Frame, other: Frame) -> bool:
    return frame.path == other.path and frame.function == other.function


def _name(frame: Frame) -> str:
    return frame.function.rpartition(".")[2]


def data_lines_of(text: Callable[[int], str | None], line: int) -> frozenset[int]:
    """Lines of the loop around a call on ``line`` whose values flow into it and do not come from it.

    Also the head of the loop, where what it yields does. Empty where the text is no Python, or there is no loop.
    """
    source = []
    for number in range(1, _MOST_LINES):
        each = text(number)
        if each is None:
            break
        source.append(each)
    try:
        tree = ast.parse("\n".join(source) + "\n")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    loops = [
        node for node in ast.walk(tree) if isinstance(node, ast.For | ast.AsyncFor | ast.While) and _holds(node, line)
    ]
    if not loops:
        return frozenset()
    loop = max(loops, key=lambda node: node.lineno)
    statements = [node for node in ast.walk(loop) if isinstance(node, ast.stmt) and node is not loop]
    step = max((node for node in statements if _holds(node, line)), key=lambda node: node.lineno, default=None)
    if step is None:
        return frozenset()
    made = _written(step)
    wanted = _read(step) - made
    found: set[int] = set()
    others = [loop, *(node for node in statements if node is not step)]
    changed = True
    while changed:
        changed = False
        for node in others:
            lines = _lines(node)
            if _written(node) & wanted and not lines <= found:
                found |= lines
                wanted |= _read(node) - made
                changed = True
    return frozenset(found - _lines(step))


def _parts(node: ast.stmt) -> Sequence[ast.AST]:
    """A statement, or of one that holds others what it does by itself."""
    match node:
        case ast.For() | ast.AsyncFor():
            return node.target, node.iter
        case ast.While() | ast.If():
            return (node.test,)
        case ast.With() | ast.AsyncWith():
            return node.items
        case ast.Match():
            return (node.subject,)
        case ast.Try() | ast.TryStar():
            return ()
    return (node,)


def _lines(node: ast.stmt) -> set[int]:
    ends = [getattr(each, "end_lineno", None) or 0 for part in _parts(node) for each in ast.walk(part)]
    return set(range(node.lineno, max(node.lineno, *ends, 0) + 1))


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _read(node: ast.stmt) -> set[str]:
    return _names(node, ast.Load)


def _written(node: ast.stmt) -> set[str]:
    return _names(node, ast.Store)


def _names(node: ast.stmt, used: type[ast.expr_context]) -> set[str]:
    each_part = (each for part in _parts(node) for each in ast.walk(part))
    return {each.id for each in each_part if isinstance(each, ast.Name) and isinstance(each.ctx, used)}
