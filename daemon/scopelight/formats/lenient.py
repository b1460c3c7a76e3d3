"""JSON that may have been written by anyone, into attrs classes: what cannot be used counts as absent.

A field that is missing, or of another type than the class says, takes its default; where it has none, the whole object
counts as absent. Elements of lists and values of objects that cannot be used are left out. Whole numbers are between 0
and 2^62, other numbers finite and not negative: nothing that is kept in such files can be anything else.
"""

import functools
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import GenericAlias
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import attrs

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")

UNUSABLE = (TypeError, ValueError)


def read_object(text: str | bytes) -> dict[str, Any] | None:
    """The JSON object that a text is; None where it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def from_json(value: object, kind: type[T]) -> T | None:
    """A decoded JSON value as ``kind``; None where it cannot be one."""
    try:
        return _converter().structure(value, kind)
    except UNUSABLE:
        return None


def _usable(is_usable: Callable[[Any], bool]) -> Callable[[Any, Any], Any]:
    def check(value: Any, _: Any) -> Any:  # noqa: ANN401
        if not is_usable(value):
            raise ValueError
        return value

    return check


def _number(value: Any, _: Any) -> float:  # noqa: ANN401
    if type(value) not in (int, float) or not 0 <= value <= sys.float_info.max:
        raise ValueError
    return float(value)


def _literal(kind: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401
    return _usable(lambda value: isinstance(value, str) and value in get_args(kind))


def _elements(kind: Any) -> Callable[[Any, Any], tuple[Any, ...]]:  # noqa: ANN401
    element = get_args(kind)[0]

    def structure(values: Any, _: Any) -> tuple[Any, ...]:  # noqa: ANN401
        if not isinstance(values, list):
            raise TypeError
        found = []
        for each in values:
            with suppress(*UNUSABLE):
                found.append(_converter().structure(each, element))
        return tuple(found)

    return structure


def _values(kind: Any) -> Callable[[Any, Any], dict[str, Any]]:  # noqa: ANN401
    of_value = get_args(kind)[1]

    def structure(values: Any, _: Any) -> dict[str, Any]:  # noqa: ANN401
        found = {}
        for name, each in dict(values).items():
            with suppress(*UNUSABLE):
                found[name] = _converter().structure(each, of_value)
        return found

    return structure


def _fields(kind: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401
    types = {each.name: each.type for each in attrs.fields(attrs.resolve_types(kind))}

    def structure(value: Any, _: Any) -> Any:  # noqa: ANN401
        known = {}
        for name in types.keys() & dict(value).keys():
            with suppress(*UNUSABLE):
                known[name] = _converter().structure(value[name], types[name])
        return kind(**known)

    return structure


@functools.cache
def _converter() -> "Converter":
    # A command that shows a profile may read no such file, and cattrs takes longer to import than most answers take.
    from cattrs import Converter  # noqa: PLC0415

    converter = Converter(detailed_validation=False)
    converter.register_structure_hook(str, _usable(lambda value: isinstance(value, str)))
    converter.register_structure_hook(bool, _usable(lambda value: isinstance(value, bool)))
    converter.register_structure_hook(int, _usable(lambda value: type(value) is int and 0 <= value < 1 << 62))
    converter.register_structure_hook(float, _number)
    for is_such, hook in (
        (lambda kind: isinstance(kind, type) and attrs.has(kind), _fields),
        (lambda kind: isinstance(kind, GenericAlias) and kind.__origin__ is tuple, _elements),
        (lambda kind: isinstance(kind, GenericAlias) and kind.__origin__ is Mapping, _values),
        (lambda kind: str(kind).startswith("typing.Literal"), _literal),
    ):
        converter.register_structure_hook_factory(is_such, hook)
    return converter
