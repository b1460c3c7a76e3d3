"""What a person calls a piece of the script: the function that a frame is of, a lambda, or a statement of a loop."""

import ast
import functools
from collections.abc import Callable, Collection, Iterator
from typing import Final, NamedTuple

import attrs

from scopelight.analysis.totals.waiting.called import CLOCKS, part_of
from scopelight.analysis.totals.waiting.data_flow import (
    does_by_itself,
    function_at,
    lines_of,
    owner_of,
    parsed,
    read_by,
    written_by,
)
from scopelight.program.hlo.frames import Frame

_LONGEST: Final = 60
_LAMBDA: Final = "<lambda>"


class Statement(NamedTuple):
    """A statement by its first line, and its text in one line."""

    line: int
    text: str


@attrs.define(eq=False)
class SourceNames:
    """Looks into the script, by ``text`` of the lines of its files with their indentation."""

    text: Callable[[str, int], str | None]
    _trees: dict[str, ast.Module | None] = attrs.field(factory=dict)

    def owner(self, frame: Frame) -> str:
        """The function of a frame; of a comprehension, which may have a frame of its own, the one that it stands in."""
        return owner_of(self._tree(frame.path), frame)

    def function(self, frame: Frame, function: str) -> str:
        """The name of a function; of a lambda what it is assigned to, or its text."""
        tree = self._tree(frame.path)
        if not function.endswith(_LAMBDA) or tree is None:
            return function
        found = next(((node, name) for node, name in _lambdas(tree) if _is_on(node, frame.line)), None)
        if found is None:
            return function
        node, name = found
        return _shortened(ast.unparse(node)) if name is None else name

    def statement(self, frame: Frame) -> Statement:
        """The statement of a line: of several the one whose value others use, else one that keeps its value, else the
        last that calls something."""
        nodes = self._statements(frame)
        if not nodes:
            line = (self.text(frame.path, frame.line) or "").strip()
            return Statement(frame.line, _shortened(line) or frame.function)
        chosen = max(enumerate(nodes), key=lambda each: (self._makes(each[1], frame), each[0]))[1]
        return Statement(chosen.lineno, _shortened(_text_of(chosen)))

    def _makes(self, node: ast.stmt, frame: Frame) -> tuple[bool, bool, bool]:
        """Whether other lines use what a statement makes, whether it keeps that, and whether it calls anything."""
        calls = bool(self._calls_of(node) - CLOCKS)
        kept = written_by(node) if calls else set[str]()
        return bool(kept & self._used(frame)), bool(kept), calls

    def _used(self, frame: Frame) -> frozenset[str]:
        """The names that other lines of the function of a frame read."""
        tree = self._tree(frame.path)
        function = None if tree is None else function_at(tree, frame.line)
        statements = ast.walk(function or tree) if tree is not None else ()
        others = (each for each in statements if isinstance(each, ast.stmt) and frame.line not in lines_of(each))
        return frozenset[str]().union(*map(read_by, others))

    def calls(self, frame: Frame) -> Collection[str]:
        """The names of the functions that a line calls."""
        return frozenset[str]().union(*map(self._calls_of, self._statements(frame)))

    @staticmethod
    def _calls_of(node: ast.stmt) -> frozenset[str]:
        return part_of(does_by_itself(node), feeds=True).calls

    def _statements(self, frame: Frame) -> list[ast.stmt]:
        tree = self._tree(frame.path)
        statements = [] if tree is None else [each for each in ast.walk(tree) if isinstance(each, ast.stmt)]
        return [node for node in statements if does_by_itself(node) and frame.line in lines_of(node)]

    def _tree(self, path: str) -> ast.Module | None:
        if path not in self._trees:
            self._trees[path] = parsed(functools.partial(self.text, path))
        return self._trees[path]


def _text_of(node: ast.stmt) -> str:
    """A statement in one line, or the head of one that holds others."""
    own = [ast.unparse(each) for each in does_by_itself(node)]
    match node:
        case ast.For() | ast.AsyncFor():
            return f"for {own[0]} in {own[1]}"
        case ast.While():
            return f"while {own[0]}"
        case ast.If():
            return f"if {own[0]}"
        case ast.With() | ast.AsyncWith():
            return f"with {', '.join(own)}"
        case ast.Match():
            return f"match {own[0]}"
    return own[0]


def _lambdas(tree: ast.AST) -> Iterator[tuple[ast.Lambda, str | None]]:
    """The lambdas of a file, and what each is assigned to."""
    assigned: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Lambda):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            assigned[id(node.value)] = ast.unparse(target)
        elif isinstance(node, ast.Lambda):
            yield node, assigned.get(id(node))


def _is_on(node: ast.Lambda, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
