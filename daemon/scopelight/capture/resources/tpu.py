"""TPUs: use and memory, as Google's package ``tpu-info`` tells them where it is installed beside Scopelight.

It asks the runtime that uses the TPUs, which serves such figures by itself: each question is a connection to it for as
long as the answer takes, so they are few.
"""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

_DEVICE_FILES = ("/dev/accel*", "/dev/vfio/[0-9]*")


class Tpus:
    """The TPUs that a runtime on this machine uses. ``chip`` is a kind of chip as ``metrics`` of tpu-info takes it."""

    part = "TPUs"
    every_seconds = 5.0

    def __init__(self, metrics: Any, chip: Any) -> None:  # noqa: ANN401 (of a package without types)
        self._metrics = metrics
        self._chip = chip

    def read(self) -> Sequence[Mapping[str, Any]]:
        """Each device: for which share of the last seconds it worked, and its memory; none while no runtime answers."""
        try:
            usages = self._metrics.get_chip_usage(self._chip)
        except Exception:  # Whatever gRPC raises: the script may not have begun to use them.
            return ()
        return [
            {
                "kind": "tpu",
                "index": int(each.device_id),
                "name": str(self._chip),
                "busy_ratio": float(each.duty_cycle_pct) / 100,
                "used_bytes": int(each.memory_usage),
                "total_bytes": int(each.total_memory),
            }
            for each in usages
        ]

    def close(self) -> None:
        """Nothing is kept open."""


def tpus() -> Tpus | None:
    """The TPUs of this machine; None where it has none, or nothing tells of them."""
    if not any(glob.glob(each) for each in _DEVICE_FILES) or find_spec("tpu_info") is None:  # noqa: PTH207
        return None
    from tpu_info import device, metrics  # noqa: PLC0415 (it imports gRPC, and few machines have a TPU)

    chip, number = device.get_local_chips()
    return Tpus(metrics, chip) if chip is not None and number else None
