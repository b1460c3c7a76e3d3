"""Records made by hand: lines of a training step, and the record around them."""

import attrs

from scopelight.analysis.records import (
    DeviceRecord,
    ExtentRecord,
    LineOpRecord,
    LineRecord,
    LinesRecord,
    StepRecord,
    StepTimeRecord,
    WallRecord,
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
    """A line with one op, a quarter forward and the rest backward, half of it in each of two steps.

    Its part of the wall clock is its self time; of which whole that is a share, the record around it says.
    """
    inclusive_ps = changes.get("inclusive_ps", self_ps)
    fields = {
        "key": f"{path}:{number}",
        "path": path,
        "file": None,
        "line": number,
        "function": "loss",
        "self_ps": self_ps,
        "inclusive_ps": self_ps,
        "wall_ps": self_ps,
        "inclusive_wall_ps": inclusive_ps,
        "forward_ps": self_ps // 4,
        "backward_ps": self_ps - self_ps // 4,
        "recompute_ps": 0,
        "optimizer_ps": 0,
        "other_ps": 0,
        "per_step_ps": self_ps // 2,
        "inclusive_per_step_ps": inclusive_ps // 2,
        "per_step_spread_ps": 10**8,
        "op_time_per_step_ps": self_ps // 2,
        "executions": 3,
        "executions_per_step": 1.5,
        "ops": (op(self_ps, shared=shared),) if self_ps else (),
    }
    return LineRecord(**{**fields, **changes})


def shared(lines, whole):
    """The lines with their shares of a wall clock."""
    return tuple(
        attrs.evolve(
            each,
            share_ratio=(each.wall_ps + each.waiting_ps) / max(1, whole),
            waiting_share_ratio=each.waiting_ps / max(1, whole),
            inclusive_share_ratio=(each.inclusive_wall_ps + each.waiting_inclusive_ps) / max(1, whole),
        )
        for each in lines
    )


def record(lines, *, idle_ps=0, **changes):
    """Two steps of 32 and 34 ms, found from the repeating program, whose wall clock is the lines' and idle.

    ``idle_ps`` is on no line, beside what devices waited for the lines.
    """
    unattributed_ps, idle_ps = idle_ps, idle_ps + sum(each.waiting_ps for each in lines)
    busy_ps = sum(each.wall_ps for each in lines)
    has_steps = bool(changes.get("steps", True))
    op_time_ps = sum(each.self_ps for each in lines)
    fields = {
        "extent": ExtentRecord(
            "steps" if has_steps else "window", 2 if has_steps else 0, busy_ps + idle_ps, 1, has_steps=has_steps
        ),
        "wall": WallRecord(busy_ps + idle_ps, busy_ps, 0, idle_ps, 0, ()) if lines else None,
        "op_time_ps": op_time_ps,
        "attributed_ps": op_time_ps,
        "unattributed_ps": 0,
        "unattributed_wall_ps": 0,
        "idle_ps": idle_ps,
        "idle_classes": {"unknown": idle_ps} if idle_ps else {},
        "unattributed_waiting_ps": unattributed_ps,
        "steps_wall_ps": busy_ps + idle_ps if has_steps else 0,
        "devices": (DeviceRecord("/device:CPU:0", "cpu", 0, 0, op_time_ps),),
        "steps_source": "repetition",
        "steps_name": "jit_step",
        "steps": (StepRecord(0, 32_000_000_000), StepRecord(32_000_000_000, 34_000_000_000)),
        "step_time": StepTimeRecord(
            steps=2,
            mean_ps=33_000_000_000,
            median_ps=33_000_000_000,
            least_ps=32_000_000_000,
            greatest_ps=34_000_000_000,
        )
        if has_steps
        else StepTimeRecord(0, None, None, None, None),
        "window": {},
        "findings": (),
        "lines": shared(lines, busy_ps + idle_ps),
        "unattributed_ops": (),
        "functions": (),
        "stacks": (),
    }
    return LinesRecord(**{**fields, **changes})
