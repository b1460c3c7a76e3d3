"""Where jax lowers and compiles every program: there programs are lowered for a TPU, and here need not be compiled."""

import sys
import threading
from collections.abc import Callable
from typing import Any

from . import callbacks, copies, transforms
from .answers import Answers
from .caught import Caught
from .elsewhere import ElsewhereExecutable
from .known_values import KnownValues, is_small
from .substitute import zeros_for


class Hook:
    """Has jax lower each program for a TPU and tells ``catch``; a lowering that fails is told to ``refuse``.

    A dry run compiles no more than small programs of known values: the others return zeros, and ``answers`` say how
    those of several devices divide their results. Else programs are compiled and run as without us. ``called`` is told
    each call. One lowering is one program, however often older versions of jax hand it over.
    """

    def __init__(
        self,
        catch: Callable[[Caught], None],
        refuse: Callable[[Caught, Exception], None],
        called: Callable[[Caught], None],
        answers: Answers,
    ) -> None:
        self._catch = catch
        self._refuse = refuse
        self._called = called
        self._answers = answers
        self._caught: dict[int, Caught] = {}
        self._refused: dict[int, tuple[Any, Any, Exception]] = {}
        """By the identity of a jaxpr: itself, so that it stays, what runs in its place, and why."""
        self._lock = threading.Lock()

    def dry(self) -> None:
        """Take the place of lowering and of compiling: nothing runs."""
        pxla = _prepared()
        copies.take_no_memory()
        lower = pxla.lower_sharding_computation

        def lower_for_tpu(jaxpr: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            # What an exporting script asks for itself is its own.
            if options.get("lowering_platforms") is not None:
                return lower(jaxpr, *arguments, **options)
            for_tpu = {**options, "lowering_platforms": ("tpu",)}
            _, substitute, refusal = self._refused.get(id(jaxpr), (None, None, None))
            if refusal is None:
                try:
                    lowering = lower(jaxpr, *arguments, **for_tpu)
                except Exception as error:
                    substitute, refusal = zeros_for(jaxpr), error
                    self._refused[id(jaxpr)] = (jaxpr, substitute, refusal)
            if refusal is not None:
                lowering = lower(substitute, *arguments, **for_tpu)
            caught = self._told(lowering, jaxpr, refusal)
            known = None
            if refusal is None and len(caught.devices) == 1 and is_small(jaxpr):
                known = KnownValues(lambda: lower(jaxpr, *arguments, **options).compile())
            return _called_by(lowering, lambda call, executable: DryCall(call, executable, caught, self._called, known))

        compile_here = pxla._cached_compilation

        def compile_elsewhere(module: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            caught = self._caught.get(id(module))
            if caught is not None:
                return ElsewhereExecutable(caught, self._answers)
            # It is of what the script knows.
            return compile_here(module, *arguments, **options)

        pxla.lower_sharding_computation = lower_for_tpu
        pxla._cached_compilation = compile_elsewhere

    def observe(self) -> None:
        """Stand beside lowering: programs run as without us."""
        pxla = _prepared()
        lower = pxla.lower_sharding_computation

        def lower_twice(jaxpr: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            lowering = lower(jaxpr, *arguments, **options)
            if options.get("lowering_platforms") is not None:
                return lowering
            _, _, refusal = self._refused.get(id(jaxpr), (None, None, None))
            for_tpu = lowering
            if refusal is None:
                try:
                    for_tpu = lower(jaxpr, *arguments, **{**options, "lowering_platforms": ("tpu",)})
                except Exception as error:
                    refusal = error
                    self._refused[id(jaxpr)] = (jaxpr, None, refusal)
            caught = self._told(for_tpu, jaxpr, refusal)
            return _called_by(lowering, lambda call, _: CountedCall(call, caught, self._called))

        pxla.lower_sharding_computation = lower_twice

    def _told(self, lowering: Any, jaxpr: Any, refusal: Exception | None) -> Caught:  # noqa: ANN401
        module = lowering._hlo
        with self._lock:
            known = self._caught.get(id(module))
            if known is not None:
                return known
            # The program holds the module, so that no other one is ever at its place in memory.
            caught = self._caught[id(module)] = Caught(len(self._caught) + 1, lowering, jaxpr)
        if refusal is None:
            self._catch(caught)
        else:
            self._refuse(caught, refusal)
        return caught


def _prepared() -> Any:  # noqa: ANN401 (a module of the user's jax)
    callbacks.lower_to_transfers()
    transforms.leave_marks()
    return sys.modules["jax._src.interpreters.pxla"]


def _called_by(lowering: Any, wrap: Callable[[Any, Any], "CountedCall"]) -> Any:  # noqa: ANN401
    """A lowering whose executable is called by what ``wrap`` makes of its call and of itself."""
    compile_ = lowering.compile

    def compile_and_wrap(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        executable = compile_(*arguments, **named)
        if not isinstance(executable.unsafe_call, CountedCall):
            executable._unsafe_call = wrap(executable.unsafe_call, executable)
        return executable

    lowering.compile = compile_and_wrap
    return lowering


class CountedCall:
    """What calling a program does: jax's own call, and we are told.

    It is of no class that jax's faster ways of calling know, so that every call comes here.
    """

    def __init__(self, call: Any, caught: Caught, called: Callable[[Caught], None]) -> None:  # noqa: ANN401
        self._call = call
        self._caught = caught
        self._called = called
        self.name = call.name

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        """Call it."""
        self._called(self._caught)
        return self._call(*arguments)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """What jax looks for beside."""
        return getattr(self._call, name)


class DryCall(CountedCall):
    """The call of what stands for an executable: what the program was given for good is gone afterwards."""

    def __init__(
        self,
        call: Any,  # noqa: ANN401
        executable: Any,  # noqa: ANN401
        caught: Caught,
        called: Callable[[Caught], None],
        known: KnownValues | None,
    ) -> None:
        super().__init__(call, caught, called)
        self._known = known
        executable.xla_executable.shardings = executable._out_shardings

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        """Call it, and delete what was donated."""
        self._called(self._caught)
        results = None if self._known is None else self._known.of(arguments)
        if results is None:
            results = self._call(*arguments)
        if self._caught.donated:
            kept = [each for place, each in enumerate(arguments) if place in self._caught.kept]
            for place in self._caught.donated:
                if 0 <= place < len(kept) and hasattr(kept[place], "delete"):
                    kept[place].delete()
        return results
