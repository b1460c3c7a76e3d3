"""Whether a size is tied to other numbers in the sources, so that it cannot change alone.

``y.reshape(8, 125, -1)`` divides a dimension of 1000, and a layer of ``(25088, 10)`` takes one of 512 that was joined
with its neighbours. The compiler leaves nothing of a reshape that it can do without, so that only the sources tell.
What cannot be followed here counts as a tie.
"""

import ast
import itertools
import math
from collections.abc import Collection, Iterator, Sequence

import attrs

from scopelight.source.sizes.names import SizeNames, follows, terminal_name

_RESHAPE = "reshape"
_JOINS = frozenset((_RESHAPE, "ravel", "flatten", "rearrange", "unflatten", "collapse"))
"""Functions of jax, numpy and einops by the last part of their names that make one dimension of several."""

_DIVIDES = frozenset(("split", "array_split", "hsplit", "vsplit", "dsplit", "tile", "repeat", "rearrange", "unflatten"))
"""Those that divide a dimension into as many parts as a number says, or put together as many."""

_SHAPE_KEYWORDS = frozenset(("shape", "newshape", "new_sizes"))
_NO_PARTS = frozenset(("axis", "dim", "total_repeat_length"))

_OF_TEXTS = frozenset(("random", "re", "os", "shlex"))
"""Modules whose functions of these names divide keys and texts."""

_MOST_COMBINED = 8
"""Dimensions and elements of which all products are looked at."""


@attrs.frozen(slots=True)
class _Element:
    """One size that a call gives.

    ``value`` is None where the size is not known; it is ``of_array`` where it follows what the call is given, as ``-1``
    and ``x.shape[0]`` do.
    """

    node: ast.expr
    value: int | None
    of_array: bool


