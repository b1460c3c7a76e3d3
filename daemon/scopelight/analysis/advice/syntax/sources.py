"""The user's files as syntax trees, parsed when they are first asked for."""

import ast
from collections.abc import Callable

from scopelight.analysis.totals.waiting.data_flow import function_at, parsed


class Sources:
    """By recorded path; a file that is not there, or is no Python, has no tree."""

    def __init__(self, text: Callable[[str], Callable[[int], str | None]]) -> None:
        self._text = text
        self._trees: dict[str, ast.Module | None] = {}

    def tree(self, path: str) -> ast.Module | None:
        """The syntax tree of a file."""
        if path not in self._trees:
            self._trees[path] = parsed(self._text(path))
        return self._trees[path]

    def line(self, path: str, number: int) -> str | None:
        """The text of a line, as it is indented."""
        return self._text(path)(number)

    def function_at(self, path: str, line: int) -> str:
        """The name of the function that a line is in; empty outside of any."""
        tree = self.tree(path)
        found = None if tree is None else function_at(tree, line)
        return "" if found is None else found.name

    def loop_around(self, path: str, line: int) -> int | None:
        """The line of the head of the innermost loop of statements around a line, in the same function."""
        tree = self.tree(path)
        body = None if tree is None else function_at(tree, line) or tree
        loops = [
            each.lineno
            for each in (ast.walk(body) if body is not None else ())
            if isinstance(each, ast.For) and each.lineno < line <= (each.end_lineno or each.lineno)
        ]
        return max(loops, default=None)

    def names(self, path: str, *words: str) -> bool:
        """Whether the code of a file names one of some words: as a name, an attribute or a text."""
        tree = self.tree(path)
        for node in ast.walk(tree) if tree is not None else ():
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str() as name) if name in words:
                    return True
        return False

    def line_of_text(self, path: str, text: str) -> int | None:
        """The first line of a file on which a text stands in a string, or an attribute has it as its name."""
        tree = self.tree(path)
        for node in ast.walk(tree) if tree is not None else ():
            match node:
                case ast.Constant(value=str() as said, lineno=line) if text in said:
                    return line
                case ast.Attribute(attr=name, lineno=line) if name == text:
                    return line
        return None
