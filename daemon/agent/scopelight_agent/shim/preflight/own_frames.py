"""Frames of ours, which are neither where an op comes from nor what a script's errors show."""

import os
import sys


def leave_out_own_frames() -> None:
    """Have jax take our files for its own, as it does its internal ones: those of the shim that a call passes."""
    folder = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 (pathlib is slow to import here)
    for name in ("jax._src.source_info_util", "jax._src.traceback_util"):
        for each in sorted(os.listdir(folder)):  # noqa: PTH208
            if each.endswith(".py"):
                sys.modules[name].register_exclusion(os.path.join(folder, each))  # noqa: PTH118
