"""Reads ``resources.jsonl``: the memory of a script's process and its devices, sampled while it ran."""

import json
from pathlib import Path
from typing import Any

from scopelight.model.memory.in_use import DeviceMemory, MachineMemory, MemoryReading, MemoryReadings
from scopelight.model.run.information import whole_or_none

READINGS_FILE = "resources.jsonl"
MOST_BYTES = 256 << 20
"""Of the file: a hundred times what a day of samples takes. What lies beyond is not read."""


def read_readings(file: Path) -> MemoryReadings:
    """The samples in a file, in the order of time; none where there is no such file.

    Lines that are none of a sampler's are left out, and a problem says so.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES)
    except FileNotFoundError:
        return MemoryReadings()
    except OSError as error:
        return MemoryReadings(problems=(f"{file.name} cannot be read ({error.strerror or error}).",))
    readings: list[MemoryReading] = []
    machine = MachineMemory()
    problems: list[str] = []
    lost = 0
    # The last piece is empty, or a line that was cut off when the script was killed.
    for line in data.split(b"\n")[:-1]:
        fields = _fields(line)
        time_ns = whole_or_none(fields.get("time_ns")) if fields is not None else None
        if fields is None or time_ns is None:
            lost += 1
        elif "total_bytes" in fields:
            machine = MachineMemory(_size(fields["total_bytes"]))
        elif "problem" in fields:
            problems.append(str(fields["problem"]))
        else:
            readings.append(
                MemoryReading(time_ns, _size(fields.get("resident_bytes")), _devices(fields.get("devices")))
            )
    if lost:
        problems.append(f"{lost} lines of {file.name} are damaged.")
    readings.sort(key=lambda each: each.time_ns)
    return MemoryReadings(readings, machine, tuple(dict.fromkeys(problems)))


def _fields(line: bytes) -> dict[str, Any] | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _size(value: object) -> int | None:
    number = whole_or_none(value)
    return number if number is not None and 0 <= number < 1 << 62 else None


def _devices(value: object) -> dict[str, DeviceMemory]:
    if not isinstance(value, dict):
        return {}
    found = {}
    for name, stats in value.items():
        in_use = _size(stats.get("bytes_in_use")) if isinstance(stats, dict) else None
        if in_use is not None:
            found[name] = DeviceMemory(
                bytes_in_use=in_use,
                peak_bytes=_size(stats.get("peak_bytes_in_use")),
                limit_bytes=_size(stats.get("bytes_limit")),
                largest_free_bytes=_size(stats.get("largest_free_block_bytes")),
            )
    return found
