"""The functions and named scopes of a text: what a code lens stands above."""

import ast
import warnings
from collections.abc import Iterator, Sequence

import attrs

_SCOPE = "named_scope"


@attrs.frozen(slots=True)
class Block:
    """A function or a scope, with its 1-based lines. ``line`` holds its ``def`` or ``with``."""

    name: str
    line: int
    first: int
    last: int


def find_blocks(lines: Sequence[str]) -> tuple[Block, ...] | None:
    """The blocks of a text in their order; None where it cannot be parsed, as in the middle of typing."""
    text = "\n".join(lines)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        return tuple(sorted(_blocks(tree), key=lambda block: (block.line, -block.last)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _blocks(tree: ast.AST) -> Iterator[Block]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min((each.lineno for each in node.decorator_list), default=node.lineno)
            yield Block(node.name, node.lineno, first, node.end_lineno or node.lineno)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                name = _scope(item.context_expr)
                if name is not None:
                    yield Block(name, node.lineno, node.lineno, node.end_lineno or node.lineno)


def _scope(call: ast.expr) -> str | None:
    """The name in ``named_scope("name")``, with or without the module before it."""
    if not isinstance(call, ast.Call) or not call.args:
        return None
    function = call.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
    name = call.args[0]
    if called == _SCOPE and isinstance(name, ast.Constant) and isinstance(name.value, str):
        return name.value
    return None
