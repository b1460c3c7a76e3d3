"""Idle time of devices, and what the host did meanwhile."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.pieces import Pieces
from scopelight.formats.columns import Int32
from scopelight.formats.known_columns import masked
from scopelight.program.hlo.frames import Frame
from scopelight.sql.columns import column
from scopelight.sql.schema import Columns


def gaps(subject: Subject) -> Columns:
    """The pieces of idle time."""
    centre = centre_of(subject.profile, subject.line_options)
    pieces = centre.pieces
    step: npt.NDArray[Any] = pieces.step + np.int32(1)
    frames = [next(iter(centre.frames.of(stack)), None) for stack in pieces.stacks]
    # The last is for those where it is not known where the host stood.
    places = {name: column([*values, None], _kind(name))[pieces.stack] for name, values in _places(centre, frames)}
    return {
        "device_id": pieces.device,
        "gap_id": _gaps(pieces),
        "step": masked(step, step == 0),
        "start_ps": pieces.start_ps,
        "duration_ps": pieces.duration_ps,
        "waiting_class": np.array(CLASSES, dtype=object)[pieces.kind],
        "is_exact": pieces.is_exact,
        **places,
    }


def _gaps(pieces: Pieces) -> Int32:
    """By piece the number of its gap, from 1: the pieces of one lie next to each other."""
    begins = np.ones(len(pieces.start_ps), dtype=np.bool_)
    ends_ps = pieces.start_ps + pieces.duration_ps
    begins[1:] = (pieces.start_ps[1:] != ends_ps[:-1]) | (pieces.device[1:] != pieces.device[:-1])
    return np.cumsum(begins, dtype=np.int32)


def _places(centre: Centre, frames: Sequence[Frame | None]) -> Sequence[tuple[str, Sequence[Any]]]:
    of_frames = [centre.frames.place_fields(frame) for frame in frames]
    return [
        ("line_key", [None if frame is None else centre.line_key(frame) for frame in frames]),
        *((name, [each[name] for each in of_frames]) for name in ("path", "file", "line")),
        ("function", [None if frame is None else frame.function for frame in frames]),
    ]


def _kind(name: str) -> Any:  # noqa: ANN401 (a kind of the schema)
    return "BIGINT" if name == "line" else "VARCHAR"
