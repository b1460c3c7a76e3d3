"""What a tool takes, as a JSON schema and read from JSON: both derived from the options, as a command's flags are."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import attrs

from scopelight.agents.foreign import quoted
from scopelight.agents.tool import Tool
from scopelight.analysis.options import Option, options_of

_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string"}
_TAKEN: Mapping[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list, tuple),
}
_MOST_CHARACTERS = 4_000
"""Of a text that is given; a query of SQL is the longest."""


class ArgumentError(Exception):
    """What was given is not what the tool takes; the message is a sentence."""


@attrs.frozen
class Arguments:
    """What was given to a tool: its own options, and those of its view."""

    own: Any
    of_view: Any


def schema_of(tool: Tool) -> dict[str, Any]:
    """The JSON schema of what a tool takes."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for field, kind, default, option in tool.fields():
        described = {"description": option.text, **_type(kind, option)}
        if default is attrs.NOTHING:
            required.append(field)
        elif default not in (None, ()):
            described["default"] = default
        properties[field] = described
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def arguments_of(tool: Tool, given: Mapping[str, Any]) -> Arguments:
    """The options of a call. Raises `ArgumentError` where one is unknown, is missing or is of another type."""
    known = {field: (kind, default, option) for field, kind, default, option in tool.fields()}
    for name in given:
        if name not in known:
            raise ArgumentError(f"{tool.name} takes no {quoted(name, 40)}; it takes {', '.join(known)}.")
    values = {}
    for field, (kind, default, option) in known.items():
        value = given.get(field)
        if value is not None:
            values[field] = _checked(field, value, kind, option)
        elif default is attrs.NOTHING:
            raise ArgumentError(f"{tool.name} needs {field}: {option.text}")
    own = {field for field, *_ in options_of(tool.options)}
    mine = tool.options(**{name: value for name, value in values.items() if name in own})
    if tool.view is None:
        return Arguments(mine, None)
    return Arguments(mine, tool.view.options(**{name: value for name, value in values.items() if name not in own}))


def _type(kind: Any, option: Option) -> dict[str, Any]:  # noqa: ANN401 (an annotation)
    if get_origin(kind) is tuple:
        return {"type": "array", "items": {"type": _KINDS[get_args(kind)[0]]}}
    kind = _present(kind)
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    described: dict[str, Any] = {"type": _KINDS[kind]}
    if option.least is not None:
        described["minimum"] = option.least
    if option.most is not None:
        described["maximum"] = option.most
    return described


def _present(kind: Any) -> Any:  # noqa: ANN401
    """The type of a value that may be None, without that."""
    if type(None) not in get_args(kind):
        return kind
    (only,) = (each for each in get_args(kind) if each is not type(None))
    return only


def _checked(field: str, value: Any, kind: Any, option: Option) -> Any:  # noqa: ANN401 (of JSON)
    described = _type(kind, option)
    name = described["type"]
    if not isinstance(value, _TAKEN[name]) or (isinstance(value, bool) and name != "boolean"):
        raise ArgumentError(f"{field} is to be {_article(name)}, not {quoted(str(value), 40)}.")
    if "enum" in described and value not in described["enum"]:
        raise ArgumentError(f"{field} is to be one of {', '.join(described['enum'])}, not {quoted(str(value), 40)}.")
    if isinstance(value, str) and len(value) > _MOST_CHARACTERS:
        raise ArgumentError(f"{field} has more than {_MOST_CHARACTERS} characters.")
    if isinstance(value, list | tuple):
        if any(not isinstance(each, str) for each in value):
            raise ArgumentError(f"{field} is to be an array of strings.")
        return tuple(value)
    if "minimum" in described and value < described["minimum"]:
        raise ArgumentError(f"{field} is to be at least {described['minimum']}, not {value}.")
    if "maximum" in described and value > described["maximum"]:
        raise ArgumentError(f"{field} is to be at most {described['maximum']}, not {value}.")
    return value


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
