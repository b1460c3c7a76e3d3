"""Readings of a job that is watched, printed as they come."""

import json
import sys
from typing import Literal

import attrs
import click

from scopelight.analysis.monitoring.records import JobReading
from scopelight.cli.groups import importing


class Readings:
    """A line for each; what there is to say of them besides is said once."""

    def __init__(self, level: Literal[1, 2], *, as_json: bool) -> None:
        self.level = level
        self._as_json = as_json
        self._explained: set[str] = set()

    def print(self, reading: JobReading) -> None:
        """Print one."""
        with importing():
            from scopelight.report.findings.worded import in_terminal  # noqa: PLC0415 (a server is traced meanwhile)
            from scopelight.report.monitoring import reading_line  # noqa: PLC0415

        if self._as_json:
            sys.stdout.write(json.dumps(attrs.asdict(reading)) + "\n")
        else:
            click.echo(reading_line(reading))
            for each in reading.findings:
                if each.code not in self._explained:
                    self._explained.add(each.code)
                    click.echo(f"  {in_terminal(each)}")
        sys.stdout.flush()
