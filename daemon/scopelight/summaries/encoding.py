"""A summary as bytes: compressed columns, and what they are of as JSON."""

import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np

from scopelight.analysis.hosts.breakdown import PARTS
from scopelight.analysis.hosts.summary import (
    CoreColumns,
    StepColumns,
    SummarisedDevice,
    SummarisedHost,
    Summary,
    WorkColumns,
    WorkOp,
)
from scopelight.findings import Action, Finding
from scopelight.model.executions import ChipCore
from scopelight.model.rendezvous.collectives import CollectiveOp, Collectives
from scopelight.model.rendezvous.runs import RunColumns
from scopelight.program.hlo.frames import Frame, Stack

FORMAT_VERSION: Final = 1
"""Of what is written; another one is not read."""
MOST_BYTES: Final = 1 << 28
"""A summary that unpacks to more is none of ours."""

_NOUNS: Final = "nouns"
_TABLES: Final = {
    "collectives": ("op", "device", "run", "occurrence", "start_ps", "awaited_ps", "end_ps", "group", "size", "source"),
    "runs": tuple(each.name for each in attrs.fields(RunColumns)),
    "steps": tuple(each.name for each in attrs.fields(StepColumns)),
    "cores": tuple(each.name for each in attrs.fields(CoreColumns)),
    "work": ("op", "device", "self_ps"),
}
_TYPES: Final[Mapping[str, type]] = {
    "collectives.op": np.int32,
    "collectives.device": np.int32,
    "collectives.run": np.int32,
    "collectives.occurrence": np.int32,
    "collectives.group": np.int32,
    "collectives.size": np.int32,
    "collectives.source": np.int32,
    "runs.device": np.int32,
    "runs.run_id": np.uint64,
    "steps.host": np.int32,
    "cores.device": np.int32,
    "work.op": np.int32,
    "work.device": np.int32,
}


class UnreadableSummaryError(Exception):
    """Bytes are no summary, or one of another version."""


