"""Opening: from a run directory, a log directory or one file to a `Profile`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import numpy as np

from scopelight.findings import Finding, show_view, warning
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo.reader import HloBlob, hlo_protos, is_hlo_file, read_hlo_file
from scopelight.formats.side_by_side import reading_threads
from scopelight.formats.xspace.reader import XSpace
from scopelight.model.backends.tables import Tables, finish
from scopelight.model.host.states import joined_threads
from scopelight.model.memory.in_use import MemoryInUse
from scopelight.model.opening.clocks import began_ns, clock_offsets_ps, without_foreign
from scopelight.model.opening.host_clocks import clocks_corrected, known_clocks, remember_clocks
from scopelight.model.opening.hosts import host_unreadable, read_hosts
from scopelight.model.opening.known_faults import known_faults
from scopelight.model.opening.later import (
    read_allocators,
    read_annotations,
    read_compilations,
    read_hardware_counters,
    read_host_records,
    read_resources,
    read_stage_events,
)
from scopelight.model.opening.parts import traced_span, untraced_spans
from scopelight.model.opening.paths import (
    check_path,
    find_programs,
    find_xspaces,
    is_memory_alone,
    is_text_of_program,
)
from scopelight.model.opening.planes import Reading, readable_cut_plane
from scopelight.model.opening.sessions import host_name
from scopelight.model.profile import HostClock, Profile, StepMarks, Trace
from scopelight.model.run.lookup import of_session, run_at
from scopelight.model.run.names import (
    PREDICTION_FILE,
    PROGRAM_WITHOUT_ROOM,
    RUN_FILE,
    SNAPSHOTS_FOLDER,
)
from scopelight.model.spans import Spans, merge_spans
from scopelight.program.hlo.nouns import HloModule
from scopelight.program.shared import SharedPrograms
from scopelight.program.stored import StoredProgram

if TYPE_CHECKING:
    from scopelight.model.executions import Executions, ProgramRuns
    from scopelight.model.run.information import RunInformation


MOST_HOSTS: Final = 64
"""Hosts whose files are all opened; of more only those of the first, and summaries are for the views of all."""


def _stored_programs(space: XSpace) -> Mapping[str, StoredProgram]:
    def stored(blob: HloBlob) -> StoredProgram:
        return StoredProgram(blob.name, blob.program_id, blob.where, blob.parse)

    return {blob.program_id: stored(blob) for blob in hlo_protos(space)}


def _read_cut_plane(
    reading: Reading, space: XSpace, programs: Mapping[str, StoredProgram], offset_ps: int
) -> tuple[Sequence[tuple[int, int]], Finding]:
    """Read what is left of the plane in whose midst the file was cut off; also what it is without."""
    plane = readable_cut_plane(space)
    if plane is None:
        return (), warning("plane-cut-off", plane=space.cut_plane.name if space.cut_plane is not None else "")
    try:
        if plane.has_lost_names:
            from scopelight.model.backends.lost_names import with_found_names  # noqa: PLC0415 (few files are cut off)

            plane = with_found_names(plane, [int(each) for each in programs])
        before = len(reading.tables.columns)
        reach = reading.read_plane(plane, offset_ps)
    except FormatError:
        return (), warning("plane-cut-off", plane=plane.name)
    return reach, warning(
        "plane-read-in-part",
        plane=plane.name,
        events=sum(line.events_count for line in plane.lines),
        lost=plane.events_metadata.lost,
        lacks_threads=not plane.has_all_lines,
        has_ops=len(reading.tables.columns) > before,
    )


def _moved(marks: StepMarks, origin_ps: int) -> StepMarks:
    return attrs.evolve(marks, start_ps=marks.start_ps - origin_ps)


def _joined(parts: Sequence[StepMarks]) -> StepMarks:
    """The marks of all parts by their start: the files of a process need not come in the order of its traces."""
    start_ps = np.concatenate([part.start_ps for part in parts])
    order = np.argsort(start_ps, kind="stable")
    return StepMarks(
        parts[0].name,
        np.concatenate([part.number for part in parts])[order],
        start_ps[order],
        np.concatenate([part.duration_ps for part in parts])[order],
        parts[0].host,
    )


def open_profile(path: Path) -> Profile:
    """Open a run directory, any TensorBoard log directory, one XSpace file, one compiled program (an HloProto, a bare
    HloModuleProto or HLO text) or snapshot of memory (pprof), whatever the file is called; or a directory of serialized
    programs.

    Raises `FormatError` with one sentence where nothing can be read.
    """
    check_path(path)
    if is_text_of_program(path):
        from scopelight.formats.hlo_text.reader import read_hlo_text  # noqa: PLC0415 (no other file is text)

        return _open_programs(path, [_stored(path, read_hlo_text)])
    if is_hlo_file(path):
        return _open_programs(path, [_stored(path, read_hlo_file)])
    if path.name == RUN_FILE:
        path = path.parent
    capture = run_at(path)
    if (path / PREDICTION_FILE).is_file():
        from scopelight.model.opening.predicted import open_prediction  # noqa: PLC0415 (few runs are)
        from scopelight.model.run.prediction import read_prediction  # noqa: PLC0415

        prediction = read_prediction(path)
        if prediction is not None:
            return open_prediction(path, capture, prediction)
    if is_memory_alone(path):
        return _open_memory_alone(path, capture)
    if files_of_programs := find_programs(path):
        return _open_programs(path, [_stored(each, read_hlo_file) for each in files_of_programs])
    files, findings = find_xspaces(path)
    names = list(dict.fromkeys(map(host_name, files)))
    if len(names) > MOST_HOSTS:
        files = [each for each in files if host_name(each) == names[0]]
        findings.append(warning("hosts-not-opened", show_view("hosts"), hosts=len(names), host=names[0]))
    return _of_files(path, files, capture, findings)


def open_files(path: Path, files: Sequence[Path]) -> Profile:
    """Open some of the XSpace files of what lies at ``path``, such as those of one host.

    Raises `FormatError` where none of them can be read.
    """
    return _of_files(path, files, run_at(path), [])


def _of_files(
    path: Path, files: Sequence[Path], capture: RunInformation | None, findings: Sequence[Finding]
) -> Profile:
    # The newest capture of a folder of runs is of one of them.
    capture = capture or run_at(files[0])
    if capture is not None:
        capture = of_session(capture, files[0].parent)
    spaces, unreadable = read_hosts(files)
    spaces, foreign = without_foreign(spaces)
    unreadable.extend(foreign)
    while True:
        try:
            return _of_spaces(path, capture, spaces, [*findings, *unreadable])
        except _UnreadableHostError as error:
            if len(spaces) == 1:
                raise error.cause from None
            spaces = [space for space in spaces if space is not error.space]
            unreadable.append(host_unreadable(error.cause))


class _UnreadableHostError(Exception):
    """What one host's file holds cannot be read, which showed only when it was looked into."""

    def __init__(self, space: XSpace, cause: FormatError) -> None:
        super().__init__(cause.sentence)
        self.space = space
        self.cause = cause


