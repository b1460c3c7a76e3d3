"""Records made by hand: lines of a training step, and the record around them."""

from scopelight.analysis.records import (
    DeviceRecord,
    LineOpRecord,
    LineRecord,
    LinesRecord,
    StepRecord,
    StepTimeRecord,
)


def op(self_ps, **changes):
    """A product that was measured."""
    fields = {
        "key": f"{changes.get('program_id', '7')}/{changes.get('name', 'dot.1')}",
        "name": "dot.1",
        "category": "dot",
        "self_ps": self_ps,
        "shared": bool(changes.get("shared_with")),
        "executions": 3,
        "program_id": "7",
        "inherited": False,
        "primitive": "dot_general",
        "scope": "jit(step)/mlp",
        "shape": "f32[8,4]",
        "operand_shapes": ("f32[8,2]", "f32[2,4]"),
        "shared_with": (),
    }
    return LineOpRecord(**{**fields, **changes})


def line(path, number, self_ps, *, shared=False, **changes):
    """A line with one op, a quarter forward and the rest backward, half of it in each of two steps."""
    fields = {
        "key": f"{path}:{number}",
        "path": path,
        "file": None,
        "line": number,
        "function": "loss",
        "self_ps": self_ps,
        "inclusive_ps": self_ps,
        "forward_ps": self_ps // 4,
        "backward_ps": self_ps - self_ps // 4,
        "recompute_ps": 0,
        "optimizer_ps": 0,
        "other_ps": 0,
        "per_step_ps": self_ps // 2,
        "inclusive_per_step_ps": changes.get("inclusive_ps", self_ps) // 2,
        "per_step_spread_ps": 10**8,
        "executions": 3,
        "executions_per_step": 1.5,
        "ops": (op(self_ps, shared=shared),) if self_ps else (),
    }
    return LineRecord(**{**fields, **changes})


def record(lines, **changes):
    """Two steps of 32 and 34 ms, found from the repeating program."""
    whole = sum(each.self_ps for each in lines)
    fields = {
        "op_time_ps": whole,
        "attributed_ps": whole,
        "unattributed_ps": 0,
        "outside_steps_ps": 0,
        "devices": (DeviceRecord("/device:CPU:0", "cpu", 0, 0, whole),),
        "steps_source": "repetition",
        "steps_name": "jit_step",
        "steps": (StepRecord(0, 32_000_000_000), StepRecord(32_000_000_000, 34_000_000_000)),
        "step_time": StepTimeRecord(
            steps=2,
            median_ps=33_000_000_000,
            least_ps=32_000_000_000,
            greatest_ps=34_000_000_000,
            mean_ps=33_000_000_000,
            busy_ps=30_000_000_000,
            compiling_ps=0,
            waiting_ps=3_000_000_000,
        ),
        "window": {},
        "findings": (),
        "lines": tuple(lines),
        "unattributed_ops": (),
        "functions": (),
        "stacks": (),
    }
    return LinesRecord(**{**fields, **changes})
