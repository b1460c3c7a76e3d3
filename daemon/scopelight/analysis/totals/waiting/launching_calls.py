"""Which line launches a program, by threads that are known from samples: few of them fall into a launch.

Where a program was traced is no answer: that is where it was called first, which may be before all steps. But a thread
is about to launch it in a function that calls it by its name.
"""

import ast
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.called import last_name
from scopelight.analysis.totals.waiting.data_flow import function_at, is_comprehension, owner_of, parsed
from scopelight.analysis.totals.waiting.launching import LaunchingThread, as_program
from scopelight.formats.columns import Int64
from scopelight.model.host.stands import UNKNOWN
from scopelight.program.hlo.frames import Frame, Stack

_COMPREHENDED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def launching_call(
    function: str,
    launch_ps: Int64,
    threads: Sequence[LaunchingThread],
    frames: UserFrames,
    text: Callable[[str, int], str | None],
) -> Stack:
    """The user frames from which a program of that ``function`` is launched at moments most often.

    By where threads stood last before: the innermost frame whose function calls it, on the line of the call that comes
    next; of several calls in one function those in a loop, since where a thread stood in few samples is told by what it
    did at other times, too. ``text`` is that of a line of a file, with its indentation. Empty where none is found.
    """
    trees = functools.cache(lambda path: parsed(functools.partial(text, path)))
    of_function: Counter[tuple[str, str]] = Counter()
    counted: dict[tuple[str, str], Counter[tuple[bool, Stack]]] = {}
    for thread in threads:
        stands = thread.stands
        if stands is None or stands.is_exact:
            continue
        known = np.flatnonzero(stands.stack != UNKNOWN)
        place = np.searchsorted(stands.start_ps[known], launch_ps, side="right") - 1
        rows, times = np.unique(stands.stack[known[place[place >= 0]]], return_counts=True)
        for row, number in zip(rows.tolist(), times.tolist(), strict=True):
            call = _call_from(frames.of(stands.stacks[row]), function, trees)
            if call is not None:
                key = call[1][0].path, call[1][0].function
                of_function[key] += number
                counted.setdefault(key, Counter())[call] += number
    if not of_function:
        return ()
    calls = counted[max(of_function, key=lambda key: (of_function[key], key))]
    return max(calls, key=lambda call: (call[0], calls[call], call[1][0].line))[1]


def _call_from(user: Stack, function: str, trees: Callable[[str], ast.Module | None]) -> tuple[bool, Stack] | None:
    """Whether the call is in a loop, and the frames from it outwards."""
    for depth, frame in enumerate(user):
        tree = trees(frame.path)
        if tree is None:
            continue
        name, around = frame.function, user[depth + 1 : depth + 2]
        if is_comprehension(frame) and not _comprehends(tree, frame.line, function):
            # It stands on a line of a function that may call it next, whose frame is left out where that is all it has.
            name = owner_of(tree, frame)
            if any((each.path, each.function) == (frame.path, name) for each in around):
                continue
        call = next_call(tree, frame.line, function)
        if call is not None:
            return call[1], (Frame(frame.path, call[0], name), *user[depth + 1 :])
    return None


def _comprehends(tree: ast.Module, line: int, function: str) -> bool:
    """Whether a comprehension on a line calls a function."""
    return any(
        isinstance(node, _COMPREHENDED)
        and node.lineno <= line <= (node.end_lineno or 0)
        and any(_calls(each, function) for each in ast.walk(node))
        for node in ast.walk(tree)
    )


def _calls(node: ast.AST, function: str) -> bool:
    return isinstance(node, ast.Call) and as_program(last_name(node.func) or "") == function


def next_call(tree: ast.Module, line: int, function: str) -> tuple[int, bool] | None:
    """The line of the next call of a function behind a line, in the innermost loop around it that has any, else in the
    function that it is of, and whether it is in a loop; None where that calls no such function."""
    body = function_at(tree, line) or tree
    loops = [each for each in _own(body) if isinstance(each, _LOOPS) and each.lineno <= line <= (each.end_lineno or 0)]
    for node in (*reversed(loops), body):
        lines = sorted(each.lineno for each in _own(node) if isinstance(each, ast.Call) and _calls(each, function))
        if lines:
            return next((each for each in lines if each >= line), lines[0]), node is not body
    return None


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a node, from outside to inside, but for what is in functions and classes that are defined there."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _DEFINED):
            yield from _own(child)