def _of_spaces(
    path: Path,
    capture: RunInformation | None,
    spaces: Sequence[XSpace],
    given: Sequence[Finding],
    clocks: Mapping[str, HostClock] | None = None,
) -> Profile:
    """The profile of files; without the ``clocks`` of several hosts their collectives tell them."""
    stated_ps, unaligned = clock_offsets_ps(spaces)
    findings = [*given, *unaligned]
    applied_ps = [clocks[host_name(each.path)].applied_ps if clocks else 0 for each in spaces]
    offsets_ps = [stated + applied for stated, applied in zip(stated_ps, applied_ps, strict=True)]
    shared = SharedPrograms()
    with reading_threads() as pool:
        reading = Reading(pool)
        hosts: dict[str, int] = {}
        programs: dict[str, StoredProgram] = {}
        traced: dict[int, list[Spans]] = {}
        for space, offset_ps in zip(spaces, offsets_ps, strict=True):
            reading.tables.host = hosts.setdefault(host_name(space.path), len(hosts))
            of_host = _stored_programs(space)
            # Processes of one job compile the same programs, each under numbers of its own.
            known = {each.name for each in programs.values()} if reading.tables.host else set()
            programs = {**{each: of_host[each] for each in of_host if of_host[each].name not in known}, **programs}
            reading.tables.modules = {
                each.program_id: functools.partial(shared.module, reading.tables.host, each)
                for each in of_host.values()
            }
            findings.extend(space.findings)
            try:
                reach = [each for plane in space.planes for each in reading.read_plane(plane, offset_ps)]
                if space.cut_plane is not None:
                    in_part, of_part = _read_cut_plane(reading, space, of_host, offset_ps)
                    reach.extend(in_part)
                    findings.append(of_part)
            except FormatError as error:
                raise _UnreadableHostError(space, error) from None
            traced.setdefault(reading.tables.host, []).append(traced_span(reach))
    origin_ps = reading.first_ps if reading.first_ps <= reading.last_ps else 0
    zero_ns = began_ns(spaces, stated_ps)
    if any(part.kernel is not None for part in reading.tables.columns):
        # Only GPUs are launched on, and most that is read is of none.
        from scopelight.model.backends.kernel_runs import join_launches  # noqa: PLC0415

        join_launches(reading.tables)
    executions, runs = finish(reading.tables, origin_ps)
    if len(hosts) > 1 and clocks is None:
        clocks = _told_clocks(spaces, executions, runs, reading, capture, list(hosts))
        if any(each.applied_ps for each in clocks.values()):
            # All that was read depends on clocks that turn out to differ.
            del executions, runs, reading
            return _of_spaces(path, capture, spaces, [*given, *clocks_corrected(clocks)], clocks)
    compiling = Spans(
        np.concatenate([np.zeros(0, dtype=np.int64), *(each.start_ps for each in reading.compiling)]),
        np.concatenate([np.zeros(0, dtype=np.int64), *(each.duration_ps for each in reading.compiling)]),
    )
    started_ns = None if zero_ns is None else zero_ns + origin_ps // 1000
    moved = [
        (space.path, hosts[host_name(space.path)], offset_ps - origin_ps)
        for space, offset_ps in zip(spaces, offsets_ps, strict=True)
    ]
    untraced = untraced_spans(traced.values(), origin_ps)
    of_hosts = [
        (space.path, hosts[host_name(space.path)], applied) for space, applied in zip(spaces, applied_ps, strict=True)
    ]
    recorded = functools.cache(functools.partial(read_host_records, of_hosts, started_ns, untraced))
    unknown = HostClock()
    return Profile(
        path=path,
        executions=executions,
        runs=runs,
        modules=reading.tables.built_modules,
        duration_ps=max(0, reading.last_ps - origin_ps),
        device_steps=[_moved(each, origin_ps) for each in reading.device_steps],
        step_marks=[_moved(_joined(parts), origin_ps) for parts in reading.marks.values()],
        compiling=merge_spans(compiling.start_ps - origin_ps, compiling.start_ps + compiling.duration_ps - origin_ps),
        untraced=untraced,
        cpu_runs={
            runtime: np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *starts_ps]) - origin_ps)
            for runtime, starts_ps in reading.cpu_runs.items()
        },
        has_devices=reading.has_devices,
        capture=capture,
        findings=(*findings, *reading.tables.findings, *known_faults(capture, reading.tables.built_modules)),
        programs=tuple(programs.values()),
        is_cut_off=any(space.is_cut_off for space in spaces),
        memory=attrs.evolve(
            _memory_of_run(capture),
            allocators=functools.partial(read_allocators, moved, many_hosts=len(hosts) > 1),
        ),
        host_states=[each.moved(origin_ps) for each in joined_threads(reading.states)],
        host_records=lambda: recorded()[0],
        host_damage=lambda: recorded()[1],
        stage_events=functools.cache(functools.partial(read_stage_events, moved)),
        annotations=functools.cache(
            functools.partial(read_annotations, moved, frozenset(name for _, name in reading.marks))
        ),
        hardware_counters=functools.cache(functools.partial(read_hardware_counters, moved)),
        resources=functools.cache(functools.partial(read_resources, capture)),
        compilations=functools.cache(functools.partial(read_compilations, capture)),
        started_ns=started_ns,
        traces=tuple(
            Trace(path, host, host_name(path), (clocks or {}).get(host_name(path), unknown))
            for path, host, _ in of_hosts
        ),
    )


