"""Which number in the sources is provably the size of a dimension, so that to change it changes that dimension."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from scopelight.source.sizes.names import Number, SizeNames, follows, terminal_name
from scopelight.source.sizes.ties import SizeTies
from scopelight.source.sizes.uses import SizeUses

if TYPE_CHECKING:
    from scopelight.analysis.padding.array_shapes import ArrayShapes

LEAST_RANK = 2
"""A display of a single number proves nothing: it may be anything else of that value."""

_NO_SIZES = (
    *(ast.Tuple, ast.List, ast.Set, ast.Dict, ast.JoinedStr, ast.Lambda, ast.Compare, ast.BoolOp),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Starred),
)
"""What holds one of these is no shape, or not one that can be followed."""

Shapes = Collection[tuple[int, ...]]


@attrs.frozen(slots=True)
class SizeLiteral:
    """A number in ``file``: its 1-based line, and the characters ``start`` to ``end`` of it.

    ``name`` is what it is written for; None where it stands in a shape itself.
    """

    file: str
    line: int
    start: int
    end: int
    text: str
    name: str | None

    def written(self, size: int) -> str:
        """``size`` as this number is written, with underscores where it has some."""
        return f"{size:_}" if "_" in self.text else str(size)


@attrs.frozen(slots=True, eq=False)
class _Display:
    """A tuple or list that may be a shape, and the numbers that its elements are certain to be."""

    elements: Sequence[ast.expr]
    values: tuple[int | None, ...]


class SizeLiterals:
    """The numbers of the user's files that are sizes."""

    def __init__(self, sources: Mapping[str, Sequence[str]]) -> None:
        self._sources = sources
        self._names: SizeNames | None = None
        self._displays: Sequence[_Display] = ()
        try:
            names = SizeNames(sources)
            self._displays = [*_displays(names)]
            self._uses = SizeUses(names)
            self._ties = SizeTies(names)
            self._names = names
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # In the middle of typing nothing is certain.
            return

    def written_once(self, size: int, known: "ArrayShapes") -> SizeLiteral | None:
        """The number ``size`` that is written once in all, makes a shape, is nothing but a size, and can change alone.

        ``known`` are the arrays of the program, which may be of earlier sources.
        """
        number = self._number(size)
        if number is None or not any(_holds(display, number) for display in self._displays):
            return None
        if self._ties.has(size, self._holders(number), number.node, known.shapes):
            return None
        return _literal(number, self._sources[number.file])

    def of_dimension(self, size: int, known: "ArrayShapes") -> SizeLiteral | None:
        """The number that every dimension of ``size`` has its size from; None where that is not certain.

        It is `written_once`, makes a shape that an array of the program has, and all arrays that the program is given
        are of shapes that it makes, as far as they have the size. Nothing else in the sources may be such a shape, or
        say how such a dimension is divided or joined. ``known`` are the arrays of the program when the sources were as
        they are here.
        """
        if size in known.ambiguous:
            return None
        number = self._number(size)
        if number is None or not self._makes_all(number, known):
            return None
        return _literal(number, self._sources[number.file])

    def _number(self, size: int) -> Number | None:
        if self._names is None:
            return None
        numbers = [each for each in self._names.numbers if each.value == size]
        if len(numbers) != 1:
            return None
        (number,) = numbers
        if number.name is not None and (
            self._names.constant(number.name) != size or self._uses.holders(number.name) is None
        ):
            return None
        return number

    def _holders(self, number: Number) -> Collection[str]:
        """The names that hold the number or a multiple."""
        return (self._uses.holders(number.name) if number.name is not None else None) or ()

    def _makes_all(self, number: Number, known: "ArrayShapes") -> bool:
        shapes = [shape for shape in known.shapes if number.value in shape]
        holders = self._holders(number)
        if any(_is_another(display, number, holders, shapes) for display in self._displays):
            return False
        if self._ties.has(number.value, holders, number.node, known.shapes):
            return False
        own = {
            tuple(value for value in display.values if value is not None)
            for display in self._displays
            if _holds(display, number) and None not in display.values
        }
        return not own.isdisjoint(shapes) and all(_ends_with_one(shape, number.value, own) for shape in known.given)


def _displays(names: SizeNames) -> Iterator[_Display]:
    for display in names.displays:
        elements = display.elts
        if len(elements) < LEAST_RANK or any(
            isinstance(each, _NO_SIZES) or (isinstance(each, ast.Constant) and type(each.value) is not int)
            for each in elements
        ):
            continue
        yield _Display(elements, tuple(names.value(each) for each in elements))


def _holds(display: _Display, number: Number) -> bool:
    return any(_is_the_number(each, number) for each in display.elements)


def _is_another(display: _Display, number: Number, holders: Collection[str], shapes: Shapes) -> bool:
    """Whether a display may be one of ``shapes`` with the size from elsewhere: computed, or not known at all.

    ``holders`` are the names that hold the number or a multiple.
    """
    if all(value is None for value in display.values):
        # Most of them are no shapes; a parameter that only such a one made is found to be made by none.
        return False
    elsewhere = [
        not _is_the_number(element, number) and not _is_of_an_array(element) and not follows(element, holders)
        for element in display.elements
    ]
    return any(
        len(shape) == len(display.values)
        and all(value in (None, size) for value, size in zip(display.values, shape, strict=True))
        and any(size == number.value and other for size, other in zip(shape, elsewhere, strict=True))
        for shape in shapes
    )


def _ends_with_one(shape: tuple[int, ...], size: int, made: Shapes) -> bool:
    """Whether an array of ``shape`` has the size only where it is ``made``; what is stacked has more in front."""
    if size not in shape:
        return True
    return any(shape[-len(each) :] == each and size not in shape[: -len(each)] for each in made)


def _is_the_number(node: ast.expr, number: Number) -> bool:
    if number.name is None:
        return node is number.node
    return terminal_name(node) == number.name


def _is_of_an_array(node: ast.expr) -> bool:
    """``x.shape[0]``, and the ``-1`` that stands for what is left: it follows the arrays."""
    if isinstance(node, ast.UnaryOp):
        return True
    return isinstance(node, ast.Subscript) and terminal_name(node.value) == "shape"


def _literal(number: Number, lines: Sequence[str]) -> SizeLiteral | None:
    node = number.node
    if node.end_lineno != node.lineno or node.end_col_offset is None:
        return None
    line = lines[node.lineno - 1]
    # The parser counts bytes.
    encoded = line.encode()
    start = len(encoded[: node.col_offset].decode())
    end = len(encoded[: node.end_col_offset].decode())
    text = line[start:end]
    return SizeLiteral(number.file, node.lineno, start, end, text, number.name) if text[:1].isdigit() else None
