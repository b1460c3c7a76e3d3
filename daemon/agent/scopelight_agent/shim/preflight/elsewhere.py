"""The executable of a program that is compiled elsewhere, if at all: jax runs it as its own, and it returns zeros."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .answers import Answers
from .caught import Caught
from .zeros import parts_of_zeros, spread_zeros


class _Token:
    """What jax waits for at the end of a program with side effects: it is over."""

    def block_until_ready(self) -> None:
        """It is."""


class _Tokens:
    def get_token(self, _device: int) -> _Token:
        return _Token()


class _Results:
    """What jax's own call takes results from: handlers make arrays of the parts on devices.

    Where it has ordered side effects it takes their tokens before.
    """

    def __init__(self, make: Callable[[int], Sequence[Any]], count: int, devices: Sequence[Any]) -> None:
        self._make = make
        self._count = count
        self._devices = devices

    def consume_with_handlers(self, handlers: Sequence[Callable[[Any], Any]], *, strict: bool = True) -> list[Any]:
        parts = map(self._make, range(self._count)) if strict else self._tokens(len(handlers))
        return [each if _has_no_type(each) else handler(each) for handler, each in zip(handlers, parts, strict=False)]

    def disassemble_prefix_into_single_device_arrays(self, count: int) -> Sequence[Sequence[Any]]:
        """As older versions take the tokens."""
        return self._tokens(count)

    def disassemble_into_single_device_arrays(self) -> Sequence[Sequence[Any]]:
        """As results are taken where they are looked through for what is no number."""
        return [self._make(place) for place in range(self._count)]

    def consume_token(self) -> _Tokens:
        return _Tokens()

    def _tokens(self, count: int) -> Sequence[Sequence[Any]]:
        empty = sys.modules["numpy"].dtype(bool)
        return [parts_of_zeros((0,), empty, self._devices) for _ in range(count)]


class ElsewhereExecutable:
    """Stands where jax expects an executable of XLA for a program.

    What jax or the script want to know of it, ``answers`` have of the compiler elsewhere.
    """

    def __init__(self, caught: Caught, answers: Answers) -> None:
        self._caught = caught
        self._answers = answers
        self._devices = caught.devices
        self.shardings: Sequence[Any] = ()
        """Of the results, once jax has settled them."""

    def local_devices(self) -> Sequence[Any]:
        """The devices that it runs on."""
        return self._devices

    def get_parameter_shardings(self) -> Sequence[Any]:
        """How what it takes is divided."""
        return self._answers.shardings(self._caught)[0]

    def get_output_shardings(self) -> Sequence[Any]:
        """How what it returns is divided."""
        return self._answers.shardings(self._caught)[1]

    def get_output_memory_kinds(self) -> Sequence[Sequence[str | None]]:
        """Where its results lie: where the script asks for them."""
        return [[None] * self._caught.ordered_effects + [*self._caught.asked_memory_kinds()]]

    def get_compiled_memory_stats(self) -> Any:  # noqa: ANN401
        """What it takes of a device's memory."""
        return self._answers.memory(self._caught)

    def cost_analysis(self) -> Mapping[str, float]:
        """What its work is."""
        return self._answers.costs(self._caught)

    def hlo_modules(self) -> Sequence[Any]:
        """The compiled program."""
        return self._answers.modules(self._caught)

    def execute_sharded(self, _arguments: Sequence[Any], *, with_tokens: bool = False) -> _Results:
        """Run it: there is nothing to run."""
        del with_tokens
        return _Results(self._parts, len(self._caught.results), self._devices)

    def _parts(self, place: int) -> Sequence[Any]:
        """The parts of a result: one on each device; the result itself where it has none."""
        core = sys.modules["jax._src.core"]
        aval, sharding = self._caught.results[place], self.shardings[place]
        physical = core.physical_aval(aval)
        if _has_no_type(aval):
            none: Sequence[Any] = _of_no_type(aval)
            return none
        if physical is aval and len(self._devices) > 1:
            # To make all of them at once is several times as fast.
            parts: Sequence[Any] = spread_zeros(aval, sharding, self._devices)._arrays
            return parts
        shape = sharding.shard_shape(aval.shape) + tuple(physical.shape[len(aval.shape) :])
        return parts_of_zeros(shape, physical.dtype, self._devices, sharding.memory_kind)


def _has_no_type(value: Any) -> bool:  # noqa: ANN401
    """Whether it is a gradient of whole numbers, of which there are none: jax has a type that says so."""
    return bool(getattr(value, "dtype", None) == sys.modules["jax"].dtypes.float0)


def _of_no_type(aval: Any) -> Any:  # noqa: ANN401
    """As jax has one, which is on no device."""
    zeros = sys.modules["numpy"].zeros(aval.shape, aval.dtype)
    wrap = getattr(sys.modules.get("jax._src.literals"), "TypedNdArray", None)
    return zeros if wrap is None else wrap(zeros, aval=aval)