def _told_clocks(
    spaces: Sequence[XSpace],
    executions: Executions,
    runs: ProgramRuns,
    reading: Reading,
    capture: RunInformation | None,
    names: Sequence[str],
) -> Mapping[str, HostClock]:
    from scopelight.model.rendezvous.of_profile import told_clocks  # noqa: PLC0415 (most profiles are of one host)

    files = [each.path for each in spaces]
    clocks = known_clocks(files)
    if clocks is None:
        clocks = told_clocks(executions, runs, reading.tables.built_modules, capture, names)
        remember_clocks(files, clocks)
    return clocks


def _memory_of_run(run: RunInformation | None) -> MemoryInUse:
    """What was kept beside the trace of a run directory; nothing for any other path."""
    if run is None or run.path is None:
        return MemoryInUse()
    # Runs alone have them.
    from scopelight.model.memory.readings import READINGS_FILE, read_readings  # noqa: PLC0415
    from scopelight.model.memory.snapshots import snapshots_of_run  # noqa: PLC0415

    # Four parts of one answer ask for them: the file is read for the first.
    readings = functools.cache(functools.partial(read_readings, run.path / READINGS_FILE))
    return MemoryInUse(readings=readings, snapshots=snapshots_of_run(run), without_room=_without_room(run.path))


