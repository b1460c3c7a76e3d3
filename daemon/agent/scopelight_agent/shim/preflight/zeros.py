"""Arrays of zeros that take no memory: what programs return that do not run."""

import mmap
import sys
from collections.abc import Sequence
from typing import Any

_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)


def zeros(shape: Sequence[int], dtype: Any, device: Any) -> Any:  # noqa: ANN401 (types of the user's jax)
    """An array of ``shape`` on one device, whose pages are only made where somebody reads them."""
    jax, numpy = sys.modules["jax"], sys.modules["numpy"]
    items = 1
    for each in shape:
        items *= int(each)
    if items == 0:
        host = numpy.zeros(shape, dtype)
    else:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
        host = numpy.frombuffer(mmap.mmap(-1, items * dtype.itemsize, flags=flags), dtype).reshape(shape)
    return jax.device_put(host, device, may_alias=True)
