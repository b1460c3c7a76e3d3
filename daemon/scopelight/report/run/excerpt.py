"""What a line of source does, in so few words that a sentence can name it."""

import ast
import warnings

from scopelight.report.foreign_text import printable, shortened

_LONGEST = 40
_LONGEST_PARSED = 400


def excerpt(code: str) -> str:
    """What a line computes or calls: ``next(loader)`` of ``batch = next(loader)``. A long one is cut."""
    line = code.strip()
    said = printable(" ".join((_worked_out(line) or line).split()))
    # Messages would make a link of it.
    return shortened(said.replace("](", "] ("), _LONGEST)


def _worked_out(line: str) -> str | None:
    """The part of a whole statement that is worked out; None where the line is no such statement."""
    if len(line) > _LONGEST_PARSED:
        return None
    whole = f"{line} pass" if line.endswith(":") else line
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = ast.parse(whole).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    node = _value(parsed[0]) if len(parsed) == 1 else None
    return ast.get_source_segment(whole, node) if node is not None else None


def _value(statement: ast.stmt) -> ast.expr | None:
    match statement:
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.Return(value=value):
            return value
        case ast.Expr(value=ast.Yield(value=value) | ast.Await(value=value)):
            return value
        case ast.Expr(value=value):
            return value
        case ast.For(iter=value) | ast.While(test=value) | ast.If(test=value):
            return value
        case ast.With(items=[item, *_]):
            return item.context_expr
        case _:
            return None
