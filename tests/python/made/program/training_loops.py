"""Runs of the programs of training loops, and annotations of their steps."""

import numpy as np

from made.profiles import SCALAR, WEIGHT, module
from scopelight.model.profile import StepMarks

GRADIENT = ("jit(step)/transpose(jvp(f))/dot", "jit(step)/jvp(f)/dot", "jit(step)/sub")
TRAIN = module("jit_train_step", "1", [WEIGHT, SCALAR], [WEIGHT, SCALAR], op_names=GRADIENT)
EVALUATE = module("jit_evaluate", "2", [WEIGHT, SCALAR], [SCALAR], op_names=("jit(evaluate)/dot",))
ACCUMULATE = module("jit_accumulate", "3", [WEIGHT, WEIGHT, WEIGHT], [WEIGHT], op_names=GRADIENT)
APPLY = module("jit_apply", "4", [WEIGHT, WEIGHT], [WEIGHT], op_names=("jit(apply)/sub",))
METRICS = module("jit_metrics", "6", [WEIGHT, SCALAR], [SCALAR], op_names=("jit(metrics)/mean",))
SLICE = module("jit_dynamic_slice", "5", [WEIGHT], [WEIGHT], size=4)


def one_after_the_other(kinds, duration=100, gap=10):
    """Runs of programs by number, with a pause behind each; ``duration`` is of all of them or by program."""
    durations = duration if isinstance(duration, dict) else dict.fromkeys(set(kinds), duration)
    runs, at = [], 0
    for kind in kinds:
        runs.append((kind, at, durations[kind]))
        at += durations[kind] + gap
    return runs


def marks(starts, duration, name="fit"):
    """The annotations of steps."""
    count = len(starts)
    return StepMarks(name, np.arange(count), np.array(starts, dtype=np.int64), np.full(count, duration, dtype=np.int64))
