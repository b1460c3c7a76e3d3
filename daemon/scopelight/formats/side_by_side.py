"""Threads that read lines of a file side by side: kernels run without the interpreter's lock."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final

MOST_THREADS: Final = 4
"""Lines decoded at once: each takes memory while it is decoded."""


def reading_threads() -> ThreadPoolExecutor:
    """As many as there are processors for, and not too many."""
    return ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1))
