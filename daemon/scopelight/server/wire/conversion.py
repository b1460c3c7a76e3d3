"""Between JSON and the protocol's records: strict about types, lenient about what is missing or unknown."""

import functools
import math
from typing import Any, TypeVar, get_args

import cattrs
from cattrs.strategies import configure_union_passthrough
from pygls.exceptions import JsonRpcInvalidParams

from scopelight.report.as_json import as_json

Record = TypeVar("Record")
_Token = str | int | None


def structured(value: object, kind: type[Record], subject: str) -> Record:
    """``value``, as JSON gave it, as a record of ``kind``; nothing at all counts as an empty object.

    Unknown keys are ignored, missing ones take their defaults. Raises `JsonRpcInvalidParams` with a sentence about
    ``subject`` where a key without a default is missing or a value has the wrong type.
    """
    value = {} if value is None else value
    if not isinstance(value, dict):
        raise JsonRpcInvalidParams(f"{subject} must be an object, but they are {_kind(value)}.")
    try:
        return _converter().structure(value, kind)
    except cattrs.BaseValidationError as error:
        reasons = cattrs.transform_error(error, path="", format_exception=_reason)
        raise JsonRpcInvalidParams(
            f"{subject} are not understood: {'; '.join(reasons)}.".replace(" @ .", " at ")
        ) from error


def unstructured(record: object) -> Any:  # noqa: ANN401 (what json can write)
    """A record as objects that ``json`` writes, with the names of its fields as keys and findings in words."""
    return as_json(record, "editor")


@functools.cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter()
    # The strategy leaves a union's own values alone; the values of a single type are checked by the hooks below.
    configure_union_passthrough(_Token, converter)
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _checked)
    converter.register_structure_hook(float, _finite)
    return converter


def _checked(value: object, kind: type) -> object:
    if type(value) is not kind:
        raise TypeError(f"expected {_NAMES[kind]}, got {_kind(value)}")
    return value


def _finite(value: object, kind: type) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"expected {_NAMES[kind]}, got {_kind(value)}")
    # Python's json reads numbers that JSON does not have.
    if not math.isfinite(value):
        raise TypeError("expected a finite number")
    return float(value)


_NAMES: dict[type, str] = {str: "a string", int: "a whole number", bool: "true or false", float: "a number"}


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return _NAMES.get(type(value)) or ("a list" if isinstance(value, list) else "an object")


def _reason(error: BaseException, kind: type | None) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    if isinstance(error, TypeError) and str(error).startswith("expected "):
        return str(error)
    choices = get_args(kind)
    if choices and all(isinstance(each, str) for each in choices):
        return f"expected one of {', '.join(choices)}"
    return "it has the wrong type"
