"""Kernels: functions of whole numbers and columns that are compiled once and then run without their compiler.

A kernel is compiled for the types that it is called with, at the first such call, and kept on disk as machine code
(`native`). Later processes map that file and call it: numba, which compiles, takes longer to import than an ordinary
profile takes to read. Where machine code cannot be kept (another system than Linux on x86-64, a kernel that makes
arrays of its own) numba and its own cache run the kernel.

``SCOPELIGHT_KERNELS`` chooses another way: ``numba`` for all kernels, ``python`` to interpret them.
"""

import os
import threading
from collections.abc import Callable
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

from scopelight.formats.native.identity import digest_of
from scopelight.formats.native.signature import Signature, signature_of
from scopelight.formats.native.store import is_kept, load, supported

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_lock = threading.RLock()
_kernels: list["Kernel[Any, Any]"] = []


def _way() -> str:
    chosen = os.environ.get("SCOPELIGHT_KERNELS", "")
    return chosen or ("native" if supported() else "numba")


_WAY: Final = _way()


class Kernel(Generic[Parameters, Result]):
    """A kernel, called like the function that it is made from; other kernels may call it too."""

    def __init__(self, function: Callable[Parameters, Result]) -> None:
        self.function: Any = function
        self.__doc__ = function.__doc__
        self.__name__ = self.function.__name__
        self.__module__ = function.__module__
        self._entries: dict[Signature, Callable[..., Any]] = {}
        self._digest: str | None = None
        _kernels.append(self)

    def __call__(self, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        """Run it, without the interpreter's lock."""
        # Each way has a call of its own; this one keeps the types of the function.
        signature = signature_of(arguments)
        entry = self._entries.get(signature) or self._entry(signature, arguments)
        return cast(Result, entry(*arguments, **named))

    def digest(self) -> str:
        """What is equal only for kernels that do the same, whatever their file and their lines."""
        if self._digest is None:
            self._digest = digest_of(self.function)
        return self._digest

    def is_compiled(self) -> bool:
        """Whether it was compiled before, for any types, by this process or another."""
        if _WAY == "native":
            return bool(self._entries) or is_kept(self.__module__, self.__name__, self.digest())
        from scopelight.formats.numba_kernels import has_code  # noqa: PLC0415

        return _WAY == "python" or has_code(self)

    def _entry(self, signature: Signature, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        with _lock:
            if signature not in self._entries:
                self._entries[signature] = self._make_entry(arguments)
            return self._entries[signature]

    def _make_entry(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        if _WAY == "python":
            return cast(Callable[..., Any], self.function)
        if _WAY == "native":
            found = load(self, arguments)
            if found is None:
                # Imported where something is to be compiled, and only there.
                from scopelight.formats.native.compiling import compile_and_keep  # noqa: PLC0415

                found = compile_and_keep(self, arguments)
            if found is not None:
                return found
        from scopelight.formats.numba_kernels import dispatcher  # noqa: PLC0415

        return cast(Callable[..., Any], dispatcher(self))


class ForKernels(Generic[Parameters, Result]):
    """What kernels may call and numba has to be told of: ``make`` returns it as numba knows it.

    ``interpreted`` does the same in Python.
    """

    def __init__(self, name: str, make: Callable[[], Any], interpreted: Callable[Parameters, Result]) -> None:
        self.name = name
        self.make = make
        self._interpreted = interpreted

    def __call__(self, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        """Do what the kernel would."""
        return self._interpreted(*arguments, **named)


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function at its first call, or run what was compiled before."""
    return Kernel(function)


def are_compiled() -> bool:
    """Whether any of the kernels that are imported was compiled before: if not, the first use takes seconds."""
    return any(each.is_compiled() for each in _kernels)
