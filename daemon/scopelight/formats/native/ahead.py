"""Compiling kernels ahead of their first use, when Scopelight is set up: ``python -m scopelight.formats.native.ahead``.

``ahead.txt`` lists the types that kernels are called with; ``--list`` writes it anew, with what was kept since.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from scopelight.formats.kernels import Kernel
from scopelight.formats.native.store import is_kept, kept_descriptions, load, supported

_MOST_PROCESSES: Final = 4
"""Each imports the compiler, which takes seconds and 200 MB."""
LIST: Final = Path(__file__).parent / "ahead.txt"
_TYPE: Final = re.compile(
    r"(?P<tuple>\w+)\((?P<inner>[^()]*)\)|(?P<dtype>[<|]\w+)(?::(?P<ndim>\d)(?P<layout>[CA])(?P<writes>[rw]))?"
)


def compile_ahead() -> int:
    """Compile the kernels that are listed and not kept yet, in a process for each core: how many."""
    if not supported():
        return 0
    missing = [line for line, kernel, arguments in _listed() if load(kernel, arguments) is None]
    processes = min(len(os.sched_getaffinity(0)), _MOST_PROCESSES, len(missing))
    if processes > 1:
        # Where there can be no more processes, or one is killed for its memory, this one does what they left.
        with suppress(OSError, BrokenProcessPool), ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            return sum(pool.map(_compile, missing))
    return sum(map(_compile, missing))


def listed() -> Iterator[tuple[Kernel[..., Any], tuple[Any, ...]]]:
    """The kernels of the list, each with arguments of the types that it is called with."""
    for _, kernel, arguments in _listed():
        yield kernel, arguments


def _listed() -> Iterator[tuple[str, Kernel[..., Any], tuple[Any, ...]]]:
    for line in LIST.read_text(encoding="utf-8").splitlines():
        kernel = _named(line)
        # One that was renamed since, or takes something else, is compiled when it is used.
        if isinstance(kernel, Kernel):
            arguments = tuple(_arguments(line.partition(" ")[2], kernel.function.__globals__))
            if len(arguments) == kernel.function.__code__.co_argcount:
                yield line, kernel, arguments


def _compile(line: str) -> bool:
    """Compile the kernel of a line of the list. Whether it is kept now."""
    from scopelight.formats.native.compiling import compile_and_keep  # noqa: PLC0415

    kernel = _named(line)
    arguments = tuple(_arguments(line.partition(" ")[2], kernel.function.__globals__))
    return (load(kernel, arguments) or compile_and_keep(kernel, arguments)) is not None


def _arguments(types: str, names: Mapping[str, Any]) -> Iterator[Any]:
    for found in _TYPE.finditer(types):
        if found["tuple"]:
            yield names[found["tuple"]](*_arguments(found["inner"], names))
        elif found["ndim"]:
            yield _array(found)
        else:
            yield np.dtype(found["dtype"]).type(0)


def _array(found: re.Match[str]) -> np.ndarray:
    # Of two rows, so that every second column of them is not contiguous.
    shape = (2,) * int(found["ndim"])
    array = np.zeros(shape, found["dtype"])
    if found["layout"] == "A":
        array = np.zeros((*shape[:-1], 4), found["dtype"])[..., ::2]
    array.flags.writeable = found["writes"] == "w"
    return array


def write_list() -> None:
    """Write the list from the kernels that are kept here."""
    lines = {f"{each['module']}.{each['name']} {'; '.join(each['types'])}" for each in kept_descriptions()}
    kernels = {line for line in lines if isinstance(_named(line), Kernel) and _is_current(_named(line))}
    LIST.write_text("".join(f"{line}\n" for line in sorted(kernels)), encoding="utf-8")


def _named(line: str) -> Any:  # noqa: ANN401 (whatever has that name)
    module, _, name = line.partition(" ")[0].rpartition(".")
    return getattr(import_module(module), name, None) if module.startswith("scopelight.") else None


def _is_current(kernel: Kernel[..., Any]) -> bool:
    return is_kept(kernel.__module__, kernel.__name__, kernel.digest())


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        write_list()
    else:
        print(f"{compile_ahead()} kernels compiled")
