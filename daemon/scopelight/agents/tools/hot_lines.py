"""``hot_lines``: the lines that the time of a run went to."""

from typing import Annotated, Any, Literal

import attrs

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.desk import Asked
from scopelight.agents.findings import all_said, warned
from scopelight.agents.foreign import function_name, guarded, place_name, quoted
from scopelight.agents.lines import call_of_line, is_of, place_of, row_data, row_text, with_time
from scopelight.agents.tool import OfRun
from scopelight.analysis.options import Option
from scopelight.analysis.records import FunctionRecord, LineRecord, LinesRecord
from scopelight.report.host.waiting import whole_ps
from scopelight.report.numbers import duration, share
from scopelight.report.prediction.around import sentences_of_prediction, without_prediction
from scopelight.report.prediction.marks import timed
from scopelight.report.sentences import WITHOUT_STEPS, headline, wall_clock, whole_of

_MOST = 50


@attrs.frozen
class HotLinesOptions(OfRun):
    """Of which file, by what, and how many."""

    file: Annotated[str | None, Option("Lines of this file alone, by its path or the end of it.")] = None
    by: Annotated[
        Literal["line", "function"], Option("Lines, or functions with all their lines and what they call.")
    ] = "line"
    limit: Annotated[int, Option("How many at most.", least=1, most=_MOST)] = 12


def hot_lines(asked: Asked[HotLinesOptions]) -> Answer:
    """The lines of source that have most of the wall clock, and what of it is on no line."""
    record: LinesRecord = asked.own_record()
    heads = [
        *sentences_of_prediction(record.findings),
        headline(attrs.evolve(record, steps_name=guarded(record.steps_name))),
        *filter(None, (wall_clock(record),)),
        *all_said(without_prediction(record.findings), "empty", "error"),
    ]
    if asked.options.by == "function":
        return _by_function(asked, record, heads)
    lines = with_time(record)
    file = asked.options.file
    if file is not None:
        lines = [line for line in lines if is_of(line, file)]
        if not lines:
            raise _no_file(asked, record, file)
    shown = lines[: asked.options.limit]
    data = {
        "steps": record.step_time.steps,
        "mean_step_ps": record.step_time.mean_ps,
        "lines": [row_data(asked, line) for line in shown],
        "lines_with_time": len(lines),
        "unattributed_wall_ps": record.unattributed_wall_ps,
        "unattributed_waiting_ps": record.unattributed_waiting_ps,
    }
    sections = [
        Section(heads),
        Section(
            (),
            [row_text(asked, line, record) for line in shown],
            lambda left: _rest(record, lines, len(lines) - left),
            len(lines) - len(shown),
        ),
        Section((), list(_footer(record, lines))),
        warned(each for each in record.findings if each.code not in WITHOUT_STEPS),
    ]
    if not shown:
        return Answer(sections, data, asked.call("summary"))
    return Answer(sections, data, call_of_line(asked, shown[0]), place_of(shown[0]))


def _rest(record: LinesRecord, lines: list[LineRecord], shown: int) -> str:
    """What the lines that were left out have together."""
    wall_ps = record.wall.wall_ps if record.wall is not None else 0
    rest = sum(map(whole_ps, lines[shown:])) / max(1, wall_ps)
    left, of_whole = len(lines) - shown, f"{timed(share(rest))} {whole_of(record.extent)}"
    if left == 1:
        return f"1 more line, {of_whole}, is left out."
    return f"{left} more lines, together {of_whole}, are left out."


def _footer(record: LinesRecord, lines: list[LineRecord]) -> list[str]:
    if record.wall is None or not lines:
        return []
    wall_ps = max(1, record.wall.wall_ps)
    said = []
    if record.unattributed_wall_ps:
        said.append(f"{timed(share(record.unattributed_wall_ps / wall_ps))} cannot be put on a line.")
    if record.unattributed_waiting_ps:
        said.append(f"{share(record.unattributed_waiting_ps / wall_ps)} is idle on no line.")
    if record.predicted_for is None:
        said.append("≈ is estimated for more than half: divided among lines by cost, or found by samples.")
    return said


def _by_function(asked: Asked[HotLinesOptions], record: LinesRecord, heads: list[str]) -> Answer:
    functions = sorted(record.functions, key=lambda each: -each.inclusive_share_ratio)
    file = asked.options.file
    if file is not None:
        functions = [each for each in functions if each.path is not None and each.path.endswith(file)]
        if not functions:
            raise _no_file(asked, record, file)
    shown = functions[: asked.options.limit]
    rows = [_function(asked, each, record) for each in shown]
    data = {
        "functions": [
            {
                "function": function_name(each.function).strip('"'),
                "line": place_name(each, asked.base),
                "share_ratio": round(each.share_ratio, 5),
                "inclusive_share_ratio": round(each.inclusive_share_ratio, 5),
                "per_step_ps": each.per_step_ps,
            }
            for each in shown
        ]
    }
    left_out = len(functions) - len(shown)
    lines = with_time(record)
    next_call = call_of_line(asked, lines[0]) if lines else asked.call("summary")
    warnings = warned(each for each in record.findings if each.code not in WITHOUT_STEPS)
    return Answer([Section(heads), Section((), rows, left_out=left_out), warnings], data, next_call)


def _function(asked: Asked[HotLinesOptions], each: FunctionRecord, record: LinesRecord) -> str:
    own, of_whole = timed(share(each.share_ratio)), whole_of(record.extent)
    time = "" if each.inclusive_per_step_ps is None else f"; {duration(each.inclusive_per_step_ps)}/step"
    inclusive = timed(share(each.inclusive_share_ratio))
    where = place_name(each, asked.base)
    return f"{function_name(each.function)} at {where}  {own} {of_whole} itself, {inclusive} with what it calls{time}"


def _no_file(asked: Asked[Any], record: LinesRecord, file: str) -> ToolError:
    known = dict.fromkeys(quoted(line.path)[1:-1] for line in with_time(record) if line.path is not None)
    there = f"those that have are {', '.join(list(known)[:6])}" if known else "no line has"
    return ToolError(f"No line of {quoted(file)} has time; {there}.", asked.call("hot_lines"))
