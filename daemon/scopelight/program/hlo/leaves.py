"""The arrays of shapes in order, and the paths through nested tuples to them; each shape is looked at once."""

from collections.abc import Sequence

from scopelight.program.hlo.nouns import Shape


class ShapeLeaves:
    """Looks shapes up by identity, which is quick: a module has one object for each, and keeps them all."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[Shape, int]] = {}
        self._starts: dict[int, Sequence[int]] = {}
        self._paths: dict[int, Sequence[tuple[int, ...]]] = {}

    def count(self, shape: Shape) -> int:
        """Arrays in a shape: 1, or those of a tuple, none in an empty one."""
        known = self._counts.get(id(shape))
        if known is None:
            if shape.tuple_shapes:
                count = sum(map(self.count, shape.tuple_shapes))
            else:
                count = 0 if shape.element_type == "tuple" else 1
            # The shape is kept, so that no identity is used twice.
            known = self._counts[id(shape)] = (shape, count)
        return known[1]

    def starts(self, shape: Shape) -> Sequence[int]:
        """Of a tuple, the number of arrays before each of its parts, and of all of them."""
        known = self._starts.get(id(shape))
        if known is None:
            starts = [0]
            for each in shape.tuple_shapes:
                starts.append(starts[-1] + self.count(each))
            self.count(shape)
            known = self._starts[id(shape)] = starts
        return known

    def leaf_at(self, shape: Shape, path: Sequence[int]) -> int | None:
        """The number of the array at a path; None where a tuple, or nothing, is there."""
        leaf = 0
        for index in path:
            if not 0 <= index < len(shape.tuple_shapes):
                return None
            leaf += self.starts(shape)[index]
            shape = shape.tuple_shapes[index]
        return leaf if not shape.tuple_shapes and shape.element_type != "tuple" else None

    def paths(self, shape: Shape) -> Sequence[tuple[int, ...]]:
        """The path to every array of a shape, in order."""
        known = self._paths.get(id(shape))
        if known is None:
            if shape.tuple_shapes:
                known = [(index, *rest) for index, each in enumerate(shape.tuple_shapes) for rest in self.paths(each)]
            else:
                known = [()] * self.count(shape)
            self.count(shape)
            self._paths[id(shape)] = known
        return known
