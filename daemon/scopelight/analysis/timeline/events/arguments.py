"""Arguments of events as people read them."""

from collections.abc import Mapping
from typing import Final

from scopelight.analysis.timeline.records import ArgumentRecord
from scopelight.formats.xspace.stats import StatValue

LONGEST_VALUE: Final = 10_000
"""Characters; a program's text can have millions."""


def argument_text(value: StatValue) -> str:
    """A value as text; bytes are counted."""
    return f"{len(value):,} bytes" if isinstance(value, bytes) else str(value)


def argument_records(arguments: Mapping[str, StatValue]) -> tuple[ArgumentRecord, ...]:
    """Arguments in their order; what is too long ends by saying so."""
    return tuple(ArgumentRecord(name, _cut(argument_text(value))) for name, value in arguments.items())


def _cut(text: str) -> str:
    if len(text) <= LONGEST_VALUE:
        return text
    return f"{text[:LONGEST_VALUE]}… (the first {LONGEST_VALUE:,} of {len(text):,} characters)"
