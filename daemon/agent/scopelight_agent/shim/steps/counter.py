"""Which step of the script runs: counted from its annotations, or from the calls of the function that is the step.

Steps are numbered from 0, as loops of Python do, and as annotations say where they do. All functions are counted from
the start, so that the number is right when it becomes known which of them is the step.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable
from types import FrameType
from typing import Any

from .before import StepsBefore

_OF_COMPILED = "compiled "
"""What the names of functions begin with that were compiled ahead of time: they have none."""
_STAGE = re.compile(r"\w+\((.*)\)")
_PREFIX = re.compile(r"(jit|pmap|pjit)_")
_COMPILING = "cache_miss"
"""The function of jax's through which a call goes that compiles."""
_OTHER = re.compile(r"\W")
_MOST_APART_RATIO = 0.1
"""So much more or less often is called what runs in every step, and outside of them."""
_CERTAIN = 2
"""A function that is called so often may be the step."""


class StepCounter:
    """Calls ``begins`` and ``ended`` with the numbers of steps, in the script's threads, where they are set.

    A call of a function that is the step ends it, and the next begins.
    """

    def __init__(self) -> None:
        self.begins: Callable[[int], None] | None = None
        self.ended: Callable[[int], None] | None = None
        self.passed: Callable[[], None] | None = None
        """Called whenever one has ended, besides."""
        self.follows: str | None = None
        """The name of what is the step, as its calls or annotations have it."""
        self.is_told = False
        """Whether the conductor has said so; else it is what is called again first."""
        self.compiles = 0
        """How many programs were compiled up to now."""
        self.before = StepsBefore()
        """What there was before it is known which are the steps."""
        self.next_step = 0
        self.counts_calls = True
        """Whether a step is known to have begun only when it has ended; else the script annotates its steps."""
        self._calls: defaultdict[str, int] = defaultdict(int)
        self._annotated: defaultdict[str, int] = defaultdict(int)
        self._first_of: dict[str, int] = {}
        self._several: set[str] = set()
        """Names that more than one function has, as lambdas do."""
        self._is_of_jax: dict[str, bool] = {}
        """Whether functions are what jax compiles for its own, as for an addition."""

    def count(self, name: str) -> None:
        """Steps are the runs of the program of this name, or its annotations, from now on."""
        self.is_told = True
        self.counts_calls = name not in self._annotated
        if not self.counts_calls:
            self.follows = name
        elif self.follows != (function := self._function_of(name)):
            self.follows = function
            self.next_step = self._calls.get(function, 0)

    def called(self, function: Any, _arguments: Any, _named: Any, _result: Any) -> None:  # noqa: ANN401
        """A compiled function was called, as jax tells."""
        try:
            name = function.__name__
        except AttributeError:
            name = f"{_OF_COMPILED}{id(function):x}"
        # No other thread comes between the two.
        number = self._calls[name]
        self._calls[name] = number + 1
        if self._first_of.setdefault(name, id(function)) != id(function):
            self._several.add(name)
        if name not in self._is_of_jax:
            module = str(getattr(function, "__module__", ""))
            self._is_of_jax[name] = module.partition(".")[0] == "jax"
        if not (self.is_told or self._is_of_jax[name]):
            self.before.ended(name, number, self.compiles)
        if name == self.follows:
            self._call_ended(number)
        elif self.follows is None and number + 1 >= _CERTAIN and not self._is_of_jax[name]:
            self.follows = name
            self._call_ended(number)

    def compiled(self, program: str | None) -> None:
        """A program came back from the compiler: the call that needed it is told of by nothing else."""
        self.compiles += 1
        call = _call_that_compiles(sys._getframe(1))
        if call is None:
            return
        # jax 0.6 says nothing of the function.
        said = program or str(getattr(call.f_locals.get("fun"), "__name__", ""))
        stage = _STAGE.fullmatch(said)
        name = said if stage is None else stage[1]
        if name:
            number = self._calls[name]
            self._calls[name] = number + 1
            if not self.is_told:
                self.before.ended(name, number, self.compiles)
            if name == self.follows:
                self._call_ended(number)

    @property
    def is_of_several(self) -> bool:
        """Whether calls of more than one function are counted as the steps."""
        return self.counts_calls and self.follows in self._several

    def enters(self, name: str, step: object) -> int | None:
        """An annotated step is about to begin; its number, where it is one."""
        counted = self._annotated[name]
        self._annotated[name] = counted + 1
        number = int(step) if isinstance(step, int) else counted
        if not self.is_told:
            self.before.ended(name, number - 1, self.compiles)
        if self.counts_calls and not self.is_told:
            self.counts_calls, self.follows = False, name
        if name == self.follows and not self.counts_calls:
            self._begin(number)
            return number
        return None

    def leaves(self, number: int | None) -> None:
        """An annotated step has ended."""
        if number is not None and not self.counts_calls:
            self._end(number)

    def _function_of(self, program: str) -> str:
        """What calls are told under that run a program; of what was compiled ahead of time what is called most."""
        name = _PREFIX.sub("", program, count=1)
        known = [each for each in self._calls if _plain(each) == _plain(name)]
        if known:
            return self._script_beside(known[0])
        ahead = [each for each in self._calls if each.startswith(_OF_COMPILED)]
        return max(ahead, key=lambda each: self._calls[each], default=name)

    def _script_beside(self, name: str) -> str:
        """Of what runs once in a step, the function that the script compiled itself: the steps are its calls, and those
        of jax's own are called for other things as well."""
        if not self._is_of_jax.get(name, False):
            return name
        calls = self._calls[name]
        own = [each for each, is_of_jax in self._is_of_jax.items() if not is_of_jax]
        nearest = min(own, key=lambda each: abs(self._calls[each] - calls), default=name)
        return nearest if abs(self._calls[nearest] - calls) <= _MOST_APART_RATIO * calls else name

    def _call_ended(self, number: int) -> None:
        if self.counts_calls:
            self._end(number)
            self._begin(number + 1)

    def _begin(self, number: int) -> None:
        self.next_step = number
        if self.begins is not None:
            self.begins(number)

    def _end(self, number: int) -> None:
        self.next_step = number + 1
        if self.passed is not None:
            self.passed()
        if self.ended is not None:
            self.ended(number)


def _plain(name: str) -> str:
    """A name as it is in that of a program: of a lambda jax 0.10 leaves no more than one underscore before it."""
    return _OTHER.sub("_", name).strip("_")


def _call_that_compiles(frame: FrameType | None) -> FrameType | None:
    """The frame of jax's through which a call went that compiles; None for a compilation ahead of time."""
    while frame is not None and frame.f_code.co_name != _COMPILING:
        frame = frame.f_back
    return frame
