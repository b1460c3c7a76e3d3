"""Kernels: functions compiled by numba, kept on disk, and loaded from there without what only compiling needs."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class _LoadingCache(FunctionCache):
    """numba's cache, less half a second at the first load of a process.

    numba makes its compiler ready before it looks into the cache, with every function of Python and numpy that it
    can compile. A kernel that is found needs the runtime only; one that is not has the compiler made ready then.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401 (numba's own)
        rtsys.initialize(target_context)
        found = None
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None:
            _ready_compiler_without_scipy()
        else:
            self._has_code = True
        return found

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401 (numba's own)
        self._has_code = True
        super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    def has_code(self) -> bool:
        """Whether the function was compiled before, by this process or another, from the source that it has now."""
        if not self._has_code:
            try:
                self._has_code = bool(self._cache_file._load_index())  # type: ignore[no-untyped-call]
            except Exception:
                # One that is damaged, in any way that a pickle can be, holds nothing.
                return False
        return self._has_code

    _has_code = False


_caches: list[_LoadingCache] = []


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function: cached on disk, and without the interpreter's lock while it runs."""
    compiled: Any = njit(cache=True, nogil=True)(function)
    compiled._cache = cache = _LoadingCache(function)  # type: ignore[no-untyped-call]
    _caches.append(cache)
    return cast(Callable[Parameters, Result], compiled)


def are_compiled() -> bool:
    """Whether any of the kernels that are imported was compiled before: if not, the first use takes many seconds."""
    return any(cache.has_code() for cache in _caches)


def _ready_compiler_without_scipy() -> None:
    """Import what compiling needs: numba would import scipy for its BLAS, which no kernel here uses."""
    if "scipy.linalg" in sys.modules:
        return
    held: dict[str, Any] = sys.modules
    held["scipy.linalg"] = None
    try:
        import_module("numba.np.arraymath")
    finally:
        del held["scipy.linalg"]
