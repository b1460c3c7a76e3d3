"""Data flow: on which lines of a function, or of the loop in it, values are made that a call takes.

Read from the text alone: names, attributes and items by the names that they are reached by.
"""

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from scopelight.analysis.totals.waiting.called import (
    COMPREHENSIONS,
    READING,
    Part,
    SharedLine,
    last_name,
    part_of,
    parts_of_call,
    parts_of_data,
)
from scopelight.program.hlo.frames import Frame

MODULE = "<module>"
"""The function of what stands in none."""
_MOST_LINES = 20_000
_FILLING = ("append", "extend", "update", "insert", "add", "put", "setdefault")
"""Methods that put their arguments into what they are called of."""
_AWAITING = "block_until_ready"
_PRINTING = ("print", "write", "log", "debug", "info", "warning", "error", "exception", "critical")
_COUNTING = ("range", "count")
_Loop = ast.For | ast.AsyncFor | ast.While
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Flow(NamedTuple):
    """Lines of a function: those whose values flow into a call and do not come from it, and those of the call.

    ``looped_lines`` are in any of its loops. ``shared`` are the lines of the call, and those on which something stands
    beside what flows into it.
    """

    data_lines: frozenset[int]
    call_lines: frozenset[int]
    is_in_loop: bool
    looped_lines: frozenset[int]
    shared: Mapping[int, SharedLine]


def flow_into(text: Callable[[int], str | None], line: int, called: Collection[str] = ()) -> Flow | None:
    """What flows into the call on ``line``: within the outermost loop around it, else within its function.

    The head of the loop is among it where what it yields is. None where the text is no Python, or the line in neither.
    ``called`` are names by which the line may call the function in question, where several are called on it.
    """
    tree = parsed(text)
    if tree is None:
        return None
    function = function_at(tree, line)
    whole = tree if function is None else function
    loops = [node for node in _within(whole) if isinstance(node, _Loop)]
    loop = min((node for node in loops if _holds(node, line)), key=lambda node: node.lineno, default=None)
    if loop is None and function is None:
        return None
    statements = [*_within(loop if loop is not None else whole), *([loop] if loop is not None else [])]
    calls = _calling([node for node in statements if line in lines_of(node)], called)
    if not calls:
        return None
    call_lines = frozenset[int]().union(*map(lines_of, calls))
    data = _flowing(statements, calls)
    return Flow(
        frozenset[int]().union(*map(lines_of, data)) - call_lines,
        call_lines,
        loop is not None,
        frozenset(each for node in loops for each in range(node.lineno, (node.end_lineno or node.lineno) + 1)),
        dict(_shared_lines(statements, calls, data, called)),
    )


def _calling(statements: Sequence[ast.stmt], called: Collection[str]) -> Sequence[ast.stmt]:
    """Of the statements of a line those that hold the call in question: where that is not clear, all of them."""
    names = {id(node): part_of(does_by_itself(node), feeds=True).calls for node in statements}
    for found in (
        [node for node in statements if names[id(node)] & set(called)],
        [node for node in statements if names[id(node)] - READING],
        # What it gives is given to it again.
        [node for node in statements if names[id(node)] - READING and written_by(node) & read_by(node)],
    ):
        if len(found) == 1:
            return found
    return statements


def _shared_lines(
    statements: Sequence[ast.stmt], calls: Sequence[ast.stmt], data: Sequence[ast.stmt], called: Collection[str]
) -> Iterator[tuple[int, SharedLine]]:
    by_line: dict[int, list[ast.stmt]] = {}
    for node in statements:
        for line in lines_of(node):
            by_line.setdefault(line, []).append(node)
    for line, nodes in by_line.items():
        launches = any(node in calls for node in nodes)
        parts: list[Part] = []
        for node in nodes:
            own = does_by_itself(node)
            if node in calls:
                parts += parts_of_call(own, called)
            elif node in data:
                parts += parts_of_data(own)
            else:
                parts.append(part_of(own, feeds=False))
        if launches or len({part.feeds for part in parts}) > 1:
            yield line, SharedLine(parts, launches)


def is_printed(tree: ast.Module, line: int) -> bool:
    """Whether what a line makes is printed or logged, and goes nowhere else."""
    statements = [each for each in ast.walk(tree) if isinstance(each, ast.stmt) and line in lines_of(each)]
    own = [each for each in statements if does_by_itself(each)]
    return bool(own) and all(
        isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and last_name(each.value.func) in _PRINTING
        for each in own
    )


def only_counts(text: str) -> bool:
    """Whether a line is the head of a loop that just counts."""
    try:
        (node,) = ast.parse(f"{text.strip()} pass").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    over = node.iter if isinstance(node, ast.For) else None
    return isinstance(over, ast.Call) and last_name(over.func) in _COUNTING