def _without_room(path: Path) -> StoredProgram | None:
    file = path / SNAPSHOTS_FOLDER / PROGRAM_WITHOUT_ROOM
    return _stored(file, read_hlo_file) if file.is_file() else None


def _open_memory_alone(path: Path, capture: RunInformation | None) -> Profile:
    if path.is_file():
        from scopelight.model.memory.snapshots import snapshot_file  # noqa: PLC0415

        snapshot = snapshot_file(path)
        # What cannot be read is said at once, as of every other file.
        snapshot.read()
        memory = MemoryInUse(snapshots=(snapshot,))
    else:
        memory = _memory_of_run(capture)
    without_room = memory.without_room
    nothing, runs = finish(Tables(), 0)
    return Profile(
        path=path,
        executions=nothing,
        runs=runs,
        modules=(),
        duration_ps=0,
        capture=capture,
        memory=memory,
        programs=(without_room,) if without_room is not None else (),
        resources=functools.cache(functools.partial(read_resources, capture)),
        compilations=functools.cache(functools.partial(read_compilations, capture)),
        is_memory_alone=True,
    )


def _stored(path: Path, read: Callable[[Path], hlo_pb2.HloProto]) -> StoredProgram:
    return StoredProgram("", "", str(path), functools.partial(read, path))


def _open_programs(path: Path, programs: Sequence[StoredProgram]) -> Profile:
    """Compiled programs alone: their modules, nothing that ran. Of several, those that cannot be read are left out."""
    nothing, runs = finish(Tables(), 0)
    modules: list[HloModule] = []
    readable: list[StoredProgram] = []
    findings: list[Finding] = []
    for each in programs:
        try:
            module = each.module()
        except FormatError as error:
            if len(programs) == 1:
                raise
            findings.append(warning("program-unreadable", problem=error.sentence))
            continue
        modules.append(module)
        readable.append(attrs.evolve(each, name=module.name))
    if not modules:
        raise FormatError("none of the compiled programs in it can be read", path=path)
    return Profile(
        path=path,
        executions=nothing,
        runs=runs,
        modules=modules,
        duration_ps=0,
        findings=findings,
        programs=readable,
    )
