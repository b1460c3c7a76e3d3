"""Where jax lowers and compiles every program: there programs are lowered for a TPU, and here need not be compiled."""

import sys
import threading
from collections.abc import Callable
from typing import Any

from . import callbacks
from .caught import Caught
from .elsewhere import ElsewhereExecutable
from .substitute import zeros_for

Shardings = Callable[[Caught], Any]


class Hook:
    """Has jax lower each program for a TPU and tells ``catch``; a lowering that fails is told to ``refuse``.

    A dry run compiles nothing: programs return zeros, and ``ask`` says how those of several devices divide their
    results. Else programs are compiled and run as without us. ``called`` is told each call.
    """

    def __init__(
        self,
        catch: Callable[[Caught], None],
        refuse: Callable[[Caught, Exception], None],
        called: Callable[[Caught], None],
        ask: Shardings,
    ) -> None:
        self._catch = catch
        self._refuse = refuse
        self._called = called
        self._ask = ask
        self._caught: dict[int, Caught] = {}
        self._numbers = 0
        self._lock = threading.Lock()

    def dry(self) -> None:
        """Take the place of lowering and of compiling."""
        pxla: Any = sys.modules["jax._src.interpreters.pxla"]
        sys.modules["jax._src.source_info_util"].register_exclusion(__file__)
        callbacks.lower_to_nothing()
        lower = pxla.lower_sharding_computation

        def lower_for_tpu(jaxpr: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            # What an exporting script asks for itself is its own.
            if options.get("lowering_platforms") is not None:
                return lower(jaxpr, *arguments, **options)
            for_tpu = {**options, "lowering_platforms": ("tpu",)}
            try:
                lowering = lower(jaxpr, *arguments, **for_tpu)
            except Exception as error:
                return self._of(lower(zeros_for(jaxpr), *arguments, **for_tpu), jaxpr, error)
            return self._of(lowering, jaxpr)

        def compile_elsewhere(module: Any, *_arguments: Any, **_options: Any) -> ElsewhereExecutable:  # noqa: ANN401
            caught = self._caught[id(module)]
            return ElsewhereExecutable(caught.results, caught.devices, lambda: self._ask(caught))

        pxla.lower_sharding_computation = lower_for_tpu
        pxla._cached_compilation = compile_elsewhere

    def _of(self, lowering: Any, jaxpr: Any, refusal: Exception | None = None) -> Any:  # noqa: ANN401
        with self._lock:
            self._numbers += 1
            caught = self._caught[id(lowering._hlo)] = Caught(self._numbers, lowering, jaxpr)
        if refusal is None:
            self._catch(caught)
        else:
            self._refuse(caught, refusal)
        compile_ = lowering.compile

        def compile_and_count(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            executable = compile_(*arguments, **named)
            if not isinstance(executable.unsafe_call, DryCall):
                executable.xla_executable.shardings = executable._out_shardings
                executable._unsafe_call = DryCall(executable.unsafe_call, caught, self._called)
            return executable

        lowering.compile = compile_and_count
        return lowering


class DryCall:
    """What calling a program does: jax's own call of what stands for its executable, and what it was given is gone.

    It is of no class that jax's faster ways of calling know, so that every call comes here.
    """

    def __init__(self, call: Any, caught: Caught, called: Callable[[Caught], None]) -> None:  # noqa: ANN401
        self._call = call
        self._caught = caught
        self._called = called
        self.name = call.name

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        """Call it, and delete what the program was given for good."""
        self._called(self._caught)
        results = self._call(*arguments)
        if self._caught.donated:
            kept = [each for place, each in enumerate(arguments) if place in self._caught.kept]
            for place in self._caught.donated:
                if 0 <= place < len(kept) and hasattr(kept[place], "delete"):
                    kept[place].delete()
        return results
