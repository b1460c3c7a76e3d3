"""Reads what allocators recorded: events named MemoryAllocation and MemoryDeallocation on a host's threads."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Float64, Int32, Int64, distinct_values
from scopelight.formats.xspace.reader import XPlane, read_xspace
from scopelight.model.memory.recorded import AllocatorEvents, AllocatorKind, TextColumn
from scopelight.program.memory.buffers import MAXIMUM_BYTES

ALLOCATION: Final = "MemoryAllocation"
DEALLOCATION: Final = "MemoryDeallocation"

_COLUMNS: Final = {
    "stack_bytes": "bytes_reserved",
    "heap_bytes": "bytes_allocated",
    "free_bytes": "bytes_available",
    "peak_bytes": "peak_bytes_in_use",
    "requested_bytes": "requested_bytes",
    "allocated_bytes": "allocation_bytes",
    "address": "addr",
    "data_type": "data_type",
}
"""By field of `AllocatorEvents` the stat that has it."""
_NUMBERS: Final = ("index_on_host", "device_ordinal", *_COLUMNS.values())
_TEXTS: Final = ("allocator_name", "tf_op", "region_type", "shape", "tensor_shapes")
_ORDINAL: Final = re.compile(r"(?:GPU|TPU)_(\d+)", re.IGNORECASE)
_HOST: Final = re.compile(r"host|cpu", re.IGNORECASE)


def may_hold_allocations(plane: XPlane) -> bool:
    """Whether a plane knows the events by name at all."""
    return any(name in (ALLOCATION, DEALLOCATION) for name in plane.events_metadata.names)


def read_allocators(files: Sequence[tuple[Path, int, int]], *, many_hosts: bool) -> Sequence[AllocatorEvents]:
    """Allocator events of the XSpaces ``files``: for each its path, its host, and the offset of its times in ps.

    Raises `FormatError` where a file cannot be read.
    """
    pieces: dict[tuple[int, str], list[_Piece]] = {}
    for path, host, shift_ps in files:
        for plane in read_xspace(path).planes:
            if plane.name == "/host:CPU" and may_hold_allocations(plane):
                for piece in _pieces(plane, shift_ps):
                    pieces.setdefault((host, piece.id), []).append(piece)
    return [
        _joined(parts, host, f"{host}:{name}" if many_hosts else name)
        for (host, name), parts in sorted(pieces.items(), key=lambda each: (each[0][0], natural_order(each[0][1])))
    ]


@attrs.frozen(eq=False, repr=False)
class _Piece:
    """The events of one allocator on one thread."""

    id: str
    columns: Mapping[str, Int64]
    fragmentation_ratio: Float64
    texts: Mapping[str, TextColumn]


def _pieces(plane: XPlane, shift_ps: int) -> Iterator[_Piece]:
    names = plane.events_metadata.names
    is_wanted = np.array([name in (ALLOCATION, DEALLOCATION) for name in names], np.bool_)
    is_allocation = np.array([name == ALLOCATION for name in names], np.bool_)
    for line in plane.lines:
        if not is_wanted[line.timed()[0]].any():
            continue
        events = line.events()
        rows = np.flatnonzero(is_wanted[events.metadata])
        numbers = events.integer_stats(_NUMBERS, rows)
        columns = {name: _known(name, values, present) for name, (values, present) in numbers.items()}
        columns["time"] = events.start_ps[rows] + shift_ps
        columns["is_allocation"] = is_allocation[events.metadata[rows]].astype(np.int64)
        ratios = events.first_numbers("fragmentation", rows)
        texts = {name: TextColumn(*events.text_stat(name, rows)) for name in _TEXTS}
        for name, mine in _by_allocator(columns, texts["allocator_name"]):
            yield _Piece(
                name,
                {each: column[mine] for each, column in columns.items()},
                ratios[mine],
                {each: TextColumn(column.codes[mine], column.texts) for each, column in texts.items()},
            )
        line.forget_pages()


def _known(name: str, values: Int64, present: Bool) -> Int64:
    """A column with -1 where nothing is recorded, or more bytes than any memory has. Addresses are any bits."""
    return values if name == "addr" else np.where(present & (values >= 0) & (values <= MAXIMUM_BYTES), values, -1)


def _by_allocator(columns: dict[str, Int64], names: TextColumn) -> Iterator[tuple[str, Int64]]:
    """Rows by the number of the device on its host, else by the allocator's name."""
    number = np.where(columns["index_on_host"] >= 0, columns["index_on_host"], columns["device_ordinal"])
    for each in distinct_values(number[number >= 0]).tolist():
        yield str(each), np.flatnonzero(number == each)
    for code in distinct_values(names.codes[number < 0]).tolist():
        if code >= 0:
            yield names.texts[code], np.flatnonzero((number < 0) & (names.codes == code))


def _joined(parts: Sequence[_Piece], host: int, name: str) -> AllocatorEvents:
    columns = {each: np.concatenate([part.columns[each] for part in parts]) for each in parts[0].columns}
    order = np.argsort(columns["time"], kind="stable")
    columns = {each: column[order] for each, column in columns.items()}
    shape = _joined_texts(parts, "shape", order)
    if (shape.codes < 0).all():
        shape = _joined_texts(parts, "tensor_shapes", order)
    ordinal, kind = _device(parts[0].id)
    return AllocatorEvents(
        id=name,
        host=host,
        ordinal=ordinal,
        kind=kind,
        time_ps=columns["time"],
        **{field: columns[stat] for field, stat in _COLUMNS.items()},
        fragmentation_ratio=np.concatenate([part.fragmentation_ratio for part in parts])[order],
        is_allocation=columns["is_allocation"] == 1,
        op=_joined_texts(parts, "tf_op", order),
        region=_joined_texts(parts, "region_type", order),
        shape=shape,
    )


def _joined_texts(parts: Sequence[_Piece], name: str, order: Int64) -> TextColumn:
    texts: dict[str, int] = {}
    codes: list[Int32] = []
    for part in parts:
        column = part.texts[name]
        # The last place is for rows without a text, whose code is -1.
        known = np.array([*(texts.setdefault(text, len(texts)) for text in column.texts), -1], np.int32)
        codes.append(known[column.codes])
    return TextColumn(np.concatenate(codes)[order], list(texts))


def _device(name: str) -> tuple[int | None, AllocatorKind]:
    if name.isdecimal():
        return int(name), "accelerator"
    if _HOST.search(name):
        return None, "host"
    found = _ORDINAL.search(name)
    return (int(found.group(1)) if found else None), "accelerator"


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """What to sort names by so that ``GPU:10`` comes after ``GPU:9``."""
    parts = re.split(r"(\d{1,18})", name)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
