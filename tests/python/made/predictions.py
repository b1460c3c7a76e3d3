"""Runs that were predicted for TPUs: what `scripts/predict.py` keeps of a compiler's word, small enough to lie here."""

import json
import shutil
from pathlib import Path

RUNS = Path(__file__).with_name("predicted_runs")
SCAN, UNROLLED = RUNS / "scan", RUNS / "unrolled"
"""The same step of a small transformer, for one device of v5e-8: its layers as a scan, and as a loop of Python's."""
MESH = RUNS / "mesh"
"""A step on four by two devices of v5e-8, with collectives; the second time it runs it is another program."""
SLICES = RUNS / "slices"
"""A step on both slices of 2xv5e-16: between them it sends and receives, of which there is no estimate."""
KERNELS = RUNS / "kernels"
"""For v6e-8: a kernel of Pallas, a sort and a call of Python, which have no estimate, and a loop of unknown length."""
NO_ROOM = RUNS / "no_room"
"""Of two programs for v5e-8 the second does not fit."""
PARTS = RUNS / "parts"
"""A program for v5e-8 that the compiler refuses for three of its ops: others are emulated, one is on the host."""
ALL = (SCAN, UNROLLED, MESH, SLICES, KERNELS, NO_ROOM)


def lacking(run: Path, copy: Path, outcome: str, *, times: int = 5) -> Path:
    """A copy of a run whose script also called ``jit(update)`` so often, of which the compiler gave nothing."""
    shutil.copytree(run, copy)
    said = json.loads((copy / "prediction.json").read_text())
    said["programs"].append({"number": 99, "name": "jit(update)", "outcome": outcome, "message": "it ended"})
    said["calls"] += [{"program": 99, "times": times}] if times else []
    (copy / "prediction.json").write_text(json.dumps(said))
    return copy
