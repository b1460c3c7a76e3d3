"""The tree of scopes of a program: groups, made when they are opened, and equal siblings as one."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import attrs

from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.graph.scopes.layers import layers_of
from scopelight.analysis.graph.scopes.placing import Scope, scopes_of
from scopelight.analysis.graph.scopes.signatures import OpSignature, Signatures, in_order
from scopelight.analysis.totals.keys import digest
from scopelight.program.hlo.calls import RUNNING_OTHERS
from scopelight.program.hlo.frames import Frame, Stack

_MOST_RATIO = 0.8
"""Of the ops of layers have a place in common: some take the line of their neighbours."""
_NUMBER = re.compile(r"\d+")


@attrs.frozen(eq=False, repr=False)
class Group:
    """A group of ops, or one op. ``rows`` are all in it, ``repeated`` how many equal ones are shown as this one.

    ``scopes`` are those that it is, one for each of the equal ones; without any it is ops of one scope, by
    ``signatures`` where it is layers.
    """

    key: str
    name: str
    rows: tuple[int, ...]
    repeated: int = 1
    scopes: tuple[Scope, ...] = ()
    signatures: tuple[OpSignature, ...] = ()
    frame: Frame | None = None

    @property
    def is_op(self) -> bool:
        """Whether it is one op, or equal ones."""
        return not self.scopes and not self.signatures

    @property
    def can_open(self) -> bool:
        """Whether there is more than one thing in it."""
        return bool(self.scopes or self.signatures) or len(self.rows) > 1


class ScopeTree:
    """The tree of one program; what is in a group is found when it is asked for."""

    def __init__(self, program: GraphedProgram, timed: Iterable[int]) -> None:
        """``timed`` are the rows of ops that took time: loops and calls are left out that took none themselves."""
        self._program = program
        self._signatures = Signatures(program)
        kept = set(timed)
        self.rows = [row for row in program.ops if program.instruction(row).opcode not in RUNNING_OTHERS or row in kept]
        self._of_row = scopes_of(program, self.rows)

    @cached_property
    def _direct(self) -> Mapping[Scope, Sequence[int]]:
        """The ops that are in a scope and in none inside it."""
        found: dict[Scope, list[int]] = {}
        for row in self.rows:
            found.setdefault(self._of_row[row], []).append(row)
        return found

    @cached_property
    def _names(self) -> Mapping[Scope, Sequence[str]]:
        """The names of what is in a scope, in the order of the program."""
        found: dict[Scope, dict[str, None]] = {}
        for scope in self._direct:
            for depth in range(len(scope)):
                found.setdefault(scope[:depth], {})[scope[depth]] = None
        return {scope: tuple(names) for scope, names in found.items()}

    @cached_property
    def _all(self) -> Mapping[Scope, Sequence[int]]:
        """All ops in a scope and inside it, in the order of the program."""
        found: dict[Scope, list[int]] = {}
        for row in self.rows:
            scope = self._of_row[row]
            for depth in range(len(scope) + 1):
                found.setdefault(scope[:depth], []).append(row)
        return found

    @property
    def root(self) -> Group:
        """All of the program."""
        return Group(self._program.key, self._program.name, tuple(self.rows), scopes=((),))

    def inside(self, group: Group) -> Sequence[Group]:
        """The groups and ops in a group, those that begin first in the program first. They hold its ops, each once."""
        if group.scopes:
            found = [*self._scopes_in(group), *self._in_layers(group)]
        elif group.signatures:
            found = list(self._folded(group.key, in_order(group.rows, self._signatures)))
        else:
            found = [self._op(row) for row in group.rows] if len(group.rows) > 1 else []
        place = {row: at for at, row in enumerate(self.rows)}
        return sorted(found, key=lambda each: place[each.rows[0]])

    def _scopes_in(self, group: Group) -> Iterator[Group]:
        of_name: dict[str, list[Scope]] = {}
        for scope in group.scopes:
            for name in self._names.get(scope, ()):
                of_name.setdefault(name, []).append((*scope, name))
        equal: dict[object, list[str]] = {}
        for name, scopes in of_name.items():
            stem = _NUMBER.sub("#", name)
            # Names without a number are told apart by who wrote them.
            same = (stem, self._signatures.of_group(self._all[scopes[0]]), len(scopes)) if stem != name else name
            equal.setdefault(same, []).append(name)
        for names in equal.values():
            scopes = [scope for name in names for scope in of_name[name]]
            first = of_name[names[0]][0]
            yield Group(
                key=digest("scope", self._program.key, *first) if len(names) == 1 else self._key_of_equal(first),
                name=names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}",
                rows=tuple(row for scope in scopes for row in self._all[scope]),
                repeated=len(scopes),
                scopes=tuple(scopes),
            )

    def _in_layers(self, group: Group) -> Iterator[Group]:
        direct = [row for scope in group.scopes for row in self._direct.get(scope, ())]
        ops = in_order(direct, self._signatures)
        # What is in equal scopes is there as often as they are: these are the layers.
        for number, layers in enumerate(layers_of(ops, self._signatures.product) if group.repeated == 1 else ()):
            rows = sorted(row for each in layers.signatures for row in ops.pop(each))
            place = self._place_of(rows)
            yield Group(
                key=digest("layers", group.key, place.function if place else "", layers.signatures[0].phase, number),
                name=place.function if place else self._program.instruction(rows[0]).opcode,
                rows=tuple(rows),
                repeated=layers.repeated,
                signatures=layers.signatures,
                frame=place,
            )
        yield from self._folded(group.key, ops)

    def _folded(self, around: str, ops: Mapping[OpSignature, Sequence[int]]) -> Iterator[Group]:
        """Ops by their signatures, equal ones as one."""
        for rows in ops.values():
            if len(rows) == 1:
                yield self._op(rows[0])
            else:
                key = digest("equal", around, self._program.key_of(rows[0]))
                name = self._program.instruction(rows[0]).name
                yield Group(key, name, tuple(rows), repeated=len(rows))

    def _op(self, row: int) -> Group:
        return Group(self._program.key_of(row), self._program.instruction(row).name, (row,))

    def _key_of_equal(self, first: Scope) -> str:
        return digest("equal scopes", self._program.key, *first[:-1], _NUMBER.sub("#", first[-1]), first[-1])

    def _place_of(self, rows: Sequence[int]) -> Frame | None:
        """Where layers are written (`place_of_most`), by the user frames of their ops."""
        program = self._program
        shares, frames = program.centre.shares, program.centre.frames
        told = (shares.stack(program.module, program.instruction(row), program.rates) for row in rows)
        # From the outermost frame on.
        return place_of_most([user[::-1] for user in map(frames.of, told) if user])


def place_of_most(stacks: Sequence[Stack]) -> Frame | None:
    """The first line of the function that most ops are called from; ``stacks`` are theirs, outermost frame first.

    That is the one called in the loop, or the one with the loop where the layers are written out in it. None where
    there is no such line.
    """
    around: Frame | None = None
    for depth in range(max(map(len, stacks), default=0)):
        here = [stack for stack in stacks if len(stack) > depth]
        if not here:
            # The longest left the others before this depth.
            break
        (place, number), *_ = Counter(_place(stack[depth]) for stack in here).most_common(1)
        if number < _MOST_RATIO * len(stacks):
            functions = Counter((stack[depth].path, stack[depth].function) for stack in here)
            (function, number), *_ = functions.most_common(1)
            own = [stack[depth] for stack in here if (stack[depth].path, stack[depth].function) == function]
            return min(own, key=_place) if number >= _MOST_RATIO * len(stacks) else around
        stacks = [stack for stack in here if _place(stack[depth]) == place]
        around = stacks[0][depth]
    return around


def _place(frame: Frame) -> tuple[str, int]:
    return frame.path, frame.line
