"""Colours of slices: what an op did, or which phase of a training step it belongs to; of a host, what a name means."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.timeline.records import SLICE_COLOURS, SliceColour
from scopelight.analysis.totals.attribution import greatest_phase
from scopelight.analysis.totals.centre import Centre
from scopelight.model.op_work import Work, work_of

Colours = npt.NDArray[np.uint8]
"""Places in `SLICE_COLOURS`."""

COLOUR_OF_WORK: Mapping[Work, SliceColour] = {
    Work.COMMUNICATION: "communication",
    Work.TRANSFER: "transfer",
    Work.WAIT: "idle",
}
"""Of what has a colour of its own, whatever phase it is in."""


def colour(name: SliceColour) -> int:
    """The place of a colour in `SLICE_COLOURS`."""
    return SLICE_COLOURS.index(name)


def op_colours(centre: Centre) -> Colours:
    """The colour of every row of ``Executions.ops``.

    Communication, transfers and waits for the host have their own; every other op has that of its phase, which is the
    one that most of its time belongs to, as in the table of ops.
    """
    colours = np.full(len(centre.executions.ops), colour("other"), dtype=np.uint8)
    for row, parts in centre.parts.items():
        named = COLOUR_OF_WORK.get(work_of(centre.executions.ops[row]))
        colours[row] = colour(named or PHASE_NAMES[greatest_phase(parts)])
    return colours


_OF_HOST: Sequence[tuple[re.Pattern[str], SliceColour]] = (
    (re.compile(r"Rendezvous|Wait: pending_threads|barrier-cores"), "communication"),
    (
        re.compile(
            r"transfer|memcpy|h2d|d2h|CopyToDevice|CopyFromHost|ToLiteral|ToHost|BufferFromHost|device_put|device_get"
            r"|infeed|outfeed|iterator::|IteratorGetNext|prefetch|tf_data|TFRecord",
            re.IGNORECASE,
        ),
        "transfer",
    ),
    (re.compile(r"BlockUntilReady|block_until_ready|BlockHostUntil|WaitFor|\b(?:a?wait)\b", re.IGNORECASE), "idle"),
)
"""Of events by their names: threads of XLA:CPU that wait for each other, moving data and reading input, other waits."""
_LONGEST = 500


def host_colours(names: Sequence[str]) -> Colours:
    """The colours of events that are no executions, by their names: *host* where a name tells nothing."""
    colours = np.full(len(names), colour("host"), dtype=np.uint8)
    for row, name in enumerate(names):
        for pattern, hue in _OF_HOST:
            if pattern.search(name[:_LONGEST]):
                colours[row] = colour(hue)
                break
    return colours
