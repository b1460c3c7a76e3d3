"""Functions of a text: which functions a line belongs to, named as Python names them in its frames."""

import ast
import warnings
from collections.abc import Iterator, Sequence

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_EXPRESSIONS = {
    ast.Lambda: "<lambda>",
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


class Functions:
    """The functions of one text.

    A line of a function's body belongs to this function alone; its header, with decorators, also to what is around
    it; so do lines of lambdas and comprehensions, as some versions of Python run these inside the function.
    """

    def __init__(self, tree: ast.Module, lines: int) -> None:
        self._names: list[frozenset[str]] = [frozenset(("<module>",))] * lines
        # Parents come before what is in them, so that the innermost names remain.
        waiting: list[tuple[ast.AST, str]] = [(tree, "")]
        while waiting:
            node, prefix = waiting.pop()
            waiting.extend(self._name(node, prefix))

    @classmethod
    def of(cls, lines: Sequence[str]) -> "Functions | None":
        """The functions of a text; None where it cannot be parsed, as in the middle of an edit."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return cls(ast.parse("\n".join(lines)), len(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def enclose(self, line: int, function: str) -> bool:
        """Whether ``function`` can have been at the 1-based ``line``.

        ``function`` is a qualified name (``Model.loss``, ``main.<locals>.step``) or, from Pythons before 3.11,
        a bare one. An unknown one, empty, can be anywhere.
        """
        if not 1 <= line <= len(self._names):
            return False
        if function.startswith("<cell line"):
            function = "<module>"
        return not function or function in self._names[line - 1]

    def _name(self, node: ast.AST, prefix: str) -> Iterator[tuple[ast.AST, str]]:
        """Give the lines of a node their names; what is inside it, with the prefix of its names."""
        inside = prefix
        own: frozenset[str] = frozenset()
        body: set[int] = set()
        if isinstance(node, _DEFINITIONS):
            own = frozenset((node.name, prefix + node.name))
            inside = f"{prefix}{node.name}." + ("" if isinstance(node, ast.ClassDef) else "<locals>.")
            body = {id(each) for each in node.body}
            start = _first_line(node)
            body_start = max(_first_line(node.body[0]), node.lineno)
            self._add(start, max(body_start - 1, node.lineno), own)
            self._set(max(body_start, node.lineno + 1), node.end_lineno or node.lineno, own)
        elif type(node) in _EXPRESSIONS and isinstance(node, ast.expr):
            name = _EXPRESSIONS[type(node)]
            inside = f"{prefix}{name}.<locals>."
            self._add(node.lineno, node.end_lineno or node.lineno, frozenset((name, prefix + name)))
        for child in ast.iter_child_nodes(node):
            yield child, inside if not own or id(child) in body else prefix

    def _add(self, first: int, last: int, names: frozenset[str]) -> None:
        self._names[first - 1 : last] = [known | names for known in self._names[first - 1 : last]]

    def _set(self, first: int, last: int, names: frozenset[str]) -> None:
        if last >= first:
            self._names[first - 1 : last] = [names] * len(self._names[first - 1 : last])


def _first_line(statement: ast.stmt) -> int:
    decorators = statement.decorator_list if isinstance(statement, _DEFINITIONS) else ()
    return min([statement.lineno, *(each.lineno for each in decorators)])
