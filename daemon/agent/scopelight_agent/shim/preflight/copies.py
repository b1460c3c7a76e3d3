"""Where jax copies arrays to devices: copies of large ones are zeros there, which take no memory."""

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

from .zeros import spread_zeros

LARGE_BYTES = 32 << 20
"""What a copy may take of all devices' memory, which is the memory of one host.

Smaller ones have their values: what is put on a device may be read back. It would not be of large ones, of which all
results are zeros anyway.
"""
SMALL_BYTES = 64 << 10
"""From here on what is the same on all devices is there once."""


def take_no_memory() -> None:
    """Have jax place zeros where it would copy a large array, from the host or from other devices."""
    client = sys.modules["jax._src.lib"].xla_client
    client.batched_device_put = _placing(client.batched_device_put)
    client.batched_copy_array_to_devices_with_sharding = _moving(client.batched_copy_array_to_devices_with_sharding)
    array: Any = sys.modules["jax._src.array"]
    array.shard_sharded_device_array_slow_path = _dividing_anew(array.shard_sharded_device_array_slow_path)
    extension: Any = getattr(sys.modules["jax._src.lib"], "_jax", None)
    if hasattr(extension, "shard_args"):
        extension.shard_args = _passing(extension.shard_args)


def _placing(place: Callable[..., Any]) -> Callable[..., Any]:
    """Of parts, one for each device."""

    def place_or_zeros(
        aval: Any,  # noqa: ANN401 (types of the user's jax)
        sharding: Any,  # noqa: ANN401
        parts: Sequence[Any],
        devices: Sequence[Any],
        committed: bool = True,
        *more: Any,  # noqa: ANN401
        **named: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        bytes_ = sum(getattr(each, "nbytes", 0) for each in parts)
        if bytes_ > LARGE_BYTES:
            return spread_zeros(aval, sharding, devices, committed=committed)
        if bytes_ > SMALL_BYTES and len(parts) > 1 and all(each is parts[0] for each in parts):
            parts = [_shared(place, parts[0], devices[0])] * len(parts)
        return place(aval, sharding, parts, devices, committed, *more, **named)

    # Where zeros are placed, they are placed as they were.
    vars(place_or_zeros)["__wrapped__"] = place
    return place_or_zeros


def _shared(place: Callable[..., Any], part: Any, device: Any) -> Any:  # noqa: ANN401
    """A view of a part on one device, which parts on other devices can be views of."""
    jax, numpy = sys.modules["jax"], sys.modules["numpy"]
    if not isinstance(part, jax.Array):
        aval = jax.core.ShapedArray(part.shape, jax.dtypes.canonicalize_dtype(part.dtype))
        # It is not the script's own memory, which may change.
        own = numpy.array(part, aval.dtype)
        part = place(aval, jax.sharding.SingleDeviceSharding(device), [own], [device], True)
    return numpy.asarray(part)


def _moving(move: Callable[..., Sequence[Any]]) -> Callable[..., Any]:
    """Of arrays that stay divided as they are, and may have to be elsewhere."""

    def move_or_zeros(
        arrays: Sequence[Any], devices: Sequence[Any], shardings: Sequence[Any], semantics: Sequence[Any]
    ) -> Sequence[Any]:
        moved = [
            _moved(*each) if _is_large(each[0], each[2]) and _is_copied(*each) else None
            for each in zip(arrays, devices, shardings, semantics, strict=True)
        ]
        if not any(each is not None for each in moved):
            return move(arrays, devices, shardings, semantics)
        left = [place for place, each in enumerate(moved) if each is None]
        others = move(*([each[place] for place in left] for each in (arrays, devices, shardings, semantics)))
        for place, other in zip(left, others, strict=True):
            moved[place] = other
        return moved

    return move_or_zeros


def _moved(array: Any, devices: Sequence[Any], sharding: Any, semantics: Any) -> Any:  # noqa: ANN401
    zeros = spread_zeros(array.aval, sharding, devices, committed=array.committed)
    if "DONATE" in str(semantics).upper():
        array.delete()
    return zeros


def _is_copied(array: Any, devices: Sequence[Any], sharding: Any, semantics: Any) -> bool:  # noqa: ANN401
    now = array.sharding
    stays = tuple(now._addressable_device_assignment) == tuple(devices) and now.memory_kind == sharding.memory_kind
    return not stays or "COPY" in str(semantics).upper()


def _dividing_anew(divide: Callable[..., Any]) -> Callable[..., Any]:
    """Of arrays that are divided in another way than they shall be: jax collects them on the host."""

    def divide_or_zeros(array: Any, devices: Sequence[Any], indices: Any, sharding: Any) -> Any:  # noqa: ANN401
        if _is_large(array, sharding):
            return spread_zeros(array.aval, sharding, devices)
        return divide(array, devices, indices, sharding)

    return divide_or_zeros


def _passing(pass_: Callable[..., Any]) -> Callable[..., Any]:
    """Of arrays of the host that a program is called with, as newer versions of jax do all at once."""

    def pass_or_place(
        shardings: Sequence[Any],
        layouts: Any,  # noqa: ANN401
        semantics: Any,  # noqa: ANN401
        arrays: Sequence[Any],
        *,
        fallback: Callable[..., Any],
        **more: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        if any(_takes(*each) > SMALL_BYTES for each in zip(arrays, shardings, strict=True)):
            return fallback(shardings, layouts, semantics, arrays)
        return pass_(shardings, layouts, semantics, arrays, fallback=fallback, **more)

    return pass_or_place


def _is_large(array: Any, sharding: Any) -> bool:  # noqa: ANN401
    return _takes(array, sharding) > LARGE_BYTES


def _takes(array: Any, sharding: Any) -> int:  # noqa: ANN401
    """The bytes that an array takes on all devices."""
    devices = len(sharding._addressable_device_assignment)
    part: Sequence[int] = sharding.shard_shape(array.shape)
    return math.prod(part) * int(array.dtype.itemsize) * devices
