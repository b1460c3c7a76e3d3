"""Donation: ``donate_argnums`` where a function is compiled whose calls rebind those arguments."""

import ast
from collections.abc import Mapping, Sequence

from scopelight.analysis.advice.fixes.change import Change, Text
from scopelight.analysis.advice.fixes.imports import import_of
from scopelight.analysis.advice.syntax.jits import Jit, jits_of
from scopelight.analysis.advice.syntax.rebinding import rebound_arguments


def donate(function: str, positions: Sequence[int], path: str, texts: Mapping[str, Text]) -> Sequence[Change] | None:
    """The changes of the file at ``path``, of all ``texts`` by path; None where they are not proven to be right."""
    trees = [(each, text.tree) for each, text in texts.items() if text.tree is not None]
    jits = jits_of(function, trees)
    if len(jits) != 1 or jits[0].path != path or jits[0].donates:
        return None
    jit = jits[0]
    if jit.definition is None or jit.names is None:
        return None
    arguments = [each.arg for each in (*jit.definition.args.posonlyargs, *jit.definition.args.args)]
    rebound = rebound_arguments([tree for _, tree in trees], jit.names, arguments)
    proven = [position for position in positions if position < len(arguments) and arguments[position] in rebound]
    if not proven:
        return None
    return _changes(texts[path], jit, f"donate_argnums={_tuple_text(proven)}")


def _tuple_text(positions: Sequence[int]) -> str:
    return str(positions[0]) if len(positions) == 1 else f"({', '.join(map(str, positions))})"


def _changes(text: Text, jit: Jit, option: str) -> Sequence[Change] | None:
    expression = jit.expression
    if isinstance(expression, ast.Call):
        given = [*expression.args, *(each.value for each in expression.keywords)]
        if not given:
            # ``@jax.jit()``
            line, column = text.end_of(expression)
            return [Change(line, column - 1, line, column - 1, option)]
        last = max(given, key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0))
        return [text.insert_after(last, f", {option}")]
    name, changes = import_of(text, "functools", "partial")
    return [*changes, text.replace(expression, f"{name}({ast.unparse(expression)}, {option})")]
