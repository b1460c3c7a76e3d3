"""Arrays of zeros that take no memory: what programs return that do not run, and large arrays that nobody computes."""

import functools
import math
import mmap
import sys
import threading
from collections.abc import Sequence
from typing import Any

_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
_LEAST_BYTES = 1 << 30


class _Mapping:
    """One mapping of which all zeros are views: a process can only have so many. It grows by making a larger one.

    Nobody can write to it, so that it stays zeros, and its pages all are the one page of zeros that the system has.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mapped: mmap.mmap | None = None
        self._places: list[range] = []
        """Addresses of all that were made."""

    def of(self, bytes_: int) -> mmap.mmap:
        """One that is at least so large."""
        with self._lock:
            if self._mapped is None or len(self._mapped) < bytes_:
                size = max(bytes_, _LEAST_BYTES, 0 if self._mapped is None else 2 * len(self._mapped))
                flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
                try:
                    self._mapped = mmap.mmap(-1, size, flags=flags, prot=mmap.PROT_READ)
                except OSError:
                    # Address space may be short where twice as much is no need.
                    self._mapped = mmap.mmap(-1, bytes_, flags=flags, prot=mmap.PROT_READ)
                start = _address(sys.modules["numpy"].frombuffer(self._mapped, "u1", 1))
                self._places = [*self._places, range(start, start + len(self._mapped))]
            return self._mapped

    def has(self, address: int) -> bool:
        """Whether there are zeros of ours at an address."""
        return any(address in each for each in self._places)


_MAPPING = _Mapping()


def are_zeros(array: Any) -> bool:  # noqa: ANN401 (of jax, of numpy, or a number)
    """Whether an array has our zeros in place of values. Of one on several devices it is taken to."""
    if isinstance(array, sys.modules["jax"].Array):
        try:
            return _MAPPING.has(array.unsafe_buffer_pointer())
        except Exception:
            return True
    return isinstance(array, sys.modules["numpy"].ndarray) and _MAPPING.has(_address(array))


def _address(array: Any) -> int:  # noqa: ANN401
    place: int = array.__array_interface__["data"][0]
    return place


def host_zeros(shape: Sequence[int], dtype: Any) -> Any:  # noqa: ANN401 (types of the user's numpy)
    """An array of the host, which nobody can write to."""
    numpy = sys.modules["numpy"]
    items = math.prod(map(int, shape))
    if items == 0:
        return numpy.zeros(shape, dtype)
    return numpy.frombuffer(_MAPPING.of(items * dtype.itemsize), dtype, items).reshape(shape)


def spread_zeros(
    aval: Any,  # noqa: ANN401 (types of the user's jax)
    sharding: Any,  # noqa: ANN401
    devices: Sequence[Any],
    *,
    committed: bool = True,
) -> Any:  # noqa: ANN401
    """An array of jax for the abstract value ``aval``, divided by ``sharding``, of one part on each of ``devices``."""
    place = sys.modules["jax._src.lib"].xla_client.batched_device_put
    part = host_zeros(sharding.shard_shape(aval.shape), aval.dtype)
    # Our own way of placing arrays wraps jax's, which lets them share the memory of what they are made of.
    place = getattr(place, "__wrapped__", place)
    return place(aval, sharding, [part] * len(devices), list(devices), committed)


def parts_of_zeros(
    shape: Sequence[int],
    dtype: Any,  # noqa: ANN401 (types of the user's jax)
    devices: Sequence[Any],
    memory_kind: str | None = None,
) -> Sequence[Any]:
    """An array of ``shape`` on each of ``devices``, in their memory of a kind."""
    jax = sys.modules["jax"]
    aval = jax.core.ShapedArray(tuple(shape), dtype)
    place = functools.partial(jax.sharding.SingleDeviceSharding, memory_kind=memory_kind)
    return [spread_zeros(aval, place(each), [each]) for each in devices]
