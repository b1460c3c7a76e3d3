"""How far times may be from what is measured otherwise."""

import json
import os
import subprocess
from pathlib import Path

from accuracy import steps
from bench import Bench

FUSIONS = Path(__file__).with_name("fusions.py")
FUSION_CHEAP_RATIO = 1 / 6
"""Of a fusion's two lines the cheap one takes at most this share; where it takes more, there is none."""


def add_steps(bench: Bench) -> None:
    """Op time and median steps of workloads, beside their own clocks."""
    figures = steps.measure(bench.python)
    ratio = figures.op_time_ratio
    bench.bars.add("op time of products: off by", "", f"{ratio:.3g} of processor time", abs(ratio - 1), most=0.15)
    for name, found in figures.median_step_ratios.items():
        bench.bars.add(f"median step of {name}: off by", "", f"{found:.3g} of its own", abs(found - 1), most=0.05)


def add_fusions(bench: Bench) -> None:
    """How fusions are divided, beside the times of their parts."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    printed = subprocess.run([bench.python, FUSIONS], check=True, env=environment, stdout=subprocess.PIPE, text=True)
    for each in json.loads(printed.stdout):
        estimated, measured = each["estimated_ratio"], each["measured_ratio"]
        figure, ours, theirs = f"fusion of {each['name']}", f"{estimated:.1%} cheap", f"measured {measured:.1%}"
        if measured > FUSION_CHEAP_RATIO:
            bench.bars.report(figure, ours, theirs)
        else:
            bench.bars.add(f"{figure}: off by", ours, theirs, abs(estimated - measured), most=0.10)