class SizeTies:
    """The calls in the sources of ``names`` that divide and join dimensions."""

    def __init__(self, names: SizeNames) -> None:
        self._names = names
        self._modules: dict[str, str] = {}
        self._of_shapes: set[str] = set()
        self._reshapes: list[Sequence[_Element]] = []
        self._parts: list[_Element] = []
        self._joins = False
        nodes = [node for tree in names.trees for node in ast.walk(tree)]
        for node in nodes:
            self._read_import(node)
            if isinstance(node, ast.Assign) and _is_shape(node.value):
                self._of_shapes.update(_targets(node.targets))
        for node in nodes:
            if isinstance(node, ast.Call):
                self._read_call(node)

    def has(self, size: int, holders: Collection[str], own: ast.expr, shapes: Collection[tuple[int, ...]]) -> bool:
        """Whether something else than the number that ``size`` is written as says how a dimension of it is divided.

        ``own`` is that number, ``holders`` are the names that have it or a multiple, ``shapes`` those of all arrays of
        the program.
        """
        whole = [shape for shape in shapes if size in shape]
        most = max((shape.count(size) for shape in whole), default=1)
        if any(self._divides(elements, size, holders, own, most) for elements in self._reshapes):
            return True
        if any(_is_part(each, size) and not follows(each.node, holders, own) for each in self._parts):
            return True
        joined = {product for shape in whole for product in _joined(shape, size)} if self._joins else set[int]()
        return any(
            self._names.value(each) in joined and not follows(each, holders, own)
            for display in self._names.displays
            for each in display.elts
        )

    def _divides(
        self, elements: Sequence[_Element], size: int, holders: Collection[str], own: ast.expr, most: int
    ) -> bool:
        """Whether some neighbours among ``elements`` may be what a dimension of ``size`` becomes.

        They are not where the call names the size itself as often as any array has it, and they are not just as many.
        """
        is_following = [follows(each.node, holders, own) for each in elements]
        is_named = sum(is_following) >= most
        for first, last in itertools.combinations(range(len(elements) + 1), 2):
            if any(is_following[first:last]):
                continue
            run = elements[first:last]
            product = math.prod(each.value for each in run if each.value is not None)
            unknown = [each for each in run if each.value is None]
            # What only follows the arrays keeps or joins whole dimensions.
            may_divide = product > 1 or not all(each.of_array for each in unknown)
            is_divided = may_divide and not is_named and product != 0 and size % product == 0
            if is_divided if unknown else product == size:
                return True
        return False

    def _read_import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._modules[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self._modules[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"

    def _read_call(self, call: ast.Call) -> None:
        dotted = self._dotted(call.func)
        callee = dotted[-1] if dotted else terminal_name(call.func)
        if _OF_TEXTS.intersection(dotted[:-1]):
            return
        self._joins = self._joins or callee in _JOINS
        # A method has its array in front of the dot.
        is_method = isinstance(call.func, ast.Attribute) and not self._is_of_module(call.func)
        arguments = call.args if is_method else call.args[1:]
        if callee == _RESHAPE:
            named = [each.value for each in call.keywords if each.arg in _SHAPE_KEYWORDS]
            self._reshapes.append([self._element(each) for each in _sizes([*arguments, *named])])
        elif callee in _DIVIDES:
            named = [each.value for each in call.keywords if each.arg not in _NO_PARTS]
            self._parts.extend(
                self._element(each)
                for each in _sizes([*arguments[:1], *named])
                if not (isinstance(each, ast.Constant) and isinstance(each.value, str))
            )

    def _element(self, node: ast.expr) -> _Element:
        value = self._names.value(node)
        return _Element(node, value, value is None and self._is_of_array(node))

    def _is_of_array(self, node: ast.expr) -> bool:
        """Whether a size follows the arrays: ``-1``, ``x.shape[0]``, ``*x.shape[:2]``, and a name for such a one."""
        match node:
            case ast.UnaryOp(op=ast.USub()):
                return True
            case ast.Starred(value=value):
                return self._is_of_array(value)
            case ast.BinOp(op=ast.FloorDiv() | ast.Mult(), left=left, right=right) if self._is_of_array(
                left
            ) or self._is_of_array(right):
                self._parts.extend(self._element(each) for each in (left, right))
                return True
            case ast.Name(id=name):
                return name in self._of_shapes
            case _:
                return _is_shape(node)

    def _is_of_module(self, function: ast.Attribute) -> bool:
        node: ast.expr = function
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._modules

    def _dotted(self, function: ast.expr) -> list[str]:
        """The parts of a function's name, with what the first was imported as."""
        parts: list[str] = []
        node = function
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            parts.extend(reversed(self._modules.get(node.id, node.id).split(".")))
        return parts[::-1]


def _sizes(arguments: Sequence[ast.expr]) -> Sequence[ast.expr]:
    """The sizes in the arguments of a call: each, or those of the tuple that has them."""
    for each in arguments:
        if isinstance(each, (ast.Tuple, ast.List)):
            return each.elts
    return arguments


def _is_part(element: _Element, size: int) -> bool:
    """Whether a dimension of ``size`` may be made of so many parts."""
    if element.value is None:
        return not element.of_array
    return element.value > 1 and size % element.value == 0


def _joined(shape: tuple[int, ...], size: int) -> Iterator[int]:
    """Sizes of a dimension of ``size`` together with others of ``shape``."""
    others = [*shape]
    others.remove(size)
    others = [each for each in others if each > 1]
    for number in range(1, min(len(others), _MOST_COMBINED) + 1):
        yield from (size * math.prod(each) for each in itertools.combinations(others[:_MOST_COMBINED], number))


def _is_shape(node: ast.expr) -> bool:
    """``x.shape``, ``x.shape[0]``, ``x.shape[:2]``."""
    if isinstance(node, ast.Subscript):
        node = node.value
    return terminal_name(node) == "shape"


def _targets(targets: Sequence[ast.expr]) -> Iterator[str]:
    for target in targets:
        for each in target.elts if isinstance(target, (ast.Tuple, ast.List)) else (target,):
            name = terminal_name(each.value if isinstance(each, ast.Starred) else each)
            if name is not None:
                yield name
