"""Rebinding: whether every call of a function puts what it returns where an argument was, which nothing then needs."""

import ast
from collections.abc import Collection, Iterator, Sequence

from scopelight.analysis.totals.waiting.called import last_name
from scopelight.analysis.totals.waiting.data_flow import does_by_itself

_KEEPING = ("append", "extend", "add", "insert", "put", "setdefault", "update")


def rebound_arguments(trees: Sequence[ast.Module], names: Collection[str], arguments: Sequence[str]) -> frozenset[str]:
    """Those of the ``arguments`` of a function that every one of its calls rebinds; none where nothing calls it.

    ``names`` are what it is called by, ``arguments`` its own names of them in their order. What is kept under another
    name besides is none.
    """
    found: frozenset[str] | None = None
    for tree in trees:
        for statement, call in _calls(tree, names):
            rebound = frozenset(
                name
                for name, value in _given(call, arguments)
                if _is_rebound(statement, value) and not _is_kept(tree, value)
            )
            found = rebound if found is None else found & rebound
    return found or frozenset()


def _calls(tree: ast.Module, names: Collection[str]) -> Iterator[tuple[ast.stmt, ast.Call]]:
    for statement in ast.walk(tree):
        if isinstance(statement, ast.stmt):
            for part in does_by_itself(statement):
                for node in ast.walk(part):
                    if isinstance(node, ast.Call) and last_name(node.func) in names:
                        yield statement, node


def _given(call: ast.Call, arguments: Sequence[str]) -> Iterator[tuple[str, ast.expr]]:
    """What a call gives for arguments: nothing is known of those behind a star."""
    for name, value in zip(arguments, call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        yield name, value
    for keyword in call.keywords:
        if keyword.arg is not None and keyword.arg in arguments:
            yield keyword.arg, keyword.value


def _is_rebound(statement: ast.stmt, value: ast.expr) -> bool:
    if not isinstance(statement, ast.Assign) or not _is_place(value):
        return False
    return any(_same(target, value) for each in statement.targets for target in _targets(each))


def _targets(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _targets(each)
    else:
        yield target


def _is_kept(tree: ast.Module, value: ast.expr) -> bool:
    """Whether a place's value is put under another name as well, or into something that may outlive the call."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(value=given, targets=targets):
                if any(_same(each, value) for each in _parts(given)) and not any(_same(t, value) for t in targets):
                    return True
            case ast.Call(func=ast.Attribute(attr=attr), args=given) if attr in _KEEPING:
                if any(_same(each, value) for of in given for each in _parts(of)):
                    return True
    return False


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """A value, and what a tuple, list or dictionary puts together as it is."""
    if isinstance(value, ast.Tuple | ast.List | ast.Set):
        for each in value.elts:
            yield from _parts(each)
    elif isinstance(value, ast.Dict):
        for each in value.values:
            yield from _parts(each)
    else:
        yield value


def _is_place(value: ast.expr) -> bool:
    match value:
        case ast.Name():
            return True
        case ast.Attribute(value=base) | ast.Subscript(value=base, slice=ast.Constant()):
            return _is_place(base)
    return False


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.unparse(one) == ast.unparse(other)
