"""How the process takes memory for columns from the system, and gives it back."""

import ctypes
import sys
from typing import Any, Final

# glibc's parameters (malloc.h).
_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
LEAST_MAPPED_BYTES: Final = 32 << 20
"""A larger block goes back to the system as soon as it is freed."""
MOST_KEPT_BYTES: Final = 1 << 30


def keep_freed_memory() -> None:
    """Have what is freed used again, by all threads, instead of going back to the system page by page.

    A page that comes from the system is first filled with zeros: reading a profile, whose columns come and go, takes
    a fifth longer so. By default glibc gives back each block of 128 KiB at first, and has a heap for each thread, in
    which what another freed is not used. Other systems than Linux with glibc stay as they are.
    """
    library = _glibc()
    if library is not None:
        library.mallopt(_M_MMAP_THRESHOLD, LEAST_MAPPED_BYTES)
        library.mallopt(_M_TRIM_THRESHOLD, MOST_KEPT_BYTES)
        library.mallopt(_M_ARENA_MAX, 1)


def give_back_freed_memory() -> None:
    """Give what is kept to the system: half of what reading took, of a profile of millions of events."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


def _glibc() -> Any:  # noqa: ANN401 (ctypes knows no types of functions)
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL(None)
    except OSError:
        return None
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
