"""Lines in answers: which one is meant by ``train.py:48``, and what is said of one in a row."""

import posixpath
import re
from collections.abc import Sequence
from typing import Any

from scopelight.agents.answer import Place, ToolError
from scopelight.agents.desk import Asked, of_all
from scopelight.agents.foreign import (
    as_shown,
    cut_place,
    function_name,
    place_name,
    plain_place,
    quoted,
    source_line,
)
from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated, phases_text
from scopelight.report.host.collectives import collectives_text, is_mostly_collective
from scopelight.report.host.waiting import classes_text, is_mostly_waiting, whole_ps
from scopelight.report.numbers import duration, share
from scopelight.report.op_name import joined_name
from scopelight.report.places import place
from scopelight.report.prediction.marks import timed
from scopelight.report.sentences import whole_of

_PLACE = re.compile(r"(?P<path>.*?)(?::(?P<line>\d+))?")
_MOST_NAMED = 6
_MOST_DIGITS = 9


def with_time(record: LinesRecord) -> list[LineRecord]:
    """The lines that have time of their own, longest first."""
    return [line for line in record.lines if line.self_ps or line.waiting_ps]


def line_named(asked: Asked[Any], record: LinesRecord, named: str) -> LineRecord:
    """The line that is meant: by the end of its path and its number, the one with most time where several are.

    Raises `ToolError` with the lines that there are.
    """
    path, number = place_named(named)
    rows = [line for line in record.lines if is_of(line, path)]
    if number is not None:
        rows = [line for line in rows if line.line == number]
    if rows and number is not None:
        return max(rows, key=lambda line: whole_ps(line) or line.inclusive_ps)
    lines = with_time(record)
    of_file = [line for line in lines if number is None and is_of(line, path)]
    if of_file:
        raise ToolError(
            f"Name a line of {quoted(path)} as file:line; those with most time are {_named(asked, of_file)}.",
            call_of_line(asked, of_file[0]),
        )
    if not lines:
        raise ToolError(f"There is no line {quoted(named)}: no line of this run has time.", asked.call("summary"))
    raise ToolError(
        f"No line {plain_place(named.strip())} has time; the lines with most time are {_named(asked, lines)}.",
        call_of_line(asked, lines[0]),
    )


def _named(asked: Asked[Any], lines: Sequence[LineRecord]) -> str:
    return of_all([place_name(line, asked.base) for line in lines], _MOST_NAMED)


def place_named(named: str) -> tuple[str, int | None]:
    """The path and the number in ``train.py:48``."""
    found = _PLACE.fullmatch(as_shown(named))
    if found is None:
        return named, None
    return found["path"], int(found["line"][:_MOST_DIGITS]) if found["line"] else None


def is_of(line: Any, path: str) -> bool:  # noqa: ANN401 (what has a path and a file)
    """Whether a line's file is the one of a path, or ends in it."""
    wanted = as_shown(path)
    if wanted.startswith("…"):
        # What answers say is cut, and written otherwise where it holds quotation marks.
        return any(as_shown(known).endswith(wanted[1:]) for known in (line.path, line.file) if known is not None)
    wanted = posixpath.normpath(wanted.replace("\\", "/"))
    for known in (line.path, line.file):
        shown = "" if known is None else as_shown(known)
        if shown and (shown == wanted or shown.replace("\\", "/").endswith(f"/{wanted.lstrip('/')}")):
            return True
    return False


def row_text(asked: Asked[Any], line: LineRecord, record: LinesRecord) -> str:
    """``train.py:48  38.2 % of the step  12.4 ms/step  forward 20, … in mlp  "y = x @ w"  longest op …``."""
    per_step = duration(whole_ps(line)) if line.per_step_ps is None else f"{duration(line.per_step_ps)}/step"
    facts = [f"{timed(share(line.share_ratio), is_estimated=is_estimated(line))} {whole_of(record.extent)}", per_step]
    facts.append(what_of(line))
    if line.function:
        facts.append(f"in {function_name(line.function)}")
    facts.append(text_of(asked, line))
    if line.ops and not is_mostly_waiting(line):
        facts.append(f"longest op {longest_op(line)}")
    return f"{place_name(line, asked.base)}  {'; '.join(filter(None, facts))}"


def what_of(line: LineRecord) -> str:
    """What the time of a line is: ``% by phase: fwd 20 bwd 80``, or ``waits, %: input 98``."""
    if is_mostly_waiting(line):
        return f"devices wait for it, in %: {classes_text(line.waiting_classes, line.waiting_ps)}"
    said = [f"in % by phase: {phases_text(line)}"] if line.other_ps != line.self_ps else []
    if is_mostly_collective(line):
        said.append(collectives_text(line))
    if line.waiting_ps:
        said.append(f"devices wait {share(line.waiting_share_ratio)} for it")
    return ", ".join(said)


def longest_op(line: LineRecord) -> str:
    """``"dot_general · backward" ("fusion.3")``."""
    op = line.ops[0]
    jax_name, hlo_name = joined_name(op.primitive, op.name, "", op.phase)
    return f"{quoted(jax_name)} ({quoted(hlo_name)})" if hlo_name else quoted(jax_name)


def text_of(asked: Asked[Any], line: Any) -> str:  # noqa: ANN401 (what has a file and a line)
    """The source of a line, quoted; empty where it is not known, or may not be read."""
    if line.file is None or line.line is None:
        return ""
    return source_line(asked.subject().line_options.text(line.file, line.line))


def row_data(asked: Asked[Any], line: LineRecord) -> dict[str, Any]:
    """The same of a line as JSON."""
    op = line.ops[0] if line.ops else None
    return {
        "line": place_name(line, asked.base),
        "function": function_name(line.function).strip('"'),
        "source": text_of(asked, line)[1:-1],
        "share_ratio": round(line.share_ratio, 5),
        "per_step_ps": line.per_step_ps,
        "time_ps": whole_ps(line),
        "waiting_ps": line.waiting_ps,
        "waiting_classes_ps": dict(line.waiting_classes),
        "is_estimated": is_estimated(line),
        "longest_op": None if op is None else quoted(op.primitive or op.name)[1:-1],
        "longest_op_hlo": None if op is None else quoted(op.name)[1:-1],
    }


def place_of(line: Any) -> Place | None:  # noqa: ANN401 (what has a file and a line)
    """Where an editor finds a line."""
    return None if line.file is None or line.line is None else Place(line.file, line.line)


def call_of_line(asked: Asked[Any], line: Any) -> str:  # noqa: ANN401
    """The call for all that is known of a line."""
    return asked.call("line_detail", line=place_given(asked, line))


def place_given(asked: Asked[Any], line: Any) -> str:  # noqa: ANN401 (what has a path, a file and a line)
    """A line as a call names it, which writes quotation marks in a text in its own way."""
    return cut_place(place(line, asked.base))
