"""Answers: sections of lines, or figures as JSON, cut to what an agent can read, with what was left out counted."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from scopelight.agents.foreign import one_line

MOST_CHARACTERS: Final = 4_000
"""Of an answer, the line that says what to ask next included."""
_MOST_OF_LINE: Final = 420
_NEXT: Final = "next: "


class ToolError(Exception):
    """A tool cannot answer: ``sentence`` says why and names what there is, ``next_call`` is a call that would."""

    def __init__(self, sentence: str, next_call: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.next_call = next_call


def _counted(left: int) -> str:
    return f"{left} more {'is' if left == 1 else 'are'} left out."


@attrs.frozen
class Section:
    """Lines of an answer: ``heads``, which all stay, then ``rows``, of which the first ones stay.

    ``rest`` says of how many rows that were left out, and what they hold together; ``left_out`` are those that were not
    even made.
    """

    heads: Sequence[str] = ()
    rows: Sequence[str] = ()
    rest: Callable[[int], str] = _counted
    left_out: int = 0


@attrs.frozen
class Place:
    """A line that an editor can go to."""

    file: str
    line: int


@attrs.frozen
class Answer:
    """What a tool answers with: the same as text and as ``data``, whose lists are cut in JSON, the longest first.

    ``next_call`` is what makes sense to ask next. ``place`` is the line that it is about, ``run`` a run that was made.
    """

    sections: Sequence[Section]
    data: Mapping[str, Any]
    next_call: str
    place: Place | None = None
    run: Path | None = None

    def as_text(self, most: int = MOST_CHARACTERS) -> str:
        """The lines, in as many characters as there may be."""
        return fitted_text(self.sections, self.next_call, most)

    def as_json(self, most: int = MOST_CHARACTERS) -> str:
        """The figures as one JSON object; ``left_out`` has the number of elements that were cut off each list."""
        return fitted_json(self.data, self.next_call, most)


def error_text(error: ToolError) -> str:
    """What is answered where a tool cannot."""
    return fitted_text([Section([error.sentence])], error.next_call, MOST_CHARACTERS)


def fitted_text(sections: Sequence[Section], next_call: str, most: int) -> str:
    """All heads, and the rows that there is room for: those of the sections before have it first."""
    last = f"{_NEXT}{_cut(one_line(next_call))}"
    kept: list[list[str]] = [list(map(_line, section.heads)) for section in sections]
    # Of every section it can be said at least how much of it is left out.
    least = [_closing(section, len(section.rows)) for section in sections]
    room = most - len(last) - sum(len(line) + 1 for lines in kept for line in lines) - sum(least)
    for section, lines, closing in zip(sections, kept, least, strict=True):
        room += closing
        rows = list(map(_line, section.rows))
        shown = _fitting(rows, section, room)
        said = rows[:shown]
        left = len(rows) - shown + section.left_out
        if left:
            said.append(_line(section.rest(left)))
        room -= sum(len(line) + 1 for line in said)
        lines.extend(said)
    written = "\n".join(line for lines in kept for line in lines)
    # Heads alone may be too long, of findings that say very much.
    room = most - len(last) - 1
    return f"{written if len(written) <= room else written[: room - 1] + '…'}\n{last}"


def _fitting(rows: Sequence[str], section: Section, room: int) -> int:
    """How many of the rows there is room for, with the line that says what is left out."""
    lengths = [len(row) + 1 for row in rows]
    for shown in range(len(rows), 0, -1):
        if sum(lengths[:shown]) + _closing(section, len(rows) - shown) <= room:
            return shown
    return 0


def _closing(section: Section, hidden: int) -> int:
    """The characters of the line that says what is left out, where so many of the rows are not shown."""
    left = hidden + section.left_out
    return len(_line(section.rest(left))) + 1 if left else 0


def fitted_json(data: Mapping[str, Any], next_call: str, most: int) -> str:
    """The figures as JSON; lists lose their ends until all of it is short enough, the longest first."""
    kept = {name: list(value) if isinstance(value, list | tuple) else value for name, value in data.items()}
    whole = {name: len(value) for name, value in kept.items() if isinstance(value, list)}
    while True:
        cut = {name: whole[name] - len(kept[name]) for name in whole if len(kept[name]) < whole[name]}
        said = {**kept, **({"left_out": cut} if cut else {}), "next": next_call}
        written = _written(said)
        if len(written) <= most:
            return written
        lists = [name for name in whole if kept[name]]
        if not lists:
            return _written({"left_out": dict.fromkeys(data, "too long"), "next": next_call})[:most]
        longest = max(lists, key=lambda name: len(_written(kept[name])))
        over = len(written) - most
        each = max(1, len(_written(kept[longest])) // len(kept[longest]))
        del kept[longest][max(0, len(kept[longest]) - max(1, over // (2 * each))) :]


def _written(value: Any) -> str:  # noqa: ANN401 (of JSON)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _line(text: str) -> str:
    return _cut(one_line(text))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_OF_LINE else text[: _MOST_OF_LINE - 1] + "…"
