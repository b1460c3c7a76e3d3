"""Engines: what looks through the files of many hosts at once."""

import contextlib
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from typing import Any, Final

from scopelight.analysis.options import OptionError
from scopelight.phrase import Phrase

FILES_FOR_PROCESSES: Final = 8
"""So many files are worth the start of processes."""
_DASK: Final = "dask://"
_SECONDS: Final = 5


@contextlib.contextmanager
def engine(name: str | None, files: int) -> Iterator[Executor]:
    """What executes the work on so many files, by its name; without one as many files as there are decide.

    Raises `OptionError` where there is no engine of that name, or it cannot be reached.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = max(1, min(files, cores))
    if name is not None and name.startswith(_DASK):
        with _cluster(name) as executor:
            yield executor
        return
    if name not in (None, "threads", "processes"):
        raise OptionError(
            "engine",
            Phrase("No engine is called {name!r}: threads, processes, or dask://HOST:PORT.", name=name),
        )
    if name == "processes" or (name is None and files >= FILES_FOR_PROCESSES and workers > 1):
        # A fork would copy whatever other threads of this process hold.
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as executor:
            yield executor
        return
    with ThreadPoolExecutor(workers) as executor:
        yield executor


@contextlib.contextmanager
def _cluster(name: str) -> Iterator[Executor]:
    try:
        connect: Any = import_module("distributed").Client
    except ImportError:
        raise OptionError(
            "engine", Phrase("dask:// needs Dask: install it with pip install 'scopelight[dask]'.")
        ) from None
    address = "tcp://" + name.removeprefix(_DASK)
    try:
        client: Any = connect(address, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise OptionError(
            "engine", Phrase("No Dask cluster could be reached at {address}.", address=address)
        ) from error
    with client:
        yield client.get_executor(retries=2, pure=False)
