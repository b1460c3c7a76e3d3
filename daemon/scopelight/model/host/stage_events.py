"""The events by which libraries of input mark their stages in a trace: read when a view asks for them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import XPlane, read_xspace

StageLibrary = Literal["grain", "tf.data", "data"]
"""``data``: none, but the script itself (``scopelight.data``)."""

_PLANE: Final = "/host:CPU"
_ID, _NAME, _DATASET, _CATEGORY = "_ipl_stage_id", "_ipl_stage_name", "_ipl_dataset_name", "_ipl_stage_cat"
_ITERATOR: Final = "Iterator::"
_OF_SCRIPTS: Final = "scopelight.data"
_FILE_READERS: Final = ("TFRecord", "TextLine", "FixedLengthRecord", "RecordIO", "SSTable", "LMDB", "Bigtable")
"""In the names of iterators of tf.data that read files."""
_READING_AHEAD: Final = ("Prefetch", "ParallelMap", "ParallelInterleave", "MapAndBatch", "ParallelBatch")


@attrs.frozen(slots=True)
class Stage:
    """A stage as its library names it. ``category`` is the library's: ``read``, ``preprocessing``, ``prefetch``,
    ``enqueue``, or another. ``id`` is that of its object, None where there is none."""

    library: StageLibrary
    name: str
    category: str
    id: int | None


@attrs.frozen(eq=False, repr=False)
class ThreadStages:
    """What stages one thread was in: sorted by start, those that end later first. ``stage`` are rows of the stages."""

    host: int
    line_id: int
    name: str
    start_ps: Int64
    end_ps: Int64
    stage: Int64


@attrs.frozen(eq=False, repr=False)
class StageEvents:
    """All stages, and the threads that were in any."""

    stages: Sequence[Stage] = ()
    threads: Sequence[ThreadStages] = ()


def read_stage_events(files: Sequence[tuple[Path, int, int]]) -> StageEvents:
    """The stages in the XSpaces ``files``: of each its path, its host, and the offset of its times in ps.

    What of a file cannot be read is left out: opening it has said so.
    """
    stages: dict[Stage, int] = {}
    threads: list[ThreadStages] = []
    for path, host, shift_ps in files:
        try:
            planes = [each for each in read_xspace(path).planes if each.name == _PLANE]
            threads.extend(each for plane in planes for each in _of_plane(plane, host, shift_ps, stages))
        except FormatError:
            continue
    return StageEvents(tuple(stages), threads)


def _of_plane(plane: XPlane, host: int, shift_ps: int, stages: dict[Stage, int]) -> Iterator[ThreadStages]:
    names = plane.events_metadata.names
    is_iterator = np.array([name.startswith(_ITERATOR) for name in names], dtype=np.bool_)
    has_ids = _ID in plane.stat_names
    if not has_ids and not is_iterator.any():
        return
    for line in plane.lines:
        events = line.events()
        if not len(events):
            continue
        ids, marked = events.integer_stats((_ID,))[_ID] if has_ids else (events.start_ps, np.zeros(len(events), bool))
        rows = np.flatnonzero(marked | is_iterator[events.metadata])
        if not len(rows):
            continue
        rows = rows[np.lexsort((-events.duration_ps[rows], events.start_ps[rows]))]
        start_ps = events.start_ps[rows] + shift_ps
        of = _stages_of(events, rows, ids, names, stages)
        yield ThreadStages(host, line.id, line.name, start_ps, start_ps + events.duration_ps[rows], of)
        line.forget_pages()


def _stages_of(events: Events, rows: Int64, ids: Int64, names: Sequence[str], stages: dict[Stage, int]) -> Int64:
    """By row the number of its stage; new ones are added."""
    texts = {stat: events.text_stat(stat, rows) for stat in (_NAME, _DATASET, _CATEGORY)}
    keys = np.stack([events.metadata[rows].astype(np.int64), ids[rows], *(codes for codes, _ in texts.values())])
    distinct, inverse = np.unique(keys, axis=1, return_inverse=True)
    numbers = []
    for metadata, id_, *codes in distinct.T.tolist():
        name, dataset, category = (
            known[code] if code >= 0 else "" for code, (_, known) in zip(codes, texts.values(), strict=True)
        )
        event = names[metadata]
        stage = (
            Stage("tf.data", event.removeprefix(_ITERATOR), _iterator_category(event), None)
            if event.startswith(_ITERATOR)
            else Stage("data" if event == _OF_SCRIPTS else "grain", dataset or name or event, category, id_)
        )
        numbers.append(stages.setdefault(stage, len(stages)))
    return np.array(numbers, dtype=np.int64)[inverse.reshape(-1)]


def _iterator_category(name: str) -> str:
    last = name.rpartition("::")[2]
    if any(each in last for each in _FILE_READERS):
        return "read"
    return "prefetch" if last.startswith(_READING_AHEAD[:1]) else "preprocessing"
