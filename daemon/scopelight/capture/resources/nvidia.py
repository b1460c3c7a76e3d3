"""NVIDIA's GPUs: use and memory as their driver's library tells them (NVML).

The library comes with the driver, and six functions of it are called: the package that wraps all of it would be one
more to install for everyone. None of them opens a context on a GPU.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ctypes

_LIBRARY = "nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1"
_DRIVER_FILE = "/dev/nvidiactl"
_NAME_BYTES = 96


class NvmlError(OSError):
    """The library returned an error of its own."""


class NvidiaGpus:
    """All GPUs of the machine, whoever uses them."""

    part = "GPUs"
    every_seconds = 0.0

    def __init__(self, library: ctypes.CDLL) -> None:
        import ctypes  # noqa: PLC0415 (few machines have such a GPU)

        class Used(ctypes.Structure):
            _fields_ = (("gpu", ctypes.c_uint), ("memory", ctypes.c_uint))

        class Memory(ctypes.Structure):
            _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))

        self._library = library
        self._by_reference = ctypes.byref
        self._used, self._memory = Used(), Memory()
        self._call("nvmlInit_v2")
        count = ctypes.c_uint()
        self._call("nvmlDeviceGetCount_v2", ctypes.byref(count))
        self._devices: list[tuple[int, str, ctypes.c_void_p]] = []
        for index in range(count.value):
            device, name = ctypes.c_void_p(), ctypes.create_string_buffer(_NAME_BYTES)
            self._call("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index), ctypes.byref(device))
            self._call("nvmlDeviceGetName", device, name, ctypes.c_uint(_NAME_BYTES))
            self._devices.append((index, name.value.decode("utf-8", "replace"), device))

    def read(self) -> Sequence[Mapping[str, Any]]:
        """Each GPU: for which share of the last moments a kernel ran on it, and its memory. Raises `NvmlError`."""
        said = []
        for index, name, device in self._devices:
            row: dict[str, Any] = {"kind": "gpu", "index": index, "name": name}
            try:
                self._call("nvmlDeviceGetUtilizationRates", device, self._by_reference(self._used))
                row["busy_ratio"] = self._used.gpu / 100
            except NvmlError:
                # A slice of a GPU (MIG) has no such rate.
                row["busy_ratio"] = None
            self._call("nvmlDeviceGetMemoryInfo", device, self._by_reference(self._memory))
            said.append({**row, "used_bytes": self._memory.used, "total_bytes": self._memory.total})
        return said

    def close(self) -> None:
        """Let go of the library."""
        self._call("nvmlShutdown")

    def _call(self, function: str, *arguments: object) -> None:
        code = getattr(self._library, function)(*arguments)
        if code != 0:
            raise NvmlError(f"{function} returned {code}")


def nvidia_gpus() -> NvidiaGpus | None:
    """The GPUs of this machine; None where it has none of NVIDIA's. Raises `NvmlError` where they cannot be asked."""
    if sys.platform != "win32" and not os.path.exists(_DRIVER_FILE):  # noqa: PTH110
        return None
    import ctypes  # noqa: PLC0415

    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None
    return NvidiaGpus(library)
