"""The variables read: ours first, then MindSpore's where its keys mean the same."""

import json
import math
from collections.abc import Mapping
from typing import Any

from scopelight_agent.off import is_off

from .errors import OptionsError
from .keys import KEYS, MINDSPORE, TO_STEP
from .options import Options

VARIABLE = "SCOPELIGHT_OPTIONS"
MINDSPORE_VARIABLE = "MS_PROFILER_OPTIONS"

_MEANING_THE_SAME = frozenset({key.name for key in MINDSPORE} | {"start", "output_path"})
_ON = ("on", "1", "true", "yes")
_EXCLUSIVE = ("whole", "seconds", "from_step", "epoch", "when", "watch")
"""Of these a capture has one."""
_LONGEST = 100_000
"""Characters of a variable that are read: the system allows more."""


def read(environment: Mapping[str, str]) -> Options | None:
    """The options that the variables ask for; None where they ask for nothing, or say off.

    Raises `OptionsError`.
    """
    if is_off(environment):
        return None
    ours = _object(environment, VARIABLE)
    theirs = _object(environment, MINDSPORE_VARIABLE)
    if theirs is not None and theirs.get("start") is not True:
        # MindSpore takes it so: its variable asks for nothing unless it says that a capture is to start.
        theirs = None
    if ours is None and theirs is None:
        return None
    values: dict[str, Any] = {}
    notes: list[str] = []
    if theirs is not None:
        known = {name: value for name, value in theirs.items() if name in _MEANING_THE_SAME}
        values |= _values(known, MINDSPORE_VARIABLE)
        notes += _notes(known, MINDSPORE_VARIABLE)
        notes += [f"{MINDSPORE_VARIABLE}: {_shown(name)} means nothing here." for name in theirs if name not in known]
    if ours is not None:
        values |= _values(ours, VARIABLE)
        notes += _notes(ours, VARIABLE)
    options = Options(**values, notes=tuple(notes))
    _check_together(ours or {}, options)
    return options


def _object(environment: Mapping[str, str], variable: str) -> dict[str, Any] | None:
    text = environment.get(variable, "").strip()
    if not text:
        return None
    if variable == VARIABLE and text.lower() in _ON:
        return {}
    if len(text) > _LONGEST:
        raise OptionsError(f"{variable} is longer than {_LONGEST} characters.")
    try:
        found = json.loads(text, object_pairs_hook=lambda pairs: _without_doubles(pairs, variable))
    except json.JSONDecodeError as error:
        # A quotation mark that the shell took, mostly.
        near = text[max(0, error.pos - 12) : error.pos + 12]
        raise OptionsError(
            f"{variable} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}, near {near!r}."
        ) from None
    except (RecursionError, ValueError):
        raise OptionsError(
            f"{variable} cannot be read as JSON: it nests too deeply, or has too long a number."
        ) from None
    if not isinstance(found, dict):
        raise OptionsError(f'{variable} must be a JSON object such as {{"steps": 5}}, not {_shown(found)}.')
    return found


def _without_doubles(pairs: list[tuple[str, Any]], variable: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise OptionsError(f"{variable} has the key {_shown(name)} twice.")
        found[name] = value
    return found


def _values(given: dict[str, Any], variable: str) -> dict[str, Any]:
    """Of each field its value; a key of ours comes before another for the same field."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        key = KEYS.get(name)
        if key is None:
            raise OptionsError(_unknown(name, variable))
        if not key.kind.accepts(value):
            raise OptionsError(f"{variable}: {name} must be {key.kind.words}, not {_shown(value)}.")
        if key.field is not None and name != TO_STEP and (key.field == name or key.field not in given):
            found[key.field] = key.kind.convert(value)
    if TO_STEP in given:
        if given[TO_STEP] < given.get("from_step", math.inf):
            raise OptionsError(f"{variable}: to_step needs a from_step that is not after it.")
        found["steps"] = given[TO_STEP] - given["from_step"] + 1
    return found


def _unknown(name: str, variable: str) -> str:
    # Only for whoever has made a mistake.
    from difflib import get_close_matches  # noqa: PLC0415

    near = get_close_matches(name.lower().replace("-", "_"), KEYS, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else f" Its keys are {', '.join(KEYS)}."
    return f"{variable} has an unknown key {_shown(name)}.{hint}"


def _notes(given: dict[str, Any], variable: str) -> tuple[str, ...]:
    idle = (KEYS[name] for name, value in given.items() if KEYS[name].field is None and value != KEYS[name].usual)
    return tuple(f"{variable}: {key.name} has no effect; {key.meaning}." for key in idle)


def _check_together(ours: dict[str, Any], options: Options) -> None:
    """As `scopelight run` does. A switch that is off, and what belongs to another key, asks for nothing."""
    asked = [name for name in _EXCLUSIVE if ours.get(name, False) is not False]
    if "every" in ours and "from_step" not in ours:
        asked.append("every")
    if len(asked) > 1:
        raise OptionsError(f"{VARIABLE}: {asked[0]} and {asked[1]} exclude each other: give one of them.")
    if options.every is not None and options.every < options.steps:
        raise OptionsError(f"{VARIABLE}: every {options.every} leaves no room for windows of {options.steps} steps.")


def _shown(value: object) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
