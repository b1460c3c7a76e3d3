"""What a code of a finding says: templates, and values as people read them."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from scopelight.findings import Value
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import byte_size, count, duration, flops, share

Sentence = str | Callable[[Mapping[str, Any]], str]
"""A template for the values of a finding, or what makes the text of them."""


@attrs.frozen(slots=True)
class Words:
    """What a code means; ``one`` is the template of its text where the value called ``number`` is 1."""

    text: Sentence
    remedy: Sentence = ""
    one: str = ""
    number: str = ""


def as_said(name: str, value: Value) -> str:
    """A value as people read it, by the unit that its name ends in."""
    if value is None:
        return "?"
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, (int, float)):
        by_unit = {"ps": duration, "bytes": byte_size, "flops": flops, "ratio": share}
        return by_unit.get(name.rpartition("_")[2], count)(value)
    return ", ".join(as_said(name, each) for each in value)
