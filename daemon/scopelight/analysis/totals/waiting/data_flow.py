"""Data flow: on which lines of a function, or of the loop in it, values are made that a call takes.

Read from the text alone: names, attributes and items by the names that they are reached by.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

_MOST_LINES = 20_000
_FILLING = ("append", "extend", "update", "insert", "add", "put", "setdefault")
"""Methods that put their arguments into what they are called of."""
_Loop = ast.For | ast.AsyncFor | ast.While
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Flow(NamedTuple):
    """Lines of a function: those whose values flow into a call and do not come from it, and those of the call."""

    data_lines: frozenset[int]
    call_lines: frozenset[int]
    is_in_loop: bool


def flow_into(text: Callable[[int], str | None], line: int) -> Flow | None:
    """What flows into the call on ``line``: within the outermost loop around it, else within its function.

    The head of the loop is among it where what it yields is. None where the text is no Python, or the line in neither.
    """
    tree = _parsed(text)
    functions = [] if tree is None else [n for n in ast.walk(tree) if isinstance(n, _Function) and _holds(n, line)]
    function = max(functions, key=lambda node: node.lineno, default=None)
    whole = tree if function is None else function
    if whole is None:
        return None
    loops = [node for node in _within(whole) if isinstance(node, _Loop) and _holds(node, line)]
    loop = min(loops, key=lambda node: node.lineno, default=None)
    if loop is None and function is None:
        return None
    statements = [*_within(loop if loop is not None else whole), *([loop] if loop is not None else [])]
    calls = [node for node in statements if line in _lines(node)]
    if not calls:
        return None
    call_lines = frozenset[int]().union(*map(_lines, calls))
    return Flow(_flowing(statements, calls) - call_lines, call_lines, loop is not None)


def _parsed(text: Callable[[int], str | None]) -> ast.Module | None:
    source = []
    for number in range(1, _MOST_LINES):
        each = text(number)
        if each is None:
            break
        source.append(each)
    try:
        return ast.parse("\n".join(source) + "\n")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _within(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements in a node but those of functions and classes that are defined there."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, _Function | ast.ClassDef):
            yield from _within(child)


def _flowing(statements: Sequence[ast.stmt], calls: Sequence[ast.stmt]) -> frozenset[int]:
    made = set[str]().union(*map(_written, calls))
    wanted = set[str]().union(*map(_read, calls)) - made
    found: set[int] = set()
    others = [node for node in statements if node not in calls]
    changed = True
    while changed:
        changed = False
        for node in others:
            lines = _lines(node)
            if _written(node) & wanted and not lines <= found:
                found |= lines
                wanted |= _read(node) - made
                changed = True
    return frozenset(found)


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
        case ast.Try() | ast.TryStar() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return ()
    return (node,)


def _lines(node: ast.stmt) -> frozenset[int]:
    ends = [getattr(each, "end_lineno", None) or 0 for part in _parts(node) for each in ast.walk(part)]
    return frozenset(range(node.lineno, max(node.lineno, *ends, 0) + 1))


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _read(node: ast.stmt) -> set[str]:
    """``self.batch`` reads itself, and ``self``."""
    found = set()
    for part in _parts(node):
        for each in ast.walk(part):
            name = _reached_by(each) if isinstance(getattr(each, "ctx", None), ast.Load) else None
            if name is not None:
                steps = name.split(".")
                found |= {".".join(steps[: end + 1]) for end in range(len(steps))}
    return found


def _written(node: ast.stmt) -> set[str]:
    """What is assigned, in whole or in part, and what is filled."""
    found = set()
    for part in _parts(node):
        for each in ast.walk(part):
            if isinstance(getattr(each, "ctx", None), ast.Store):
                found.add(_reached_by(each))
            elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in _FILLING:
                found.add(_reached_by(each.func.value))
    return {each for each in found if each is not None}


def _reached_by(node: ast.AST) -> str | None:
    """The name of a name, of an attribute, or of what an item is of; None for anything else."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            base = _reached_by(node.value)
            return None if base is None else f"{base}.{node.attr}"
        case ast.Subscript() | ast.Starred():
            return _reached_by(node.value)
    return None
