"""Definitions of a text: on which lines each function is, by its name."""

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WRITTEN: Final = re.compile(r"\s*(?:async\s+def|def|class)\s+([^\W\d]\w*)")


@attrs.frozen
class Definitions:
    """The 1-based ``lines`` of the ``def`` or ``class`` of functions and classes, by qualified name without
    ``<locals>``, and the first and last line of each function, its decorators included.

    Of several of one name it is the last, which is the one that runs. Of a text that cannot be parsed, as in the middle
    of an edit, names are as they are written, not ``is_qualified``, and no extents are known.
    """

    lines: Mapping[str, int]
    extents: Mapping[str, tuple[int, int]]
    is_qualified: bool

    @classmethod
    def of(cls, text: Sequence[str]) -> "Definitions":
        """Those of a text in lines."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse("\n".join(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            written = ((line, _WRITTEN.match(each)) for line, each in enumerate(text, 1))
            return cls({match.group(1): line for line, match in written if match is not None}, {}, False)
        lines: dict[str, int] = {}
        extents: dict[str, tuple[int, int]] = {}
        waiting: list[tuple[ast.AST, str]] = [(tree, "")]
        while waiting:
            node, around = waiting.pop()
            prefix = around
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                name = around + node.name
                prefix = f"{name}."
                if node.lineno > lines.get(name, 0):
                    lines[name] = node.lineno
                    if isinstance(node, _FUNCTIONS):
                        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                        extents[name] = (first, node.end_lineno or node.lineno)
            waiting.extend((child, prefix) for child in ast.iter_child_nodes(node))
        return cls(lines, extents, True)

    def line(self, function: str) -> int | None:
        """Where a function is, as `named` finds it."""
        name = self.named(function)
        return None if name is None else self.lines[name]

    def named(self, function: str) -> str | None:
        """Which of them a function is, by its qualified name, or by its last parts where one alone ends so.

        What is in a lambda is the function around that.
        """
        name = function.replace(".<locals>", "")
        while name.endswith(".<lambda>"):
            name = name.removesuffix(".<lambda>")
        if not self.is_qualified:
            last = name.rpartition(".")[2]
            return last if last in self.lines else None
        if name in self.lines:
            return name
        ending = [known for known in self.lines if known.endswith(f".{name}")]
        return ending[0] if len(ending) == 1 else None

    def around(self, line: int) -> str | None:
        """The innermost function that a 1-based line is in."""
        inside = [(first, name) for name, (first, last) in self.extents.items() if first <= line <= last]
        return max(inside)[1] if inside else None
