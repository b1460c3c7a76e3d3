"""Names in Python sources that are provably one whole number wherever they are used.

A name is taken to be the same in all files and scopes: a variable, an attribute, a parameter and a keyword argument
called ``hidden`` count as one. It is a constant where one number is written for it, once, and everything else that
it is bound to is itself (``self.hidden = hidden``, ``f(hidden=config.hidden)``, ``from sizes import hidden``). What
cannot be followed (a positional argument of another name, ``setattr``, an option of the command line) makes it none.
"""

import ast
import operator
from collections.abc import Callable, Collection, Mapping, Sequence

import attrs

MOST_FILE_LINES = 20_000

_OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


@attrs.frozen(slots=True, eq=False)
class Number:
    """A whole number as it is written in ``file``."""

    file: str
    node: ast.Constant
    value: int
    name: str | None
    """What it is written for; None where it is not the whole value of a name."""


@attrs.frozen(slots=True, eq=False)
class Binding:
    """Something that a name is bound to; ``value`` is None where that cannot be followed."""

    value: ast.expr | None
    is_same: bool = False
    """Whether it is bound to what it is anyway."""


class SizeNames:
    """The numbers and names of several files. Raises `SyntaxError` or `ValueError` where one cannot be parsed."""

    def __init__(self, sources: Mapping[str, Sequence[str]]) -> None:
        self._bindings: dict[str, list[Binding]] = {}
        self.functions: dict[str, list[tuple[tuple[str, ...], bool]]] = {}
        """Positional parameters of each function by its name, and whether the first is the object."""
        self._calls: list[tuple[str, ast.Call]] = []
        self._called: set[int] = set()
        self._loaded: set[str] = set()
        self._texts: set[str] = set()
        self._has_star_import = False
        self.numbers: list[Number] = []
        self.displays: list[ast.Tuple | ast.List] = []
        trees = {file: _parse(lines) for file, lines in sources.items()}
        self.trees: Sequence[ast.Module] = tuple(trees.values())
        for tree in self.trees:
            # A call comes before what it calls.
            for node in ast.walk(tree):
                self._read_binding(node)
                self._read_definition(node)
                self._read_use(node)
        for callee, call in self._calls:
            self._bind_positional(callee, call)
        written = {
            id(binding.value): name
            for name, bindings in self._bindings.items()
            for binding in bindings
            if isinstance(binding.value, ast.Constant)
        }
        for file, tree in trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and type(node.value) is int:
                    self.numbers.append(Number(file, node, node.value, written.get(id(node))))

    def constant(self, name: str) -> int | None:
        """The number that a name always is; None where that is not certain."""
        bindings = self._bindings.get(name, [])
        values = [each.value for each in bindings if not each.is_same]
        if len(values) != 1 or not isinstance(values[0], ast.Constant) or type(values[0].value) is not int:
            return None
        if self._has_star_import or {name, name.replace("_", "-")} & self._texts or name in self.functions:
            return None
        # A function that is passed on may be called with anything.
        has_unseen_calls = any(
            name in parameters and function in self._loaded
            for function, signatures in self.functions.items()
            for parameters, _ in signatures
        )
        return None if has_unseen_calls else values[0].value

    def value(self, node: ast.expr) -> int | None:
        """The number that an expression of numbers and constant names is; None where that is not certain."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        name = terminal_name(node)
        if name is not None:
            return self.constant(name)
        operate = _OPERATIONS.get(type(node.op)) if isinstance(node, ast.BinOp) else None
        if not isinstance(node, ast.BinOp) or operate is None:
            return None
        left, right = self.value(node.left), self.value(node.right)
        return None if left is None or right is None else operate(left, right)

    def _read_binding(self, node: ast.AST) -> None:
        """What binds a name by a statement or expression."""
        match node:
            case ast.Assign():
                for target in node.targets:
                    self._assign(target, node.value)
            case ast.AnnAssign(value=ast.expr() as value) | ast.NamedExpr(value=value):
                self._assign(node.target, value)
            case ast.AugAssign() | ast.For() | ast.AsyncFor() | ast.comprehension():
                self._assign(node.target, None)
            case ast.withitem(optional_vars=ast.expr() as target):
                self._assign(target, None)
            case ast.Delete():
                for target in node.targets:
                    self._assign(target, None)
            case ast.keyword(arg=str() as name):
                self._bind(name, node.value)
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                self._bind(name, None)
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                self._bind(name, None)

    def _read_definition(self, node: ast.AST) -> None:
        """What binds a name by defining or importing something."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._read_function(node)
            case ast.ClassDef():
                self._read_class(node)
            case ast.ImportFrom():
                for alias in node.names:
                    self._has_star_import = self._has_star_import or alias.name == "*"
                    is_same = alias.asname in (None, alias.name)
                    self._bindings.setdefault(alias.asname or alias.name, []).append(Binding(None, is_same))
            case ast.Import():
                for alias in node.names:
                    self._bind((alias.asname or alias.name).partition(".")[0], None)

    def _read_use(self, node: ast.AST) -> None:
        """What uses names, calls and shapes."""
        match node:
            case ast.Call():
                self._called.add(id(node.func))
                callee = terminal_name(node.func)
                if callee is not None:
                    self._calls.append((callee, node))
            case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
                self.displays.append(node)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                if id(node) not in self._called:
                    self._loaded.add(terminal_name(node) or "")
            case ast.Constant(value=str() as text):
                self._texts.add(text.lstrip("-"))

    def _read_class(self, node: ast.ClassDef) -> None:
        self._bind(node.name, None)
        fields = [
            each.target.id
            for each in node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
        self.functions.setdefault(node.name, []).append((tuple(fields), False))
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                self.functions[node.name].append((_positional(each.args), True))

    def _read_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        arguments = node.args
        parameters = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(parameters) - len(arguments.defaults))
        defaults.extend(arguments.defaults)
        for parameter, default in zip(
            (*parameters, *arguments.kwonlyargs), (*defaults, *arguments.kw_defaults), strict=True
        ):
            if default is not None:
                self._bind(parameter.arg, default)
            elif isinstance(node, ast.Lambda):
                self._bind(parameter.arg, None)
            else:
                self._bindings.setdefault(parameter.arg, []).append(Binding(None, is_same=True))
        for rest in (arguments.vararg, arguments.kwarg):
            if rest is not None:
                self._bind(rest.arg, None)
        if not isinstance(node, ast.Lambda):
            self._bind(node.name, None)
            names = _positional(arguments)
            self.functions.setdefault(node.name, []).append((names, names[:1] in (("self",), ("cls",))))

    def _bind_positional(self, callee: str, call: ast.Call) -> None:
        """The arguments of a call without a name go to the parameters in their order."""
        for parameters, has_object in self.functions.get(callee, ()):
            names = parameters[1:] if has_object else parameters
            if any(each.arg is None for each in call.keywords) or any(
                isinstance(each, ast.Starred) for each in call.args
            ):
                for name in names:
                    self._bind(name, None)
                continue
            for name, argument in zip(names, call.args, strict=False):
                self._bind(name, argument)

    def _assign(self, target: ast.expr, value: ast.expr | None) -> None:
        name = terminal_name(target)
        if name is not None:
            self._bind(name, value)
        elif isinstance(target, ast.Starred):
            self._assign(target.value, None)
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else None
            fits = parts is not None and len(parts) == len(target.elts)
            fits = fits and not any(isinstance(each, ast.Starred) for each in (*target.elts, *(parts or ())))
            for index, each in enumerate(target.elts):
                self._assign(each, parts[index] if fits and parts is not None else None)

    def _bind(self, name: str, value: ast.expr | None) -> None:
        is_same = value is not None and terminal_name(value) == name
        self._bindings.setdefault(name, []).append(Binding(value, is_same))


def terminal_name(node: ast.AST) -> str | None:
    """``hidden`` of ``hidden`` and of ``config.hidden``."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def follows(node: ast.expr, holders: Collection[str], own: ast.expr | None = None) -> bool:
    """Whether an expression contains the expression ``own``, or a name of ``holders``."""
    return any(each is own or terminal_name(each) in holders for each in ast.walk(node))


def _positional(arguments: ast.arguments) -> tuple[str, ...]:
    return tuple(each.arg for each in (*arguments.posonlyargs, *arguments.args))


def _parse(lines: Sequence[str]) -> ast.Module:
    if len(lines) > MOST_FILE_LINES:
        raise ValueError("it is too long to be looked through while one waits")
    return ast.parse("\n".join(lines))
