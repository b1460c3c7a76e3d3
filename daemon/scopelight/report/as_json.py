"""Records as objects that ``json`` writes: what a panel receives, and what ``--json`` prints."""

import functools
from typing import Any

import cattrs

from scopelight.findings import Finding
from scopelight.report.findings.worded import Screen, worded
from scopelight.report.prediction.marks import marked


@marked
def as_json(record: object, screen: Screen) -> Any:  # noqa: ANN401 (what json can write)
    """A record with the names of its fields as keys, and its findings with their words for ``screen``."""
    return _converter(screen).unstructure(record)


@functools.cache
def _converter(screen: Screen) -> cattrs.Converter:
    converter = cattrs.Converter()
    converter.register_unstructure_hook(Finding, lambda finding: converter.unstructure(worded(finding, screen)))
    return converter
