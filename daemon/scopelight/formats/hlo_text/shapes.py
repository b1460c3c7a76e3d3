"""Shapes in the text of a program: ``f32[8,128]{1,0:T(8,128)S(1)}``, ``(f32[], s32[<=4]{0})``, ``token[]``."""

import re
from typing import Final

from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo.primitive_types import PRIMITIVE_TYPES
from scopelight.formats.hlo_text.cursor import TextCursor

DEEPEST_TUPLE: Final = 64
"""Tuples nested deeper than this no compiled program has."""

_NO_ARRAYS: Final = frozenset(("token", "opaque"))
_NUMBERS: Final = {name: number for number, name in enumerate(PRIMITIVE_TYPES)}
_ARRAY: Final = re.compile(r"([a-z][a-z0-9]*)\[([^\[\]{}()]*)\](\{(?:[^{}]|\{[^{}]*\})*+\})?")
_DIMENSION: Final = re.compile(r"\s*(<=)?\s*(\d{1,19})\s*")
_ORDER: Final = re.compile(r"\{([\d,\s]*+)(?::(.*))?\}", re.DOTALL)
_LAYOUT_PART: Final = re.compile(r"\s*([A-Z]+|[#*])")
_LAYOUT_VALUE: Final = re.compile(r"\(([^()]*)\)")
_EXTENT: Final = re.compile(r"\s*(?:(\d{1,18})|\*)\s*")
_INTEGER: Final = re.compile(r"\d{1,18}")
_COMBINED: Final = -(2**63)


class ShapeReader:
    """Reads shapes; each array that differs is read once."""

    def __init__(self, cursor: TextCursor) -> None:
        self._cursor = cursor
        self._known: dict[str, hlo_pb2.ShapeProto] = {}

    def take(self) -> hlo_pb2.ShapeProto:
        """The shape that stands here, passed."""
        cursor = self._cursor
        if not cursor.text.startswith(("(", "b("), cursor.position):
            return self._take_array()
        outermost = hlo_pb2.ShapeProto()
        open_shapes = [outermost]
        # One shape is read in each turn, and what closes after it; `outermost` holds the one that was asked for.
        while True:
            cursor.skip_space()
            if cursor.follows("(") or cursor.follows("b("):
                if len(open_shapes) > DEEPEST_TUPLE:
                    cursor.fail("a shape nests tuples deeper than {depth}", depth=DEEPEST_TUPLE)
                is_buffer = cursor.text.startswith("b(", cursor.position - 2)
                shape = open_shapes[-1].tuple_shapes.add()
                shape.element_type = _NUMBERS["buffer" if is_buffer else "tuple"]
                open_shapes.append(shape)
                cursor.skip_space()
                if not cursor.text.startswith(")", cursor.position):
                    continue
            else:
                open_shapes[-1].tuple_shapes.add().CopyFrom(self._take_array())
            cursor.skip_space()
            while cursor.follows(")"):
                open_shapes.pop()
                if len(open_shapes) == 1:
                    return outermost.tuple_shapes[0]
                cursor.skip_space()
            if not cursor.follows(","):
                cursor.fail_expecting("a comma or the end of a tuple")

    def _take_array(self) -> hlo_pb2.ShapeProto:
        cursor = self._cursor
        start = cursor.position
        found = cursor.take(_ARRAY)
        if found is None:
            cursor.fail_expecting("a shape")
        shape = self._known.get(found.group())
        if shape is None:
            shape = self._known[found.group()] = self._array(found[1], found[2], found[3], start)
        return shape

    def _array(self, element_type: str, dimensions: str, layout: str | None, start: int) -> hlo_pb2.ShapeProto:
        number = _NUMBERS.get(element_type)
        if number is None:
            self._cursor.fail("there is no element type {name!r}", start, name=element_type)
        shape = hlo_pb2.ShapeProto(element_type=number)
        for part in dimensions.split(",") if dimensions.strip() else ():
            found = _DIMENSION.fullmatch(part)
            if found is None or int(found[2]) >= 2**63:
                self._cursor.fail("{part!r} is not the size of a dimension", start, part=part.strip())
            shape.dimensions.append(int(found[2]))
            shape.is_dynamic_dimension.append(found[1] is not None)
        if layout is not None:
            self._layout(shape.layout, layout, start)
        elif not shape.dimensions and element_type not in _NO_ARRAYS:
            # Of a scalar there is nothing to write where it is neither tiled nor somewhere else.
            shape.layout.SetInParent()
        return shape

    def _layout(self, layout: hlo_pb2.LayoutProto, text: str, start: int) -> None:
        layout.SetInParent()
        found = _ORDER.fullmatch(text)
        if found is None:
            self._cursor.fail("{text!r} is not a layout", start, text=text[:40])
        layout.minor_to_major.extend(map(int, _INTEGER.findall(found[1])))
        properties = found[2] or ""
        position = 0
        while (name := _LAYOUT_PART.match(properties, position)) is not None:
            position = name.end()
            # Tiles follow each other without repeating their letter; what is not read has one value of its own.
            while (value := _LAYOUT_VALUE.match(properties, position)) is not None:
                position = value.end()
                if name[1] == "T":
                    layout.tiles.add().dimensions.extend(self._tile(value[1], start))
                elif (first := _INTEGER.search(value[1])) is not None:
                    _set_property(layout, name[1], int(first[0]))

    def _tile(self, text: str, start: int) -> list[int]:
        extents = [_EXTENT.fullmatch(part) for part in text.split(",")] if text.strip() else []
        if None in extents:
            self._cursor.fail("{text!r} is not a tile", start, text=text[:40])
        return [_COMBINED if found[1] is None else int(found[1]) for found in extents if found is not None]


def _set_property(layout: hlo_pb2.LayoutProto, name: str, value: int) -> None:
    if name == "S":
        layout.memory_space = value
    elif name == "E":
        layout.element_size_in_bits = value
    elif name == "L":
        layout.tail_padding_alignment_in_elements = value
