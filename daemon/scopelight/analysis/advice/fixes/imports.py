"""Imports that an edit needs."""

import ast
from collections.abc import Sequence

from scopelight.analysis.advice.fixes.change import Change, Text


def import_of(text: Text, module: str, name: str) -> tuple[str, Sequence[Change]]:
    """What a name of a module is called in a text, and the change that makes that so where it is not yet."""
    body = () if text.tree is None else text.tree.body
    for statement in body:
        match statement:
            case ast.ImportFrom(module=of, names=names, level=0) if of == module:
                for each in names:
                    if each.name == name:
                        return each.asname or name, ()
            case ast.Import(names=names):
                for each in names:
                    if each.name == module:
                        return f"{each.asname or module}.{name}", ()
    first = next(
        (each for each in body if isinstance(each, ast.Import | ast.ImportFrom) and not _is_future(each)), None
    )
    line = first.lineno - 1 if first is not None else _after_head(body)
    return f"{module}.{name}", [Change(line, 0, line, 0, f"import {module}\n")]


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _after_head(body: Sequence[ast.stmt]) -> int:
    """The 0-based line after the docstring and what must stand first."""
    line = 0
    for statement in body:
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring and not _is_future(statement):
            break
        line = statement.end_lineno or statement.lineno
    return line
