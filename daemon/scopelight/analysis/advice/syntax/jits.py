"""Where functions are compiled: ``jax.jit`` as a decorator or a call, and the names that what it makes is called by."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scopelight.analysis.totals.waiting.called import last_name
from scopelight.analysis.totals.waiting.launching import as_program

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_DONATING = ("donate_argnums", "donate_argnames")


class Jit(NamedTuple):
    """One place where a function is compiled.

    ``expression`` is what names `jax.jit`: a decorator, or the call. ``names`` are those by which the compiled function
    is called, None where it is handed on in a way that the text does not show. ``definition`` is the function, where
    it is in the same file.
    """

    path: str
    expression: ast.expr
    names: frozenset[str] | None
    definition: Definition | None

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.expression.lineno

    @property
    def options(self) -> Sequence[ast.keyword]:
        """What it is told beside the function."""
        return self.expression.keywords if isinstance(self.expression, ast.Call) else ()

    @property
    def donates(self) -> bool:
        """Whether it is told which arguments it may reuse."""
        return any(each.arg in _DONATING for each in self.options)


def jits_of(function: str, trees: Iterable[tuple[str, ast.Module]]) -> Sequence[Jit]:
    """The places where a function of that name, as programs have it, is compiled."""
    return [each for path, tree in trees for each in _in_file(function, path, tree)]


def _in_file(function: str, path: str, tree: ast.Module) -> Iterator[Jit]:
    definitions = {
        node.name: node for node in ast.walk(tree) if isinstance(node, Definition) and as_program(node.name) == function
    }
    for definition in definitions.values():
        for decorator in definition.decorator_list:
            if is_jit(decorator):
                yield Jit(path, decorator, frozenset((definition.name,)), definition)
    assigned = {id(node.value): node for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _names_jit(call.func) and call.args:
            name = last_name(call.args[0])
            if name is not None and as_program(name) == function:
                statement = assigned.get(id(call))
                names = None if statement is None else _targets(statement)
                yield Jit(path, call, names, definitions.get(name))


def is_jit(decorator: ast.expr) -> bool:
    """Whether a decorator compiles: ``@jax.jit``, ``@jax.jit(...)``, ``@partial(jax.jit, ...)``."""
    if isinstance(decorator, ast.Call):
        if last_name(decorator.func) == "partial":
            return bool(decorator.args) and _names_jit(decorator.args[0])
        return _names_jit(decorator.func) and not decorator.args
    return _names_jit(decorator)


def _names_jit(node: ast.expr) -> bool:
    """``jit`` or ``jax.jit``: those of other libraries have options of their own."""
    match node:
        case ast.Name(id="jit") | ast.Attribute(value=ast.Name(id="jax"), attr="jit"):
            return True
    return False


def _targets(statement: ast.Assign) -> frozenset[str] | None:
    names = {last_name(each) for each in statement.targets}
    return None if None in names else frozenset(name for name in names if name is not None)


def position_of(definition: Definition, argument: str) -> int | None:
    """The number of an argument of a function, as ``donate_argnums`` counts; None where it has no place in a row."""
    names = [each.arg for each in (*definition.args.posonlyargs, *definition.args.args)]
    return names.index(argument) if argument in names else None
