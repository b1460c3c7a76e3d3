"""The user's files as syntax trees, parsed when they are first asked for."""

import ast
from collections.abc import Callable, Iterator, Sequence

from scopelight.analysis.totals.waiting.data_flow import function_at, parsed


class Sources:
    """By recorded path; a file that is not there, or is no Python, has no tree."""

    def __init__(self, text: Callable[[str], Callable[[int], str | None]]) -> None:
        self._text = text
        self._trees: dict[str, ast.Module | None] = {}
        self._loops: dict[str, Sequence[tuple[ast.For, ast.AST]]] = {}
        """By file its loops, each with the function that it is in, or the module."""

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
        if tree is None:
            return None
        if path not in self._loops:
            self._loops[path] = list(_loops_in(tree))
        around = [
            (loop, owner) for loop, owner in self._loops[path] if loop.lineno < line <= (loop.end_lineno or loop.lineno)
        ]
        if not around:
            return None
        own = function_at(tree, line) or tree
        return max((loop.lineno for loop, owner in around if owner is own), default=None)

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


def _loops_in(tree: ast.Module) -> Iterator[tuple[ast.For, ast.AST]]:
    # Not by recursion: an expression may be as deep as it is long.
    pending: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while pending:
        node, owner = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.For):
                yield child, owner
            is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            pending.append((child, child if is_function else owner))
