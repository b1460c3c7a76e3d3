"""Compiling kernels ahead of their first use, when Scopelight is set up: ``python -m scopelight.formats.native.ahead``.

``ahead.txt`` lists the types that kernels are called with; ``--list`` writes it anew, with what was kept since.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from scopelight.formats.kernels import Kernel
from scopelight.formats.native.store import is_kept, kept_descriptions, load, supported

LIST: Final = Path(__file__).parent / "ahead.txt"
_TYPE: Final = re.compile(
    r"(?P<tuple>\w+)\((?P<inner>[^()]*)\)|(?P<dtype>[<|]\w+)(?::(?P<ndim>\d)(?P<layout>[CA])(?P<writes>[rw]))?"
)


def compile_ahead() -> int:
    """Compile the kernels that are listed and not kept yet: how many."""
    if not supported():
        return 0
    from scopelight.formats.native.compiling import compile_and_keep  # noqa: PLC0415

    count = 0
    for kernel, arguments in listed():
        if load(kernel, arguments) is None and compile_and_keep(kernel, arguments) is not None:
            count += 1
    return count


def listed() -> Iterator[tuple[Kernel[..., Any], tuple[Any, ...]]]:
    """The kernels of the list, each with arguments of the types that it is called with."""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        place, _, types = line.partition(" ")
        module, _, name = place.rpartition(".")
        kernel = getattr(import_module(module), name, None)
        # One that was renamed since, or takes something else, is compiled when it is used.
        if isinstance(kernel, Kernel):
            arguments = tuple(_arguments(types, kernel.function.__globals__))
            if len(arguments) == kernel.function.__code__.co_argcount:
                yield kernel, arguments


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
