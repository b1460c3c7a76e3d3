"""A setting of jax that is switched on: the statement that does so is left out."""

import ast
from collections.abc import Sequence

from scopelight.analysis.advice.fixes.change import Change, Text

_ON = (True, 1, "1", "true", "True")


def remove_flag(flag: str, text: Text) -> Sequence[Change] | None:
    """The changes without the statements that switch a flag on; None where none does that and nothing else."""
    if text.tree is None:
        return None
    found = [
        (body, statement)
        for node in ast.walk(text.tree)
        for body in _blocks(node)
        for statement in body
        if _switches_on(statement, flag) and text.stands_alone(statement)
    ]
    changes = []
    for body, statement in found:
        first, last = statement.lineno - 1, statement.end_lineno or statement.lineno
        if len(body) == 1:
            changes.append(text.replace(statement, "pass"))
        elif last < len(text.lines):
            changes.append(Change(first, 0, last, 0, ""))
        else:
            changes.append(Change(first, 0, last - 1, len(text.lines[last - 1]), ""))
    return changes or None


def _blocks(node: ast.AST) -> Sequence[list[ast.stmt]]:
    blocks = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
    return [each for each in blocks if isinstance(each, list) and each and isinstance(each[0], ast.stmt)]


def _switches_on(statement: ast.stmt, flag: str) -> bool:
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=config, attr="update"),
                args=[ast.Constant(value=str() as name), ast.Constant(value=value)],
                keywords=[],
            )
        ) if name == flag and value in _ON:
            return _is_config(config)
        case ast.Assign(
            targets=[
                ast.Subscript(
                    value=ast.Attribute(value=ast.Name(id="os"), attr="environ"),
                    slice=ast.Constant(value=str() as name),
                )
            ],
            value=ast.Constant(value=value),
        ) if name == flag.upper() and value in _ON:
            return True
        case ast.Assign(targets=[ast.Attribute(value=config, attr=name)], value=ast.Constant(value=value)) if (
            name == flag and value in _ON
        ):
            return _is_config(config)
    return False


def _is_config(node: ast.expr) -> bool:
    """``jax.config``, or ``config`` that was imported from it."""
    match node:
        case ast.Attribute(value=ast.Name(id="jax"), attr="config") | ast.Name(id="config"):
            return True
    return False
