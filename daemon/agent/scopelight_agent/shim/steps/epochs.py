"""In which epoch a step is: how often the loop around it has been entered anew, as its frames show.

The loop nearest to the step is that over batches, and the one around it, of the same function or of one that calls it,
that over epochs: another value of what the latter loops over is another epoch. Where that says nothing, as a ``while``
does, a number that the inner loop counts up and that begins anew tells as well. The one or the other is seen of any
iterator: no iterator is touched. Not seen are loops of coroutines (``async for``), steps that ask for their batch with
``next``, and a loop within that over batches, whose every batch is taken for an epoch: these need the mark.
"""

import dis
import sys
from types import CodeType, FrameType
from typing import Any, NamedTuple

MOST_FRAMES = 64


class _Loop(NamedTuple):
    """A ``for``: where its body is, and the name of the first variable that it sets."""

    begin: int
    end: int
    target: str | None


class Epochs:
    """Told of each step, it counts epochs from 0."""

    def __init__(self) -> None:
        self.epoch = 0
        self._loops: dict[CodeType, tuple[_Loop, ...]] = {}
        self._outer: object = None
        self._number: int | None = None
        self._first_number: int | None = None
        self._counts_up = True
        self._has_seen = False
        self._is_marked = False
        self._next_step = self._began = 0
        self._lengths: set[int] = set()

    def step(self, step: int) -> int:
        """A step has run or begins, called in its thread: the epoch that it is in."""
        if not self._is_marked:
            outer, number = self._place(sys._getframe(1))
            if self._has_seen and (outer != self._outer or self._restarts(number)):
                self._next(step)
                self._first_number, self._counts_up = number, True
            elif not self._has_seen:
                self._first_number = number
            elif number is None or self._number is None or number != self._number + 1:
                self._counts_up = False
            self._has_seen, self._outer, self._number = True, outer, number
        self._next_step = step + 1
        return self.epoch

    def _restarts(self, number: int | None) -> bool:
        """Whether a number that was counted up to now is the first again."""
        return self._counts_up and number is not None and number == self._first_number and number != self._number

    def mark(self, number: int | None) -> None:
        """The script says itself that an epoch begins with the next step, the first or the one after the last, or that
        with this number."""
        is_first = not self._is_marked and self._next_step == 0
        following = self.epoch + (not is_first)
        self._is_marked, self.epoch = True, following if number is None else number

    def of_next_step(self) -> int:
        """The epoch of the step that follows, as far as those before it tell, which had equally many steps."""
        return self.epoch + (not self._is_marked and self._lengths == {self._next_step - self._began})

    def _next(self, step: int) -> None:
        self._lengths.add(step - self._began)
        self.epoch, self._began = self.epoch + 1, step

    def _place(self, frame: FrameType | None) -> tuple[object, int | None]:
        """What the outer loop is at, and the number that the inner one counts."""
        found: list[tuple[FrameType, _Loop]] = []
        for _ in range(MOST_FRAMES):
            if frame is None or len(found) > 1:
                break
            found += [(frame, each) for each in self._around(frame)]
            frame = frame.f_back
        if not found:
            return None, None
        inner = found[0]
        number = _value(*inner)
        number = number if isinstance(number, int) else None
        if len(found) == 1:
            return None, number
        if found[1][1].target is None:
            return None, number
        value = _value(*found[1])
        # Of a function that has two loops over batches each is another.
        return (_identity(value), inner[1].begin), number

    def _around(self, frame: FrameType) -> list[_Loop]:
        """The loops of a frame that it is in, the innermost first."""
        code = frame.f_code
        loops = self._loops.get(code)
        if loops is None:
            loops = self._loops[code] = _loops_of(code)
        return [each for each in reversed(loops) if each.begin < frame.f_lasti < each.end]


def _loops_of(code: CodeType) -> tuple[_Loop, ...]:
    instructions = list(dis.get_instructions(code))
    found = []
    for place, each in enumerate(instructions):
        if each.opname == "FOR_ITER":
            target = next((after for after in instructions[place + 1 :] if after.opname.startswith("STORE_")), None)
            name = None if target is None or target.opname == "STORE_ATTR" else target.argval
            name = name[0] if isinstance(name, tuple) else name
            found.append(_Loop(each.offset, each.argval, name if isinstance(name, str) else None))
    return tuple(found)


def _value(frame: FrameType, loop: _Loop) -> Any:  # noqa: ANN401 (what the script loops over)
    if loop.target is None:
        return None
    names = frame.f_locals
    value = names.get(loop.target, frame.f_globals.get(loop.target))
    if sys.version_info < (3, 13) and names is not frame.f_globals and frame.f_code.co_flags & 1:
        # A copy of a function's variables, which would keep what they held.
        names.clear()
    return value


def _identity(value: object) -> object:
    """What tells a value from the one before it, and holds nothing of the script's."""
    return value if isinstance(value, (int, float, str, bytes)) else (type(value).__name__, id(value))
