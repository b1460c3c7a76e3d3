"""Kernels that numba runs, from its own cache on disk: where no machine code of ours can be kept.

What is found in the cache is loaded without what only compiling needs.
"""

from typing import Any

from numba import njit
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

from scopelight.formats.kernels import Kernel
from scopelight.formats.native.compiling import ready_compiler_without_scipy, with_numbas


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
            ready_compiler_without_scipy()
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


_dispatchers: dict[Kernel[..., Any], Any] = {}


def dispatcher(kernel: Kernel[..., Any]) -> Any:  # noqa: ANN401 (numba's own)
    """The kernel as numba runs it: cached on disk, and without the interpreter's lock while it runs."""
    if kernel not in _dispatchers:
        function = with_numbas(kernel.function, dispatcher)
        compiled: Any = njit(cache=True, nogil=True)(function)
        compiled._cache = _LoadingCache(function)  # type: ignore[no-untyped-call]
        _dispatchers[kernel] = compiled
    return _dispatchers[kernel]


def has_code(kernel: Kernel[..., Any]) -> bool:
    """Whether numba's cache has the kernel."""
    return bool(dispatcher(kernel)._cache.has_code())
