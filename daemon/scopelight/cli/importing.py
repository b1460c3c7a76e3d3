"""Importing what a command needs."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def importing() -> Iterator[None]:
    """While modules are imported nothing is looked through for garbage.

    Imports make a hundred thousand objects that stay: to look through them takes a tenth of a second.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
