"""Where the machine code of kernels is kept, and how it is called."""

import ctypes
import itertools
import json
import mmap
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from scopelight.formats.native.results import reader_of, words_of
from scopelight.formats.native.signature import described

_MAGIC: Final = b"SLKERNEL"
_HEADER: Final = struct.Struct("<8sII")
"""Magic, checksum of all that follows, bytes of the description that follows."""
ALIGNMENT: Final = 64
"""Of the machine code in its file."""
_DONE: Final = (0, -2)
"""What numba's functions return where they raised nothing (-2: and returned None)."""
_ENDING: Final = ".kernel"


def supported() -> bool:
    """Whether machine code is kept and called on this system."""
    return (
        sys.platform == "linux"
        and sys.implementation.name == "cpython"
        and os.uname().machine == "x86_64"
        and struct.calcsize("P") == 8
    )


def folders() -> tuple[Path, ...]:
    """Where kernels may be kept: the first that can be written is; all are looked into."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return (Path(chosen) / "scopelight",)
    own = Path(__file__).parent / "__pycache__"
    return (own, Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scopelight" / "kernels")


def load(kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:  # noqa: ANN401 (a Kernel)
    """What calls the kernel's kept machine code with such arguments; None where none is kept."""
    name = file_name(kernel, arguments)
    if name is None or name not in _kept():
        return None
    for folder in folders():
        entry = _entry_of(folder / name, kernel, arguments)
        if entry is not None:
            return entry
    return None


def keep(kernel: Any, arguments: tuple[Any, ...], code: bytes, start: int, shape: object) -> bool:  # noqa: ANN401
    """Write machine code that begins at byte ``start`` of ``code``. Whether it could be kept."""
    name = file_name(kernel, arguments)
    assert name is not None
    known = {"module": kernel.__module__, "name": kernel.__name__, "types": [described(each) for each in arguments]}
    description = json.dumps({"start": start, "result": shape, **known}).encode()
    description = description.ljust(-(-(_HEADER.size + len(description)) // ALIGNMENT) * ALIGNMENT - _HEADER.size)
    content = description + code
    content = _HEADER.pack(_MAGIC, zlib.crc32(content), len(description)) + content
    for folder in folders():
        unfinished = folder / f"{name}.{os.getpid()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(content)
            unfinished.replace(folder / name)
        except OSError:
            continue
        _kept.cache_clear()
        _drop_older(folder, name)
        return True
    return False


def kept_descriptions() -> Iterator[dict[str, Any]]:
    """What each file says of itself: module, name and types of its kernel."""
    for folder in folders():
        for name in _listed(folder):
            with (folder / name).open("rb") as file:
                _, _, length = _HEADER.unpack(file.read(_HEADER.size))
                yield json.loads(file.read(length))


def is_kept(module: str, name: str, digest: str) -> bool:
    """Whether a kernel's machine code is kept, for any types."""
    return any(each.startswith(f"{module}.{name}-") and f"-{digest}." in each for each in _kept())


def file_name(kernel: Any, arguments: tuple[Any, ...]) -> str | None:  # noqa: ANN401 (a Kernel)
    """The name of the file for arguments of these types, None where no machine code is kept for them."""
    types = [described(each) for each in arguments]
    if None in types:
        return None
    # The types first: of one kernel and one list of types only the latest code is kept.
    return f"{_prefix(kernel, types)}{kernel.digest()}{_ENDING}"


def _prefix(kernel: Any, types: list[str | None]) -> str:  # noqa: ANN401 (a Kernel)
    sum_of_types = zlib.crc32("; ".join(map(str, types)).encode())
    return f"{kernel.__module__}.{kernel.__name__}-{sys.implementation.cache_tag}-{sum_of_types:08x}-"


@cache
def _kept() -> frozenset[str]:
    """The names of all files."""
    return frozenset(itertools.chain.from_iterable(_listed(each) for each in folders()))


def _listed(folder: Path) -> Iterator[str]:
    try:
        yield from (each.name for each in os.scandir(folder) if each.name.endswith(_ENDING))
    except OSError:
        return


def _drop_older(folder: Path, name: str) -> None:
    prefix = name[: -len(_ENDING)].rpartition("-")[0] + "-"
    for each in _listed(folder):
        if each.startswith(prefix) and each != name:
            (folder / each).unlink(missing_ok=True)


def _entry_of(path: Path, kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:  # noqa: ANN401
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)
    except (OSError, ValueError):
        # Not there, empty, or of a file system whose files may not be run.
        return None
    if len(mapped) < _HEADER.size:
        return None
    magic, checksum, length = _HEADER.unpack_from(mapped)
    if magic != _MAGIC or zlib.crc32(memoryview(mapped)[_HEADER.size :]) != checksum:
        return None
    description = json.loads(mapped[_HEADER.size : _HEADER.size + length])
    start = _HEADER.size + length + description["start"]
    return _caller(mapped, start, description["result"], kernel, arguments)


def _caller(mapped: mmap.mmap, start: int, shape: Any, kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:  # noqa: ANN401
    address = np.frombuffer(mapped, np.uint8).__array_interface__["data"][0] + start
    types = [ctypes.c_double if isinstance(each, float) else ctypes.c_int64 for each in _flat(arguments)]
    # numba's own convention: where a result goes, where an exception goes, then the arguments.
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *types, ctypes.c_void_p)(address)
    words = words_of(shape)
    read = reader_of(shape, kernel.function.__globals__)
    buffers = ctypes.c_int64 * (words + 2)

    def call(*given: Any) -> Any:  # noqa: ANN401 (whatever the kernel takes and returns)
        written = buffers()
        at = ctypes.addressof(written)
        status = function(at, at + 8, *_flat(given), at + 16)
        if status not in _DONE:
            raise RuntimeError(f"the kernel {kernel.__name__} ended with {status}")
        return read(written[2:])

    # The code is there for as long as it may be called.
    call.mapped = mapped  # type: ignore[attr-defined]
    return call


def _flat(arguments: tuple[Any, ...]) -> list[int | float]:
    """Arguments as numbers: arrays as the addresses of their objects, tuples as their items."""
    numbers: list[int | float] = []
    for each in arguments:
        if isinstance(each, np.ndarray):
            numbers.append(id(each))
        elif isinstance(each, tuple):
            numbers.extend(_flat(each))
        elif isinstance(each, float):
            numbers.append(each)
        else:
            numbers.append(int(each))
    return numbers
