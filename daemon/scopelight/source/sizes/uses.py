"""Whether a name that holds a size is used for nothing else, so that what it is for changes and nothing beside it.

Names are one in all files and scopes, as in `size_names`. A size makes shapes, bounds slices, is written out, or scales
values by its root or its inverse. It may be handed on: assigned, passed to a function of the sources, or multiplied, in
which case a multiple of a size that fits does fit as well. Then the names that get it must be sizes alone too. All
else (a loop's length, a comparison, an index, a call of something unknown) may be for another purpose.
"""

import ast
from collections import defaultdict
from collections.abc import Collection

from scopelight.source.sizes.names import SizeNames, terminal_name

_TAKE_SIZES = frozenset(
    (
        *("zeros", "ones", "empty", "full", "eye", "identity", "arange", "linspace", "iota", "broadcasted_iota"),
        *("normal", "uniform", "truncated_normal", "randint", "rand", "randn", "one_hot"),
        *("reshape", "broadcast_to", "Dense", "DenseGeneral", "Embed", "Embedding", "Linear", "Conv"),
        *("sqrt", "rsqrt", "log", "print", "str", "repr"),
    )
)
"""Functions of jax, numpy and their libraries by the last part of their names, to which a number is a size or scale."""

_NAME_SIZES = frozenset(
    ("shape", "size", "features", "in_features", "out_features", "num_embeddings", "num_classes", "maxval", "high")
)
"""What they call a size when it is passed by name."""


class SizeUses:
    """The uses of all names in the sources of ``names``."""

    def __init__(self, names: SizeNames) -> None:
        self._functions = names.functions
        self._parents: dict[ast.AST, ast.AST] = {}
        self._uses: dict[str, list[ast.expr]] = defaultdict(list)
        for tree in names.trees:
            for parent in ast.walk(tree):
                for child in ast.iter_child_nodes(parent):
                    self._parents[child] = parent
                    name = terminal_name(child)
                    if isinstance(child, (ast.Name, ast.Attribute)) and isinstance(child.ctx, ast.Load) and name:
                        self._uses[name].append(child)

    def holders(self, name: str) -> Collection[str] | None:
        """A name and those that its value, or a multiple of it, is handed to; None where one is not a size alone."""
        holders = {name}
        pending = [name]
        while pending:
            for use in self._uses.get(pending.pop(), ()):
                handed = self._handed(use)
                if handed is None:
                    return None
                pending.extend(each for each in handed if each not in holders)
                holders.update(handed)
        return holders

    def _handed(self, use: ast.expr) -> Collection[str] | None:
        """The names that a use hands the value to; None where it may be for more than a size."""
        node, parent = use, self._parents[use]
        while isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult):
            node, parent = parent, self._parents[parent]
        handed: Collection[str] | None = None
        match parent:
            case ast.BinOp(op=ast.Div()) | ast.Slice() | ast.FormattedValue():
                handed = ()
            case ast.BinOp(op=ast.Pow(), left=base) if base is node:
                handed = ()
            case ast.Tuple() | ast.List():
                handed = self._handed_by_display(parent, node)
            case ast.Assign(targets=targets):
                handed = _names(targets)
            case ast.AnnAssign(target=target):
                handed = _names([target])
            case ast.Call(func=function, args=arguments) if function is not node:
                handed = self._handed_to_call(terminal_name(function), arguments.index(node))
            case ast.keyword(arg=str() as name):
                handed = self._handed_by_keyword(parent, name)
            case ast.arguments():
                handed = (_parameter(parent, node),)
        return handed

    def _handed_by_display(self, display: ast.Tuple | ast.List, element: ast.expr) -> Collection[str] | None:
        match self._parents[display]:
            case ast.Assign(targets=[ast.Tuple(elts=targets) | ast.List(elts=targets)]):
                if len(targets) != len(display.elts):
                    return None
                return _names([targets[display.elts.index(element)]])
            case ast.For() | ast.AsyncFor() | ast.comprehension() | ast.Subscript() | ast.Starred():
                return None
            case _:
                return ()

    def _handed_to_call(self, callee: str | None, place: int) -> Collection[str] | None:
        signatures = self._functions.get(callee or "")
        if not signatures:
            return () if callee in _TAKE_SIZES else None
        handed = []
        for parameters, has_object in signatures:
            names = parameters[1:] if has_object else parameters
            if place < len(names):
                handed.append(names[place])
        return handed or None

    def _handed_by_keyword(self, keyword: ast.keyword, name: str) -> Collection[str] | None:
        call = self._parents[keyword]
        callee = terminal_name(call.func) if isinstance(call, ast.Call) else None
        if callee in self._functions or terminal_name(keyword.value) == name:
            return (name,)
        return () if name in _NAME_SIZES else None


def _names(targets: Collection[ast.expr]) -> Collection[str] | None:
    names = [terminal_name(each) for each in targets]
    known = [each for each in names if each is not None]
    return known if len(known) == len(names) else None


def _parameter(arguments: ast.arguments, default: ast.expr) -> str:
    """The parameter that a default is of."""
    if default in arguments.kw_defaults:
        return arguments.kwonlyargs[arguments.kw_defaults.index(default)].arg
    positional = [*arguments.posonlyargs, *arguments.args]
    return positional[len(positional) - len(arguments.defaults) + arguments.defaults.index(default)].arg
