"""Costs made by hand: ops and padding of the lines of `made.records`."""

import math

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.ops.records import OpRow, OpsRecord
from scopelight.analysis.padding.records import PaddingRecord, PaddingRow, PaddingTotals
from scopelight.analysis.records import ExtentRecord
from scopelight.findings import empty
from scopelight.program.hlo.tiling import DimensionPadding

EXTENT = ExtentRecord("window", 0, 0, 1, has_steps=False)


def op_row(self_ps, **changes):
    """The product of `made.records.op`: 20 GFLOP in each of 3 executions, 1.5 of which are in a step."""
    fields = {
        "key": f"{changes.get('program_id', '7')}/{changes.get('name', 'dot.1')}",
        "program_key": "step",
        "program": "jit_step",
        "program_id": "7",
        "name": "dot.1",
        "category": "dot",
        "opcode": "dot",
        "op_name": "jit(step)/mlp/dot_general",
        "primitive": "dot_general",
        "scope": "jit(step)/mlp",
        "phase": "forward",
        "side": "device",
        "shape": "f32[8,4]",
        "operand_shapes": ("f32[8,2]", "f32[2,4]"),
        "path": "train.py",
        "file": None,
        "line": 57,
        "function": "loss",
        "shared": False,
        "executions": 3,
        "executions_per_step": 1.5,
        "self_ps": self_ps,
        "wall_ps": changes.get("wall_ps", self_ps),
        "mean_ps": self_ps / 3,
        "least_ps": self_ps // 3,
        "greatest_ps": self_ps // 3,
        "per_step_ps": self_ps // 2,
        "share_ratio": 0.2,
        "flops": 60 * 10**9,
        "model_flops": 60 * 10**9,
        "padded_flops": None,
        "transcendentals": 0,
        "bytes": 3 * 2**30,
        "bytes_by_space": {"main": 3 * 2**30},
        "basis": "measured",
        "element_type": "f32",
        "flop_utilisation_ratio": 0.3,
        "bandwidth_utilisation_ratio": 0.6,
        "bound_by": "main",
        "wasted_ps": None,
    }
    return OpRow(**{**fields, **changes})


def ops_record(*rows, findings=()):
    return OpsRecord(
        op_time_ps=sum(row.self_ps for row in rows),
        window_ps=0,
        steps=2,
        devices=(),
        device=None,
        extent=EXTENT,
        matrix_unit=None,
        peaks=(),
        rows=rows,
        findings=findings,
    )


def dimension(size, padded, tile, role="feature"):
    return DimensionPadding(size, padded, tile, role)


def padding_row(*dims, **changes):
    """Padding of `made.records.op` on line 57."""
    fields = {
        "key": f"{changes.get('program_id', '7')}/{changes.get('op', 'dot.1')}",
        "line_key": f"{changes.get('path', 'train.py')}:{changes.get('line', 57)}",
        "program": "jit_step",
        "program_id": "7",
        "op": "dot.1",
        "path": "train.py",
        "file": None,
        "line": 57,
        "shape": "[8,2]x[2,4]",
        "dims": dims,
        "used_ratio": math.prod(each.size for each in dims) / math.prod(each.padded for each in dims),
        "extra_bytes": None,
        "basis": "matrix-unit",
        "predicted": False,
        "self_ps": 1,
        "share_ratio": 0.2,
        "primitive": "dot_general",
    }
    return PaddingRow(**{**fields, **changes})


def padding_record(*rows, target=None, findings=()):
    return PaddingRecord(
        target=target,
        rows=rows,
        totals=PaddingTotals(rows=len(rows), arrays=0, extra_bytes=0, fused_arrays=0, products=len(rows)),
        extent=EXTENT,
        matrix_unit=None,
        findings=findings,
    )


NO_TILES = {"findings": (empty("device-without-tiles", kinds=("CPU",)),)}


def costs(lines, ops, *padding, of_ops=(), **of_padding):
    """``of_ops`` are findings of the record of ops."""
    return LineCosts(lines, ops_record(*ops, findings=of_ops), padding_record(*padding, **of_padding))
