"""Called: which functions the statements of a line call, to tell whose work it is where several share the line.

Read from the text alone. A function that a thread was seen in is found by the name that the line calls it by, as an
attribute, or by what the syntax calls, such as an item's ``__getitem__``.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

COMPREHENSIONS: Final = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Names of functions that are comprehensions: they have frames of their own, on lines of the function around."""
CLOCKS: Final = frozenset(
    f"{name}{unit}"
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
    for unit in ("", "_ns")
)
"""Functions that take no time to speak of."""
READING: Final = frozenset(
    {"append", "asarray", "array", "block_until_ready", "device_get", "float", "int", "item", "len", "print", "str"}
)
"""Functions that are called with results of a step, or of them, rather than being the step."""
_TRACING: Final = frozenset({"eval_shape", "make_jaxpr"})
"""Functions of jax that call those that they are given to trace them."""
_IMPLICIT: Final[Sequence[tuple[type[ast.AST], frozenset[str]]]] = (
    (ast.Subscript, frozenset({"__getitem__", "__setitem__"})),
    (ast.For, frozenset({"__iter__", "__next__"})),
    (ast.AsyncFor, frozenset({"__aiter__", "__anext__"})),
    (ast.comprehension, frozenset({"__iter__", "__next__"})),
    (ast.withitem, frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__"})),
    (ast.Starred, frozenset({"__iter__", "__next__"})),
)


class Part(NamedTuple):
    """What a line does of one kind: whether that feeds a step, by which names it may call a function, and by which of
    them it calls one outright."""

    feeds: bool
    named: frozenset[str]
    calls: frozenset[str]


class SharedLine(NamedTuple):
    """A line that does several things; ``launches`` where the step is among them."""

    parts: Sequence[Part]
    launches: bool

    def feeds(self, function: str, told: Collection[str]) -> bool | None:
        """Whether a function that is called from the line feeds the step; None where that cannot be told.

        ``told`` are the names of all functions that were seen to be called from it: a call by another name is of a
        function that is called otherwise where it is defined.
        """
        named = {part.feeds for part in self.parts if function in part.named}
        if not named:
            named = {part.feeds for part in self.parts if part.calls - set(told)}
        return named.pop() if len(named) == 1 else None

    def feeds_itself(self, told: Collection[str]) -> bool | None:
        """The same of the line itself, without the functions that were seen: of what it calls besides, if anything."""
        if self.launches:
            return False
        working = {part.feeds for part in self.parts if part.calls - set(told) - CLOCKS}
        if not working:
            working = {part.feeds for part in self.parts if part.feeds}
        return working.pop() if len(working) == 1 else None


def part_of(nodes: Iterable[ast.AST], *, feeds: bool, without: Sequence[ast.AST] = ()) -> Part:
    """What nodes of a line do, all of one kind, but for those in ``without``."""
    outside = {id(each) for node in without for each in ast.walk(node)}
    named: set[str] = set()
    calls: set[str] = set()
    for node in nodes:
        for each in _evaluated(node):
            if id(each) not in outside:
                _add_names(each, named, calls)
    return Part(feeds, frozenset(named | calls), frozenset(calls))


def parts_of_data(nodes: Sequence[ast.AST]) -> Sequence[Part]:
    """What a statement does whose value flows into the step: what it has traced is no work on that."""
    calls = [each for node in nodes for each in _evaluated(node) if isinstance(each, ast.Call)]
    tracing = [each for each in calls if last_name(each.func) in _TRACING]
    own = part_of(nodes, feeds=True, without=tracing)
    return (own, part_of(tracing, feeds=False)) if tracing else (own,)


def parts_of_call(nodes: Sequence[ast.AST], called: Collection[str]) -> Sequence[Part]:
    """What a statement does that calls the step: what it gives to it, and the rest.

    ``called`` are names by which it may call the step; where it does by none of them it is seen by its place.
    """
    step = _step_of([each for node in nodes for each in _evaluated(node)], nodes, called)
    if step is None:
        return (part_of(nodes, feeds=True),)
    given = [*step.args, *step.keywords]
    return part_of(given, feeds=True), part_of(nodes, feeds=False, without=given)


def _step_of(every: Sequence[ast.AST], nodes: Sequence[ast.AST], called: Collection[str]) -> ast.Call | None:
    calls = [each for each in every if isinstance(each, ast.Call)]
    by_name = [each for each in calls if last_name(each.func) in called]
    if by_name:
        return by_name[0]
    # The outermost call that does not just read what the step gives.
    waiting = list(nodes)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Call):
            of = node.func.value if isinstance(node.func, ast.Attribute) else None
            is_of_a_result = of is not None and any(isinstance(each, ast.Call) for each in ast.walk(of))
            if last_name(node.func) not in READING and not is_of_a_result:
                return node
        waiting.extend(ast.iter_child_nodes(node))
    return None


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those in it; of functions that are defined there only what is evaluated where they are."""
    yield node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for each in node.decorator_list:
            yield from _evaluated(each)
        return
    for child in ast.iter_child_nodes(node):
        yield from _evaluated(child)


def _add_names(node: ast.AST, named: set[str], calls: set[str]) -> None:
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        calls.add(name if name is not None else "")
    elif isinstance(node, ast.Attribute):
        named.add(node.attr)
    elif isinstance(node, ast.Lambda):
        named.add("<lambda>")
    for kind, names in _IMPLICIT:
        if isinstance(node, kind):
            named |= names
    if isinstance(node, ast.Call) and last_name(node.func) == "next":
        named |= {"__next__"}


def last_name(node: ast.AST) -> str | None:
    """``get`` of ``self.queue.get``; None of what is called without a name."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
    return None
