"""Readings in a file, one a line."""

import json

import attrs

from scopelight.analysis.monitoring.records import JobReading
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.run_file import read_findings


def to_line(reading: JobReading) -> str:
    """A reading as one line, with its end."""
    return json.dumps(attrs.asdict(reading)) + "\n"


def from_line(line: str | bytes) -> JobReading | None:
    """The reading that a line holds; None where it holds none."""
    fields = read_object(line)
    if fields is None:
        return None
    findings = read_findings(fields.pop("findings", None))
    reading = from_json(fields, JobReading)
    return None if reading is None else attrs.evolve(reading, findings=findings)
