"""Reads ``resources.jsonl``: the memory of a script's process and its devices, sampled while it ran."""

from pathlib import Path

import attrs

from scopelight.findings import Finding, each_once, note, warning
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.memory.recorded import MemoryReading, MemoryReadings

READINGS_FILE = "resources.jsonl"
MOST_BYTES = 256 << 20
"""Of the file: a hundred times what a day of samples takes. What lies beyond is not read."""


@attrs.frozen(slots=True)
class _Line(MemoryReading):
    """A sample, or the size of the machine's memory, or a problem."""

    total_bytes: int | None = None
    problem: str | None = None


def read_readings(file: Path) -> MemoryReadings:
    """The samples in a file, in the order of time; none where there is no such file.

    Lines that are none of a sampler's are left out, and a finding says so.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES)
    except FileNotFoundError:
        return MemoryReadings()
    except OSError as error:
        return MemoryReadings(
            findings=(warning("readings-unreadable", file=file.name, problem=error.strerror or str(error)),)
        )
    readings: list[MemoryReading] = []
    machine_bytes: int | None = None
    findings: list[Finding] = []
    lost = 0
    *lines, rest = data.split(b"\n")
    for line in lines:
        fields = read_object(line)
        said = from_json(fields, _Line)
        if fields is None or said is None:
            lost += 1
        elif "total_bytes" in fields:
            machine_bytes = said.total_bytes
        elif "problem" in fields:
            findings.append(warning("recorded-note", text=said.problem or str(fields["problem"])))
        else:
            readings.append(said)
    if rest and len(data) < MOST_BYTES:
        findings.append(note("readings-cut-off", file=file.name))
    if lost:
        findings.append(warning("readings-damaged", lines=lost, file=file.name))
    readings.sort(key=lambda each: each.time_ns)
    return MemoryReadings(readings, machine_bytes, each_once(findings))
