"""Foreign text in answers: what a profile or a file says is data, so it is cut, quoted, and stays on its line.

Names of ops, scopes, files and arguments are whatever a program called them, and a model reads them beside our own
sentences: what reads like an instruction must look like the quotation that it is.
"""

import re
from pathlib import Path
from typing import Any

import attrs

from scopelight.findings import Value
from scopelight.phrase import Phrase
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.places import place

MOST_OF_NAME = 60
MOST_OF_SOURCE = 90
MOST_OF_PLACE = 140
MOST_OF_SENTENCE = 400
_SPACE = "\N{NARROW NO-BREAK SPACE}"
"""Between groups of digits, which Python does not count as printable."""
_PLAIN_PLACE = re.compile(r"[\w./\\:~+@=,<>#%-]+")
_PLAIN_FUNCTION = re.compile(r"[\w.<>]+")
_LEAST_CUT = 5
"""Characters that tell which name was cut."""
_MOST_WORDS = 3
"""A name of so many words is a name: ``TPU v5e``, ``loop fusion``."""
_UNTOUCHED = frozenset(("path", "file", "key", "code", "severity"))
"""Fields of records that are looked up by; places are quoted where they are written."""


def one_line(text: str) -> str:
    """A line of an answer: without what a screen would obey, or what would begin another line."""
    return "".join(
        each if each.isprintable() or each == _SPACE else "\N{REPLACEMENT CHARACTER}" for each in text.rstrip()
    )


def quoted(text: str, most: int = MOST_OF_NAME) -> str:
    """``"text"`` on one line, cut to ``most`` characters; what closes a quotation is written otherwise in it."""
    return f'"{shortened(printable(text.strip()), most).replace(chr(34), chr(39))}"'


def as_shown(name: str) -> str:
    """A name as a quotation has it, without its marks: what an answer called something is asked for by that again."""
    name = printable(name.strip())
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1]
    return name.replace('"', "'")


def is_called(name: str, given: str) -> bool:
    """Whether ``given`` is a name as it is, as a quotation has it, or as that was cut at either end."""
    shown, wanted = as_shown(name), as_shown(given)
    if shown == wanted or len(wanted) < _LEAST_CUT:
        return shown == wanted
    return (wanted.startswith("…") and shown.endswith(wanted[1:])) or (
        wanted.endswith("…") and shown.startswith(wanted[:-1])
    )


def source_line(text: str | None) -> str:
    """The text of a line of source, quoted; empty where it is not known."""
    return quoted(text, MOST_OF_SOURCE) if text and text.strip() else ""


def function_name(name: str) -> str:
    """A function as it is called, quoted where no function of Python is called so; empty without one."""
    is_plain = len(name) <= MOST_OF_NAME and _PLAIN_FUNCTION.fullmatch(name)
    return name if is_plain or not name else quoted(name)


def place_name(row: Any, base: Path) -> str:  # noqa: ANN401 (what has a path, a file and a line)
    """``model/decoder.py:48``, with its end where it is long, quoted where it is no ordinary path."""
    return plain_place(place(row, base))


def cut_place(where: str) -> str:
    """A place that is written already, as the argument of a call: without its beginning where it is long."""
    return where if len(where) <= MOST_OF_PLACE else f"…{where[1 - MOST_OF_PLACE :]}"


def plain_place(where: str) -> str:
    """The same, quoted where it is no ordinary path."""
    where = cut_place(where)
    is_plain = _PLAIN_PLACE.fullmatch(where.removeprefix("…"))
    return where if is_plain or not where else quoted(where, MOST_OF_PLACE)


def guarded(record: Any) -> Any:  # noqa: ANN401 (any record, or what stands in one)
    """A record, of a few rows, in which long texts are quotations: what words it then says so."""
    if isinstance(record, str):
        return _guarded_text(record)
    if isinstance(record, tuple | list):
        return tuple(map(guarded, record))
    if isinstance(record, dict):
        return {name: guarded(value) for name, value in record.items()}
    if attrs.has(type(record)):
        changed = {
            each.name.lstrip("_"): guarded(getattr(record, each.name))
            for each in attrs.fields(type(record))
            if each.init and each.name not in _UNTOUCHED and getattr(record, each.name) is not None
        }
        return attrs.evolve(record, **changed)
    return record


def guarded_sentence(sentence: str) -> str:
    """A sentence of ours in which long texts are quotations; one that does not say what it was made of is one whole."""
    if not isinstance(sentence, Phrase):
        return quoted(sentence, MOST_OF_SENTENCE)
    values = {name: _guarded_value(value) for name, value in sentence.values.items()}
    return sentence.filled(**values) if values else sentence


def _guarded_value(value: object) -> object:
    if isinstance(value, Phrase):
        return guarded_sentence(value)
    if isinstance(value, Path):
        return plain_place(str(value))
    return _guarded_text(value) if isinstance(value, str) else value


def _guarded_text(text: str) -> Value:
    is_name = len(text) <= MOST_OF_NAME and text.isprintable() and len(text.split()) <= _MOST_WORDS
    return text if is_name else quoted(text, MOST_OF_SOURCE)
