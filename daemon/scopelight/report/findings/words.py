"""What a code of a finding says: templates, and values as people read them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from scopelight.findings import Value
from scopelight.report.foreign_text import printable
from scopelight.report.language import text, translated
from scopelight.report.numbers import byte_size, count, duration, flop_rate, flops, share
from scopelight.report.prediction.marks import timed

Sentence = str | Callable[[Mapping[str, Any]], str]
"""A template for the values of a finding, or what makes the text of them."""
_MOST_LISTED = 3


@attrs.frozen(slots=True)
class Words:
    """What a code means; ``one`` is the template of its text where the value called ``number`` is 1 or one name.

    ``in_editor`` is the remedy in the editor where the other is a command line that the editor has a command for.
    """

    text: Sentence
    remedy: Sentence = ""
    one: str = ""
    number: str = ""
    in_editor: Sentence = ""

    def said(self, values: Mapping[str, Any]) -> str:
        """The text."""
        return _said(self.one if self.one and _count(values[self.number]) == 1 else self.text, values)

    def said_to_do(self, values: Mapping[str, Any], *, in_editor: bool = False) -> str:
        """The remedy; empty where there is none."""
        return _said(self.in_editor if in_editor and self.in_editor else self.remedy, values)


def as_said(name: str, value: Value) -> str:
    """A value as people read it, by the unit that its name ends in."""
    if value is None:
        return "?"
    if isinstance(value, str):
        return printable(translated(value))
    if isinstance(value, (int, float)) and name in _OF_TIMES:
        return timed(share(value))
    if isinstance(value, (int, float)):
        return next((written(value) for unit, written in _UNITS.items() if name.endswith(unit)), count(value))
    return listed([as_said(name, each) for each in value])


def listed(names: Sequence[str]) -> str:
    """Names with commas between them; of many the first few."""
    first = ", ".join(map(printable, names[:_MOST_LISTED]))
    rest = len(names) - _MOST_LISTED
    return text("{names} and {rest} more", names=first, rest=rest) if rest > 0 else first


_OF_TIMES = ("lost_ratio", "op_time_ratio", "wall_ratio")
"""Shares of times, which are as exact as these."""
_UNITS: Mapping[str, Callable[[float], str]] = {
    "_ps": duration,
    "flops_per_s": flop_rate,
    "bytes_per_s": lambda rate: f"{rate / 1e9:.4g} GB/s",
    "_hz": lambda rate: f"{rate / 1e9:.4g} GHz",
    "_s": lambda seconds: f"{seconds:.3g} s",
    "_bytes": byte_size,
    "_flops": flops,
    "_ratio": share,
}


def _count(value: Value) -> object:
    return len(value) if isinstance(value, (tuple, list)) else value


def _said(sentence: Sentence, values: Mapping[str, Any]) -> str:
    if not isinstance(sentence, str):
        return sentence(values)
    return text(sentence, **{name: as_said(name, value) for name, value in values.items()}) if sentence else ""
