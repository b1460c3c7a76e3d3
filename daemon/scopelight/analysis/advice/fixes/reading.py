"""Reading a result every few steps: a statement of a loop that waits for one, below a condition on the step."""

import ast
from collections.abc import Iterator, Sequence

from scopelight.analysis.advice.fixes.change import Change, Text

EVERY = 10
"""Steps: rare enough that the wait is a tenth, often enough to see a loss fall."""


def read_every_steps(line: int, text: Text) -> Sequence[Change] | None:
    """The changes that let the statement on a 1-based line run in every tenth step alone.

    None where that is not all that they would do: what it assigns is needed by other statements of the loop, it is in
    another block of it, or the loop has no number.
    """
    if text.tree is None:
        return None
    loop = max(
        (each for each in ast.walk(text.tree) if isinstance(each, ast.For) and _stands_in(each, line)),
        key=lambda each: each.lineno,
        default=None,
    )
    statement = (
        next((each for each in loop.body if each.lineno <= line <= (each.end_lineno or 0)), None) if loop else None
    )
    if loop is None or statement is None or not _can_be_left_out(loop, statement) or not text.stands_alone(statement):
        return None
    numbered = _number_of(loop, text)
    if numbered is None:
        return None
    number, changes = numbered
    return [*changes, *_below(text, statement, f"if {number} % {EVERY} == 0:")]


def _stands_in(loop: ast.For, line: int) -> bool:
    return bool(loop.body) and loop.body[0].lineno <= line <= (loop.body[-1].end_lineno or 0)


def _can_be_left_out(loop: ast.For, statement: ast.stmt) -> bool:
    """Whether nothing else in a loop needs what a statement does there."""
    match statement:
        case ast.Expr():
            made: set[str] = set()
        case ast.AugAssign(target=ast.Name(id=name)):
            made = {name}
        case ast.Assign(targets=[ast.Name(id=name)]):
            made = {name}
        case _:
            return False
    if any(isinstance(each, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await) for each in ast.walk(statement)):
        return False
    others = (each for each in ast.walk(loop) if isinstance(each, ast.Name) and each.id in made)
    inside = {id(each) for each in ast.walk(statement)}
    return all(id(each) in inside for each in others)


def _number_of(loop: ast.For, text: Text) -> tuple[str, Sequence[Change]] | None:
    """What counts the steps of a loop, and the changes that make it do so."""
    match loop.target, loop.iter:
        case ast.Name(id=name), ast.Call(func=ast.Name(id="range")):
            return name, ()
        case ast.Tuple(elts=[ast.Name(id=name), _]), ast.Call(func=ast.Name(id="enumerate")):
            return name, ()
    assert text.tree is not None
    if any(isinstance(each, ast.Name) and each.id == "step" for each in ast.walk(text.tree)):
        return None
    if not isinstance(loop.target, ast.Name | ast.Tuple):
        return None
    target = ast.unparse(loop.target)
    if isinstance(loop.target, ast.Tuple):
        target = f"({target.strip('()')})"
    return "step", (
        text.replace(loop.target, f"step, {target}"),
        text.insert_before(loop.iter, "enumerate("),
        text.insert_after(loop.iter, ")"),
    )


def _below(text: Text, statement: ast.stmt, condition: str) -> Iterator[Change]:
    indent = text.indent_of(statement.lineno)
    last = (statement.end_lineno or statement.lineno) - 1
    # Lines inside of a string are part of it.
    inside = {
        row
        for each in ast.walk(statement)
        if isinstance(each, ast.Constant | ast.JoinedStr)
        for row in range(each.lineno, each.end_lineno or each.lineno)
    }
    deeper = "\t" if indent.endswith("\t") else "    "
    for row in range(statement.lineno - 1, last + 1):
        lead = f"{indent}{condition}\n" if row == statement.lineno - 1 else ""
        if row in inside:
            continue
        yield Change(row, 0, row, 0, lead + deeper)
