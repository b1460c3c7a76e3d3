"""The colours of spans of a device's time: each has that of what most of the device's self time in it went to."""

from typing import Final

import numpy as np

from scopelight.analysis.timeline.colours import Colours, colour
from scopelight.analysis.timeline.records import SLICE_COLOURS
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.formats.columns import Int32, Int64, UInt8
from scopelight.formats.kernels import kernel
from scopelight.model.slices import LaneSlices

_BLOCK_ROWS: Final = 64
"""Executions that are added up once for all spans that reach over them: no span costs more than two such blocks."""


def colours_of_spans(of: DeviceOfTimeline, slices: LaneSlices) -> Colours:
    """For each slice the colour of what most of the device's self time in it went to; *other* where that is nothing.

    All self time of an execution counts where it starts. Of equals the first in `SLICE_COLOURS` is taken.
    """
    executions, span = of.executions, of.span
    until_ps = np.zeros((1 + (span.stop - span.start) // _BLOCK_ROWS, len(SLICE_COLOURS)), np.int64)
    columns = (executions.self_ps[span], executions.op[span], of.op_colours)
    _add_blocks(*columns, until_ps)
    colours = np.full(len(slices), colour("other"), dtype=np.uint8)
    inside_ps = np.zeros(len(SLICE_COLOURS), np.int64)
    starts = executions.start_ps[span]
    _colour_spans(starts, *columns, until_ps, slices.start_ps, slices.duration_ps, inside_ps, colours)
    return colours


@kernel
def _add_blocks(self_ps: Int64, op: Int32, colour_of_op: UInt8, until_ps: Int64) -> None:
    """Write into each row of ``until_ps`` the self time by colour before the block of that number."""
    for block in range(1, len(until_ps)):
        for hue in range(until_ps.shape[1]):
            until_ps[block, hue] = until_ps[block - 1, hue]
        for row in range((block - 1) * _BLOCK_ROWS, block * _BLOCK_ROWS):
            until_ps[block, colour_of_op[op[row]]] += self_ps[row]


@kernel
def _colour_spans(
    start_ps: Int64,
    self_ps: Int64,
    op: Int32,
    colour_of_op: UInt8,
    until_ps: Int64,
    span_start_ps: Int64,
    span_duration_ps: Int64,
    inside_ps: Int64,
    colours: UInt8,
) -> None:
    """Write the colour of each span in which there is self time; spans are sorted by start."""
    hues = len(inside_ps)
    first = 0
    for span in range(len(span_start_ps)):
        first += np.searchsorted(start_ps[first:], span_start_ps[span])
        end = first + np.searchsorted(start_ps[first:], span_start_ps[span] + span_duration_ps[span])
        block, beyond = (first + _BLOCK_ROWS - 1) // _BLOCK_ROWS, end // _BLOCK_ROWS
        # Where it ends in the block that it begins in, all of it stands before the first whole block.
        head_end = min(block * _BLOCK_ROWS, end)
        block = min(block, beyond)
        tail = max(beyond * _BLOCK_ROWS, head_end)
        for hue in range(hues):
            inside_ps[hue] = until_ps[beyond, hue] - until_ps[block, hue]
        for row in range(first, head_end):
            inside_ps[colour_of_op[op[row]]] += self_ps[row]
        for row in range(tail, end):
            inside_ps[colour_of_op[op[row]]] += self_ps[row]
        most_ps = np.int64(0)
        for hue in range(hues):
            if inside_ps[hue] > most_ps:
                most_ps = inside_ps[hue]
                colours[span] = hue
