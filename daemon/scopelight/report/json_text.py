"""Records as JSON for people and scripts: what ``--json`` prints."""

import json
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from json.encoder import encode_basestring_ascii
from math import isfinite, isinf, isnan
from typing import Any

import attrs

from scopelight.findings import Finding


def json_text(value: object, newline: str = "\n") -> str:  # noqa: PLR0911 (one for each kind of value)
    """A record as `as_json` has it, as the text that ``json.dumps(..., indent=1)`` makes of that.

    Written in one pass: the converter of the server first makes code for each class, which takes longer than a record.
    ``newline`` begins a line at the indentation of the value.
    """
    kind = type(value)
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return simple(value)
    if issubclass(kind, Finding):
        # Most profiles have none, and all their words take long to import.
        from scopelight.report.findings.worded import worded  # noqa: PLC0415

        return json_text(worded(value, "terminal"), newline)  # type: ignore[arg-type]
    names = _known[kind] if kind in _known else _names(kind)
    if names is not None:
        inner = newline + " "
        return _braced("{}", [name + json_text(getattr(value, field), inner) for field, name in names], newline)
    if isinstance(value, Mapping):
        inner = newline + " "
        fields = (f"{encode_basestring_ascii(str(name))}: {json_text(each, inner)}" for name, each in value.items())
        return _braced("{}", fields, newline)
    if isinstance(value, Enum):
        return json_text(value.value, newline)
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, tuple | list):
        inner = newline + " "
        return _braced("[]", [json_text(each, inner) for each in value], newline)
    raise TypeError(f"{kind.__name__} cannot be written as JSON")


def _braced(brackets: str, items: Iterable[str], newline: str) -> str:
    text = f",{newline} ".join(items)
    return f"{brackets[0]}{newline} {text}{newline}{brackets[1]}" if text else brackets


_known: dict[type, tuple[tuple[str, str], ...] | None] = {}


def _names(kind: type) -> tuple[tuple[str, str], ...] | None:
    """The fields of a class of attrs, each with how it is written; None for any other class."""
    has_fields = attrs.has(kind)
    _known[kind] = tuple((each.name, f'"{each.name}": ') for each in attrs.fields(kind)) if has_fields else None
    return _known[kind]


def compact_json(value: object) -> str:
    """Plain objects as JSON for a browser, where numbers that JSON does not have become null."""
    return json.dumps(_without_nan(value), separators=(",", ":"), allow_nan=False)


def _without_nan(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_nan(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _number(value: float) -> str:
    if isnan(value):
        return "NaN"
    if isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


_SIMPLE: Mapping[type, Callable[[Any], str]] = {
    str: encode_basestring_ascii,
    int: repr,
    float: _number,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _value: "null",
}