def encode(summary: Summary) -> bytes:
    """The summary of one host as bytes."""
    columns = {
        f"{table}.{name}": getattr(getattr(summary, table), name) for table, names in _TABLES.items() for name in names
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(_entry(_NOUNS), json.dumps(_nouns(summary), separators=(",", ":")))
        for name, column in columns.items():
            with archive.open(_entry(name), "w") as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(column), allow_pickle=False)
    return file.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    # Without a time: equal summaries are equal bytes.
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def decode(data: bytes) -> Summary:
    """The summary in bytes. Raises `UnreadableSummaryError` where there is none that fits together."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(each.file_size for each in archive.infolist()) > MOST_BYTES:
                raise UnreadableSummaryError
            nouns = json.loads(archive.read(_NOUNS))
            if nouns["format_version"] != FORMAT_VERSION:
                raise UnreadableSummaryError
            columns = {
                f"{table}.{name}": _column(archive, f"{table}.{name}")
                for table, names in _TABLES.items()
                for name in names
            }
        summary = _summary(nouns, columns)
        _check(summary)
    except UnreadableSummaryError:
        raise
    except Exception as error:
        # Whatever is wrong with bytes that anyone may have written: the file that they are of is read instead.
        raise UnreadableSummaryError from error
    return summary


def _column(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(name) as entry:
        column: np.ndarray = np.lib.format.read_array(entry, allow_pickle=False)
    if column.dtype != np.dtype(_TYPES.get(name, np.int64)):
        raise UnreadableSummaryError
    return column


def _nouns(summary: Summary) -> Mapping[str, Any]:
    frames: dict[Frame, int] = {}

    def stack(frames_of: Stack) -> list[int]:
        return [frames.setdefault(each, len(frames)) for each in frames_of]

    host = summary.hosts[0]
    ops = [{**_fields(each, "stack"), "stack": stack(each.stack)} for each in summary.collectives.ops]
    work = [{**_fields(each, "stack"), "stack": stack(each.stack)} for each in summary.work.ops]
    return {
        "format_version": FORMAT_VERSION,
        "host": {"name": host.name, "started_ns": host.started_ns},
        "findings": [attrs.asdict(each) for each in host.findings],
        "devices": [attrs.asdict(each) for each in summary.devices],
        "programs": [[str(number), name] for number, name in summary.program_names.items()],
        "ops": ops,
        "work": work,
        "frames": [[each.path, each.line, each.function] for each in frames],
    }


def _fields(record: Any, *without: str) -> dict[str, Any]:  # noqa: ANN401 (an attrs record)
    return {each.name: getattr(record, each.name) for each in attrs.fields(type(record)) if each.name not in without}


def _summary(nouns: Mapping[str, Any], columns: Mapping[str, np.ndarray]) -> Summary:
    frames = [Frame(str(path), int(line), str(function)) for path, line, function in nouns["frames"]]

    def of(table: str) -> dict[str, np.ndarray]:
        return {name: columns[f"{table}.{name}"] for name in _TABLES[table]}

    def stack(rows: Sequence[int]) -> Stack:
        return tuple(frames[row] for row in rows)

    ops = tuple(_collective_op(each, stack(each["stack"])) for each in nouns["ops"])
    work = tuple(
        WorkOp(int(each["program"]), str(each["name"]), str(each["op_name"]), stack(each["stack"]))
        for each in nouns["work"]
    )
    return Summary(
        hosts=(_host(nouns["host"], nouns["findings"]),),
        devices=tuple(_device(each) for each in nouns["devices"]),
        program_names={int(number): str(name) for number, name in nouns["programs"]},
        collectives=Collectives(**of("collectives"), row=np.arange(len(columns["collectives.op"])), ops=ops),
        runs=RunColumns(**of("runs")),
        steps=StepColumns(**of("steps")),
        cores=CoreColumns(**of("cores")),
        work=WorkColumns(**of("work"), ops=work),
    )


def _collective_op(fields: Mapping[str, Any], stack: Stack) -> CollectiveOp:
    mesh, mesh_ids = fields["mesh"], fields["mesh_ids"]
    if math.prod(int(size) for _, size in mesh) != len(mesh_ids) and mesh:
        raise UnreadableSummaryError
    return CollectiveOp(
        program=int(fields["program"]),
        name=str(fields["name"]),
        kind=str(fields["kind"]),
        bytes=None if fields["bytes"] is None else int(fields["bytes"]),
        channel=int(fields["channel"]),
        op_name=str(fields["op_name"]),
        axes=tuple(map(str, fields["axes"])),
        mesh=tuple((str(name), int(size)) for name, size in mesh),
        mesh_ids=tuple(map(int, mesh_ids)),
        stack=stack,
    )


def _device(fields: Mapping[str, Any]) -> SummarisedDevice:
    core = fields["core"]
    return SummarisedDevice(
        host=int(fields["host"]),
        name=str(fields["name"]),
        kind=str(fields["kind"]),
        ordinal=int(fields["ordinal"]),
        id=int(fields["id"]),
        core=None if core is None else ChipCore(*(int(core[each]) for each in ("core", "local_chip", "chip"))),
        model=str(fields["model"]),
    )


def _host(fields: Mapping[str, Any], findings: Sequence[Mapping[str, Any]]) -> SummarisedHost:
    started_ns = fields["started_ns"]
    return SummarisedHost(
        str(fields["name"]),
        None if started_ns is None else int(started_ns),
        tuple(_finding(each) for each in findings),
    )


def _finding(fields: Mapping[str, Any]) -> Finding:
    action = fields["action"]
    values = {name: tuple(each) if isinstance(each, list) else each for name, each in fields["values"].items()}
    return Finding(
        str(fields["code"]),
        fields["severity"],
        values,
        tuple(fields["evidence"]),
        None if action is None else Action(str(action["command"]), action["arguments"]),
    )


def _check(summary: Summary) -> None:
    """Raise where columns are not of one length, or name rows that are not there."""
    devices, ops = len(summary.devices), len(summary.collectives.ops)
    collectives, runs, steps, cores = summary.collectives, summary.runs, summary.steps, summary.cores
    exposed = ("exposed_collective", "exposed_core", "exposed_ps")
    tables = dict.fromkeys(_TABLES, ("group", "size", "source", *exposed))
    for table, without in tables.items():
        lengths = {len(getattr(getattr(summary, table), each)) for each in _TABLES[table] if each not in without}
        if len(lengths) != 1:
            raise UnreadableSummaryError
    lengths = {len(getattr(cores, each)) for each in exposed}
    shapes = {getattr(collectives, each).shape for each in ("group", "size", "source")}
    is_flat = all(
        getattr(getattr(summary, table), name).ndim == 1
        for table, names in _TABLES.items()
        for name in names
        if name not in ("group", "size", "source", "parts_ps")
    )
    fits = (
        len(lengths) == 1,
        shapes == {(ops, devices)},
        is_flat,
        cores.parts_ps.shape == (len(cores.device), len(PARTS)),
        all(each.host == 0 for each in summary.devices),
        _within(collectives.op, 0, ops),
        _within(collectives.device, 0, devices),
        _within(collectives.run, -1, len(runs.device)),
        _within(collectives.group, 0, 1 << 21),
        _within(runs.device, 0, devices),
        _within(steps.host, 0, 1),
        _within(steps.run, -1, len(runs.device)),
        _within(cores.device, 0, devices),
        _within(cores.step, 0, len(steps.run)),
        _within(cores.exposed_collective, 0, len(collectives)),
        _within(cores.exposed_core, 0, len(cores.device)),
        _within(summary.work.op, 0, len(summary.work.ops)),
        _within(summary.work.device, 0, devices),
    )
    if not all(fits):
        raise UnreadableSummaryError


def _within(column: np.ndarray, least: int, beyond: int) -> bool:
    return not len(column) or bool(column.min() >= least and column.max() < beyond)
