"""The path of names around an op, level by level, without what jax adds to it.

A path is an ``op_name`` of jax without its last part: ``jit(step)/transpose(jvp(block))/mlp``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

RECOMPUTED = "rematted_computation"
"""The level that jax writes around what ``jax.checkpoint`` computes again."""

Mark = Literal["", "forward", "backward"]
"""The pass that a level says what is in it belongs to."""

_DEEPEST_WRAPPING = 16
_MAIN = "jit(main)"
"""What jax up to 0.7 names after the program."""
_MACHINERY = frozenset(
    (
        *("closed_call", "core_call", "checkpoint", "remat", "remat2", "pjit", "custom_jvp_call", "custom_vjp_call"),
        *("custom_vjp_call_jaxpr", "custom_lin", "shard_map", "xla_call", RECOMPUTED),
    )
)
"""Levels that jax's own calls and transformations add."""
_PARTS_OF_LOOP = frozenset(("body", "cond"))
_BRANCH = re.compile(r"branch_\d+_fun$")
_WRAPPED = re.compile(r"(\w+)\((.*)\)$")


@attrs.frozen(slots=True)
class Level:
    """A name in a path, which may be empty where it has a mark."""

    name: str
    mark: Mark = ""


def levels_of(path: str, most: int) -> Sequence[Level]:
    """The levels of a path, outermost first, at most so many: scopes of the user and functions that were called.

    The leading ``jit(f)`` is the program's and dropped, as are the levels of loops, branches and calls. In the backward
    pass of what ``jax.checkpoint`` wraps, jax writes the scopes around it twice, ``transpose(jvp(a))/b/jvp(a)/b``: the
    second time is dropped too.
    """
    parts = _split(path)
    if parts and parts[0].startswith("jit("):
        del parts[0]
        if parts and parts[0] == _MAIN:
            del parts[0]
    return tuple(_once(list(_without_machinery([_unwrapped(part) for part in parts[:most]]))))


def is_computed_again(path: str) -> bool:
    """Whether a path leads through what ``jax.checkpoint`` computes again."""
    return RECOMPUTED in path and RECOMPUTED in _split(path)


def _split(path: str) -> list[str]:
    """The parts of a path; a ``/`` inside brackets separates nothing."""
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(path):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "/" and depth <= 0:
            parts.append(path[start:position])
            start = position + 1
    parts.append(path[start:])
    return [part for part in parts if part]


def _unwrapped(part: str) -> Level:
    """A part without the transformations around its name."""
    mark: Mark = ""
    for _ in range(_DEEPEST_WRAPPING):
        wrapped = _WRAPPED.match(part)
        if wrapped is None:
            break
        transformation, part = wrapped.groups()
        if transformation == "transpose":
            mark = "backward"
        elif transformation == "jvp" and not mark:
            mark = "forward"
    return Level(part, mark)


def _without_machinery(levels: Sequence[Level]) -> Iterator[Level]:
    """The levels without the names that jax adds; of those of loops and branches two stand together.

    A scope of the user may be called ``while`` as well: of ``while/while/body`` the first one is the user's.
    """
    is_second = False
    for place, level in enumerate(levels):
        after = levels[place + 1].name if place + 1 < len(levels) else ""
        is_first = not is_second and _begins(level.name, after)
        if not (is_first or is_second or level.name in _MACHINERY):
            yield level
        elif level.mark:
            yield Level("", level.mark)
        is_second = is_first


def _begins(name: str, after: str) -> bool:
    """Whether a level and the one after it are a loop's or a branch's."""
    if name == "while":
        return after in _PARTS_OF_LOOP
    return name == "cond" and _BRANCH.match(after) is not None


def _once(levels: Sequence[Level]) -> Iterator[Level]:
    """The levels of the backward pass without their repetition, and without marks of a forward pass inside of it."""
    inside: list[str] = []
    """Names from the level on that began the backward pass."""
    place = 0
    while place < len(levels):
        level = levels[place]
        if level.mark == "backward":
            inside = []
        elif level.mark == "forward" and inside:
            if [each.name for each in levels[place : place + len(inside)]] == inside:
                place += len(inside)
                continue
            level = Level(level.name)
        if inside or level.mark == "backward":
            inside.append(level.name)
        if level.name or level.mark:
            yield level
        place += 1
