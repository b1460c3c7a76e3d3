"""Annotations of the user's: spans that a script named with ``jax.profiler.TraceAnnotation``, read when asked for."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.reader import XPlane, read_xspace

_PLANE: Final = "/host:CPU"
_RUNTIMES: Final = re.compile(r"::|\(|^\$|^end: |^<|^np\.asarray$|^shard_args$")
"""In names of events that jax and XLA write themselves; Python's own functions begin with ``$``."""
_MOST_NAMES: Final = 10_000


@attrs.frozen(eq=False, repr=False)
class HostAnnotations:
    """Spans of one name on the thread that annotates the steps, or launches them; ``host`` as `Device.host` counts."""

    name: str
    host: int
    start_ps: Int64
    end_ps: Int64


def read_annotations(files: Sequence[tuple[Path, int, int]], step_names: frozenset[str]) -> Sequence[HostAnnotations]:
    """The annotations in the XSpaces ``files``: of each its path, its host, and the offset of its times in ps.

    ``step_names`` are what steps are called: their annotations hold all others. What cannot be read is left out.
    """
    found: list[HostAnnotations] = []
    for path, host, shift_ps in files:
        try:
            planes = [each for each in read_xspace(path).planes if each.name == _PLANE]
            found.extend(each for plane in planes for each in _of_plane(plane, host, shift_ps, step_names))
        except FormatError:
            continue
    return found


def _of_plane(plane: XPlane, host: int, shift_ps: int, step_names: frozenset[str]) -> Sequence[HostAnnotations]:
    names = plane.events_metadata.names
    is_launch = np.array([name in step_names or name.startswith("PjitFunction(") for name in names], dtype=np.bool_)
    is_users = np.array(
        [not _RUNTIMES.search(name) and name not in step_names and name != "" for name in names], dtype=np.bool_
    )
    found: list[HostAnnotations] = []
    for line in plane.lines:
        events = line.events()
        if len(events) and is_launch[events.metadata].any():
            rows = np.flatnonzero(is_users[events.metadata])
            for metadata in np.unique(events.metadata[rows])[:_MOST_NAMES].tolist():
                own = rows[events.metadata[rows] == metadata]
                start_ps = events.start_ps[own] + shift_ps
                found.append(HostAnnotations(names[metadata], host, start_ps, start_ps + events.duration_ps[own]))
        line.forget_pages()
    return found
