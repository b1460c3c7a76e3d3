"""A change of a text: what quick fixes are made of."""

import ast
from collections.abc import Sequence

import attrs


@attrs.frozen(slots=True)
class Change:
    """``new_text`` in place of a part of a text: 0-based lines, and code points from the start of each."""

    first_line: int
    first_column: int
    last_line: int
    last_column: int
    new_text: str


class Text:
    """A text by lines, with its syntax tree; None where it is no Python."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        try:
            self.tree: ast.Module | None = ast.parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.tree = None

    def column(self, line: int, column_bytes: int) -> int:
        """A column of a 1-based line in code points: syntax trees count bytes."""
        return len(self.lines[line - 1].encode()[:column_bytes].decode(errors="ignore"))

    def end_of(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where a node ends: its 0-based line, and code points."""
        line = node.end_lineno or node.lineno
        return line - 1, self.column(line, node.end_col_offset or 0)

    def insert_after(self, node: ast.expr | ast.stmt, new_text: str) -> Change:
        """Something behind a node."""
        line, column = self.end_of(node)
        return Change(line, column, line, column, new_text)

    def insert_before(self, node: ast.expr | ast.stmt, new_text: str) -> Change:
        """Something before a node."""
        line, column = node.lineno - 1, self.column(node.lineno, node.col_offset)
        return Change(line, column, line, column, new_text)

    def replace(self, node: ast.expr | ast.stmt, new_text: str) -> Change:
        """Something in place of a node."""
        line, column = node.lineno - 1, self.column(node.lineno, node.col_offset)
        return Change(line, column, *self.end_of(node), new_text)

    def indent_of(self, line: int) -> str:
        """The white space before a 1-based line."""
        text = self.lines[line - 1]
        return text[: len(text) - len(text.lstrip())]

    def stands_alone(self, statement: ast.stmt) -> bool:
        """Whether a statement has its lines to itself."""
        last_line, last_column = self.end_of(statement)
        before = self.lines[statement.lineno - 1][: self.column(statement.lineno, statement.col_offset)]
        after = self.lines[last_line][last_column:].strip()
        return not before.strip() and (not after or after.startswith("#"))


def applied(lines: Sequence[str], changes: Sequence[Change]) -> list[str]:
    """A text with changes made; they do not overlap."""
    text = [*lines]
    for each in sorted(changes, key=lambda change: (change.first_line, change.first_column), reverse=True):
        first, last = text[each.first_line][: each.first_column], text[each.last_line][each.last_column :]
        text[each.first_line : each.last_line + 1] = (first + each.new_text + last).split("\n")
    return text
