"""Source stacks of a program's instructions, from its table of frames or from text."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar

from scopelight.phrase import Phrase
from scopelight.program.hlo.dimensions import fail
from scopelight.program.hlo.frames import Frame, Stack

MAXIMUM_STACK_DEPTH = 256
"""Frames kept of one stack, counted from the innermost; jax itself records ten unless told otherwise."""

_FILE_LOCATION, _FUNCTION_NAME, _FILE_NAME = Phrase("file location"), Phrase("function name"), Phrase("file name")
_SOURCE = re.compile(r"^\s*(?P<path>.+?):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?\s*$")

# The generated classes carry no annotations for their submessages.
_Message = Any
_Entry = TypeVar("_Entry")


class Stacks:
    """Stacks of a module's instructions, one object for each frame id."""

    def __init__(self, module: _Message, where: str) -> None:
        self._where = where
        index = module.stack_frame_index
        self._files: Sequence[str] = tuple(index.file_names)
        self._functions: Sequence[str] = tuple(index.function_names)
        locations = [(each.file_name_id, each.function_name_id, each.line) for each in index.file_locations]
        self._distinct: dict[tuple[str, int, str], Frame] = {}
        self._parents = [0, *(each.parent_frame_id for each in index.stack_frames)]
        self._frames = [
            None,
            *(self._frame(locations, each.file_location_id) for each in index.stack_frames),
        ]
        self._check_parents()
        self._known: dict[int, Stack] = {0: ()}
        self._stated: dict[tuple[int, str, int], Stack] = {}
        """By frame id and the place that an instruction states beside it."""
        self._interned: dict[tuple[int, ...], Stack] = {}

    def of(self, metadata: _Message) -> Stack:
        """The stack of an instruction, by the id of its frame; where it states a place that the table has and that
        stack has not (partitioned programs of jax 0.7 number frames otherwise than their table), by the place."""
        frame_id, line = metadata.stack_frame_id, metadata.source_line
        stack = self._known.get(frame_id)
        if stack is None:
            stack = self._known[frame_id] = self._walk(frame_id)
        if stack and line <= 0:
            return stack
        key = (frame_id, metadata.source_file, line)
        stated = self._stated.get(key)
        if stated is None:
            stated = self._stated[key] = self._as_stated(stack, *key[1:])
        return stated

    def _as_stated(self, stack: Stack, path: str, line: int) -> Stack:
        if not path or any(frame.line == line and _file(frame.path) == _file(path) for frame in stack):
            return stack
        place = Frame(path, max(0, line))
        if not stack:
            return (place,)
        there = self._of_places.get((_file(path), line))
        return stack if there is None else there or (place,)

    @cached_property
    def _of_places(self) -> dict[tuple[str, int], Stack]:
        """By file and line the only stack that has its innermost frame there; empty where several have."""
        found: dict[tuple[str, int], Stack] = {}
        for row in range(1, len(self._frames)):
            stack = self._walk(row)
            if stack:
                place = (_file(stack[0].path), stack[0].line)
                found[place] = stack if found.get(place, stack) is stack else ()
        return found

    def _frame(self, locations: Sequence[tuple[int, int, int]], location_id: int) -> Frame | None:
        if location_id == 0:
            return None
        file_id, function_id, line = self._entry(locations, location_id, _FILE_LOCATION)
        if file_id == 0:
            return None
        function = self._entry(self._functions, function_id, _FUNCTION_NAME) if function_id else ""
        place = (self._entry(self._files, file_id, _FILE_NAME), max(0, line), function)
        frame = self._distinct.get(place)
        if frame is None:
            frame = self._distinct[place] = Frame(*place)
        return frame

    def _entry(self, table: Sequence[_Entry], identifier: int, what: Phrase) -> _Entry:
        if not 1 <= identifier <= len(table):
            fail(
                self._where,
                "a stack frame names the {what} {id} of {count}",
                what=what,
                id=identifier,
                count=len(table),
            )
        return table[identifier - 1]

    def _check_parents(self) -> None:
        """Refuse a parent out of range and a circle of parents, in one pass over all frames."""
        count = len(self._parents)
        done = bytearray(count)
        done[0] = 1
        for start in range(1, count):
            trail = []
            frame_id = start
            while not done[frame_id]:
                done[frame_id] = 2
                trail.append(frame_id)
                frame_id = self._parents[frame_id]
                if not 0 <= frame_id < count:
                    fail(self._where, "a stack frame names the parent {id} of {count}", id=frame_id, count=count - 1)
            if done[frame_id] == 2:
                fail(self._where, "its stack frames form a circle")
            for each in trail:
                done[each] = 1

    def _walk(self, frame_id: int) -> Stack:
        if not 0 <= frame_id < len(self._frames):
            fail(
                self._where,
                "an instruction names the stack frame {id} of {count}",
                id=frame_id,
                count=len(self._frames) - 1,
            )
        stack: list[Frame] = []
        for _ in range(MAXIMUM_STACK_DEPTH):
            frame = self._frames[frame_id]
            if frame is not None:
                stack.append(frame)
            frame_id = self._parents[frame_id]
            if frame_id == 0:
                break
        # Frames that differ in their column alone are one to us, and so are the stacks made of them.
        return self._interned.setdefault(tuple(map(id, stack)), tuple(stack))


def stack_from_stats(source: str, source_stack: str) -> Stack:
    """Build a stack from the stats ``source`` and ``source_stack``, either of which may be empty.

    ``source`` is ``file:line`` of the innermost frame; ``source_stack`` holds one ``file:line:column`` per
    line, in either order. The end that equals ``source`` is the innermost; where neither does, the order of
    recent writers (innermost first) is assumed, and ``source`` goes in front.
    """
    innermost = _frame_of(source)
    stack = [frame for frame in map(_frame_of, source_stack.splitlines()) if frame is not None]
    if innermost is None:
        return tuple(stack[:MAXIMUM_STACK_DEPTH])
    if stack and stack[0] != innermost:
        if stack[-1] == innermost:
            stack.reverse()
        else:
            stack.insert(0, innermost)
    return tuple(stack[:MAXIMUM_STACK_DEPTH]) or (innermost,)


def _frame_of(text: str) -> Frame | None:
    match = _SOURCE.match(text)
    return Frame(match["path"], int(match["line"])) if match else None


def _file(path: str) -> str:
    return path[path.rfind("/") + 1 :]