def function_at(tree: ast.Module, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function that holds a line."""
    functions = [each for each in ast.walk(tree) if isinstance(each, _Function) and _holds(each, line)]
    return max(functions, key=lambda node: node.lineno, default=None)


def is_comprehension(frame: Frame) -> bool:
    """Whether a frame is of a comprehension, which has one of its own in some versions of Python."""
    return frame.function.rpartition(".")[2] in COMPREHENSIONS


def owner_of(tree: ast.Module | None, frame: Frame) -> str:
    """The name of a frame's function; of a comprehension that of the function that it stands in."""
    function = frame.function
    while (last := function.rpartition(".")[2]) in COMPREHENSIONS:
        function = function.removesuffix(last).removesuffix(".").removesuffix(".<locals>")
    if function:
        return function
    node = None if tree is None else function_at(tree, frame.line)
    return MODULE if node is None else node.name


def parsed(text: Callable[[int], str | None]) -> ast.Module | None:
    """The Python of a file by its lines; None where it is none."""
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


def _flowing(statements: Sequence[ast.stmt], calls: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    others = [node for node in statements if node not in calls]
    made = _made(set[str]().union(*map(written_by, calls)), others)
    wanted = set[str]().union(*map(read_by, calls)) - made
    found: list[ast.stmt] = []
    changed = True
    while changed:
        changed = False
        for node in others:
            if node not in found and written_by(node) & wanted:
                found.append(node)
                wanted |= read_by(node) - made
                changed = True
    # Until what the call takes has arrived: nothing is made there, but without it the call would wait.
    found += [node for node in others if node not in found and _awaits(node, wanted) and not read_by(node) & made]
    return found


def _made(by_call: set[str], others: Sequence[ast.stmt]) -> set[str]:
    """What a call makes, and what is brought up to date with it, as parameters are by gradients."""
    made = by_call
    while True:
        more = {
            name
            for node in others
            if read_by(node) & made and written_by(node) & read_by(node)
            for name in written_by(node)
        }
        if more <= made:
            return made
        made = made | more


def _awaits(node: ast.stmt, wanted: Collection[str]) -> bool:
    """Whether a statement just waits for arrays that are wanted."""
    arrays = awaited_arrays(node)
    return bool(arrays) and all(_reached_by(each) in wanted for each in arrays)


def awaited_arrays(node: ast.stmt) -> Sequence[ast.expr]:
    """The arrays for which a statement waits that does nothing besides; empty of any other."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("jax"), attr=name), [array])) if name == _AWAITING:
            arrays = array.elts if isinstance(array, ast.Tuple | ast.List) else [array]
        case ast.Expr(ast.Call(ast.Attribute(array, attr=name), [])) if name == _AWAITING:
            arrays = [array]
        case _:
            return ()
    return arrays if all(_reached_by(each) is not None for each in arrays) else ()


def does_by_itself(node: ast.stmt) -> Sequence[ast.AST]:
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


def lines_of(node: ast.stmt) -> frozenset[int]:
    """The lines on which that stands."""
    ends = [getattr(each, "end_lineno", None) or 0 for part in does_by_itself(node) for each in ast.walk(part)]
    return frozenset(range(node.lineno, max(node.lineno, *ends, 0) + 1))


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def read_by(node: ast.stmt) -> set[str]:
    """``self.batch`` reads itself, and ``self``."""
    found = set()
    for each in _in_scope(node):
        name = _reached_by(each) if isinstance(getattr(each, "ctx", None), ast.Load) else None
        if name is not None:
            steps = name.split(".")
            found |= {".".join(steps[: end + 1]) for end in range(len(steps))}
    return found


def written_by(node: ast.stmt) -> set[str]:
    """What is assigned, in whole or in part, and what is filled."""
    found: set[str | None] = set(_captured(node))
    for each in _in_scope(node):
        if isinstance(getattr(each, "ctx", None), ast.Store):
            found.add(_reached_by(each))
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in _FILLING:
            found.add(_reached_by(each.func.value))
    return {each for each in found if each is not None}


def _in_scope(node: ast.stmt) -> Iterator[ast.AST]:
    """What a statement does by itself, without the names that comprehensions and lambdas have for themselves alone."""
    for part in does_by_itself(node):
        yield from _outside(part, frozenset())


def _outside(node: ast.AST, own: frozenset[str]) -> Iterator[ast.AST]:
    if isinstance(node, _Comprehension):
        targets = {each.id for of in node.generators for each in ast.walk(of.target) if isinstance(each, ast.Name)}
        own = own | targets
    elif isinstance(node, ast.Lambda):
        own = own | {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    if (_reached_by(node) or "").partition(".")[0] not in own:
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside(child, own)


def _captured(node: ast.stmt) -> Iterator[str | None]:
    """The names that the cases of a ``match`` give to parts of its subject."""
    for case in node.cases if isinstance(node, ast.Match) else ():
        for each in ast.walk(case.pattern):
            if isinstance(each, ast.MatchAs | ast.MatchStar):
                yield each.name


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
