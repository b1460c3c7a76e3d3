"""What a profile reads when it is asked for it: each for few views, and with modules of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scopelight.findings import Finding
from scopelight.model.run.names import HOST_SAMPLES_FILE, RECORDING_SUFFIX
from scopelight.model.spans import Spans

if TYPE_CHECKING:
    from scopelight.model.hardware_counters import HardwareCounter
    from scopelight.model.host.annotations import HostAnnotations
    from scopelight.model.host.record import HostRecord
    from scopelight.model.host.resources import HostResources
    from scopelight.model.host.stage_events import StageEvents
    from scopelight.model.memory.recorded import AllocatorEvents
    from scopelight.model.run.compilations import Compilation
    from scopelight.model.run.information import RunInformation


def read_compilations(run: RunInformation | None) -> Sequence[Compilation]:
    """What jax compiled during a run."""
    # Few analyses ask for them.
    from scopelight.model.run.compilations import read_compilations  # noqa: PLC0415

    return read_compilations(run.path if run is not None else None)


def read_resources(run: RunInformation | None) -> HostResources | None:
    """What a run's machine did meanwhile; None where nothing was read."""
    file = run.path / HOST_SAMPLES_FILE if run is not None and run.path is not None else None
    if file is None or not file.is_file():
        return None
    # One view asks for it.
    from scopelight.model.host.resource_lines import read_resources  # noqa: PLC0415

    return read_resources(file)


def read_annotations(spaces: Sequence[tuple[Path, int, int]], step_names: frozenset[str]) -> Sequence[HostAnnotations]:
    """What scripts named in the files: of each its path, its host, and the offset of its times in ps."""
    # One view asks for them.
    from scopelight.model.host.annotations import read_annotations  # noqa: PLC0415

    return read_annotations(spaces, step_names)


def read_host_records(
    spaces: Sequence[tuple[Path, int, int]], zero_ns: int | None, untraced: Spans
) -> tuple[Mapping[int, HostRecord], Sequence[Finding]]:
    """By host what was recorded of its threads, and what of that cannot be read.

    Of each file its path, its host, and what is added to its clock.
    """
    files: dict[int, list[Path]] = {}
    applied_ps: dict[int, int] = {}
    for path, host, applied in spaces:
        recording = path.with_name(path.name + RECORDING_SUFFIX)
        if recording.is_file():
            files.setdefault(host, []).append(recording)
            applied_ps[host] = applied
    if zero_ns is None or not files:
        return {}, ()
    # Only runs of ours have any.
    from scopelight.model.host.record import read_record  # noqa: PLC0415

    read = {host: read_record(of_host, zero_ns - applied_ps[host] // 1000, untraced) for host, of_host in files.items()}
    findings = [each for _, damage in read.values() for each in damage]
    return {host: record for host, (record, _) in read.items() if record is not None}, findings


def read_hardware_counters(spaces: Sequence[tuple[Path, int, int]]) -> Sequence[HardwareCounter]:
    """What devices counted, by the files."""
    # One view asks for them.
    from scopelight.model.hardware_counters import read_hardware_counters  # noqa: PLC0415

    return read_hardware_counters(spaces)


def read_stage_events(spaces: Sequence[tuple[Path, int, int]]) -> StageEvents:
    """The stages of input that libraries marked."""
    # One view asks for them.
    from scopelight.model.host.stage_events import read_stage_events  # noqa: PLC0415

    return read_stage_events(spaces)


def read_allocators(spaces: Sequence[tuple[Path, int, int]], *, many_hosts: bool) -> Sequence[AllocatorEvents]:
    """What allocators did."""
    # Only views of memory ask for it.
    from scopelight.model.memory.allocator_events import read_allocators  # noqa: PLC0415

    return read_allocators(spaces, many_hosts=many_hosts)
