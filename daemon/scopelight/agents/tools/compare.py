"""``compare``: what changed between two runs, or rounds of two, and what of it can be told from noise."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import attrs

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.desk import Asked
from scopelight.agents.experiments import Sides, experiment_around, experiment_named, experiments_of, sides_of
from scopelight.agents.findings import all_said, warned
from scopelight.agents.foreign import function_name, is_called, place_name, plain_place, quoted
from scopelight.agents.lines import place_given, place_of
from scopelight.agents.tool import NoRun, call
from scopelight.analysis.compare.line_changes import flops_change_ratio
from scopelight.analysis.compare.records import (
    ComparedBy,
    ComparedQuantity,
    ComparedRow,
    ComparedSide,
    ComparisonRecord,
)
from scopelight.analysis.options import Option
from scopelight.model.run.listing import RunRecord
from scopelight.model.run.sides import UnknownSideError, runs_of_side
from scopelight.report.compare import verdicts
from scopelight.report.numbers import byte_size, duration, share
from scopelight.report.prediction.marks import predicted_times

_MOST_ROWS = 50
_MOST_NAMED = 5
_SURE = frozenset(("worse", "better", "only-before", "only-after"))


@attrs.frozen
class CompareOptions(NoRun):
    """Which two, by what, and how many rows."""

    before: Annotated[
        str | None,
        Option(
            "The run to compare with: a run's name, a folder of runs made in turn, or a git revision. The name of an"
            " experiment alone is both its sides. Without it, the run of the same script before."
        ),
    ] = None
    after: Annotated[str | None, Option("The other, in the same way; without it the newest run.")] = None
    by: Annotated[ComparedBy, Option("What the rows are.")] = "line"
    limit: Annotated[int, Option("Rows at most.", least=1, most=_MOST_ROWS)] = 12


def compare(asked: Asked[CompareOptions]) -> Answer:
    """Figures of whole runs with their verdicts, then the rows that changed most: before + change = after."""
    from scopelight.views.comparing import compare_runs  # noqa: PLC0415 (its analyses take long to import)

    desk, options = asked.desk, asked.options
    before, after = _sides(asked)
    subjects = [[desk.opened.subject(desk.workspace, path) for path in side] for side in (before, after)]
    with asked.reading(*subjects[0], *subjects[1]):
        is_predicted = any(each.profile.prediction is not None for side in subjects for each in side)
        record = compare_runs(subjects[0], subjects[1], options.by)
    with predicted_times(is_predicted):
        return _told(asked, record, (before, after))


def _told(asked: Asked[CompareOptions], record: ComparisonRecord, sides: Sides) -> Answer:
    # Neither a limit nor the room that there is may hide what surely changed.
    rows = sorted(record.rows, key=lambda each: not _surely_changed(each))
    shown = rows[: asked.options.limit]
    sections = [
        Section(
            [
                *(_side(name, side) for name, side in (("before", record.before), ("after", record.after))),
                *all_said(record.findings, "empty", "error"),
            ]
        ),
        warned(record.findings),
        Section((), [_quantity(each) for each in record.quantities]),
        Section(
            [f"By {record.by}, what surely changed first, then what changed most:"] if shown else [],
            [_row(asked, each) for each in shown],
            lambda left: _rest(record, rows[len(rows) - left :]),
            len(rows) - len(shown),
        ),
        Section((), [*_totals(record), *all_said(record.findings, "note")]),
    ]
    # What has a place after can be opened; what is gone cannot.
    placed = [each for each in shown if each.line is not None and each.after_key is not None]
    data = {
        "by": record.by,
        "rounds": record.rounds,
        "quantities": [_quantity_data(each) for each in record.quantities],
        "rows": [_row_data(asked, each) for each in shown],
        "rows_in_all": len(rows),
        "paired_ratio": record.totals.paired_ratio,
        "findings": list(all_said(record.findings)),
    }
    first = next(iter(placed), None)
    name = asked.desk.workspace.name_of(sides[1][-1])
    if first is None:
        return Answer(sections, data, call("summary", run=name))
    return Answer(
        sections,
        data,
        call("line_detail", line=place_given(asked, first), run=name),
        place_of(first),
    )


def _sides(asked: Asked[CompareOptions]) -> Sides:
    """The runs of both sides. Raises `ToolError` where there are none, or they are outside of the workspace."""
    given = asked.options
    experiment = _experiment(asked)
    if experiment is not None:
        rounds = sides_of(asked.desk.workspace, experiment)
        return _held(asked, rounds[0]), _held(asked, rounds[1])
    after = (asked.desk.workspace.run(None),) if given.after is None else _side_named(asked, given.after)
    before = (_run_before(asked, after[-1]),) if given.before is None else _side_named(asked, given.before)
    return _held(asked, before), _held(asked, after)


def _experiment(asked: Asked[CompareOptions]) -> Path | None:
    """The experiment whose two sides are meant: the one that alone is named, or of which the newest run is a round."""
    workspace, given = asked.desk.workspace, asked.options
    if given.before is None and given.after is None:
        return experiment_around(workspace.run(None))
    named = given.after if given.before is None else given.before if given.after is None else None
    return None if named is None else experiment_named(workspace, named)


def _side_named(asked: Asked[CompareOptions], named: str) -> tuple[Path, ...]:
    workspace = asked.desk.workspace
    if "\0" in named:
        raise ToolError("A run has no null character in its name.", call("list_runs"))
    experiment = experiment_named(workspace, named)
    if experiment is not None:
        return sides_of(workspace, experiment)[1]
    for root in workspace.roots:
        for folder in (root / ".scopelight", root):
            if (folder / named).exists() and workspace.holds(folder / named):
                return runs_of_side(named, folder)
    try:
        return runs_of_side(named, workspace.base)
    except UnknownSideError as error:
        if error.revision is not None:
            said = f"No run was made of the revision {quoted(named)} ({error.revision[:8]}) with nothing changed since."
            raise ToolError(said, call("list_runs")) from error
        names = {run.path: workspace.name_of(Path(run.path)) for run in workspace.runs()}
        called = next((path for path, name in names.items() if is_called(name, named)), None)
        if called is not None:
            return (Path(called),)
        known = ", ".join(quoted(name, 80) for name in list(names.values())[:_MOST_NAMED])
        said = f"{quoted(named)} is no run, no folder of runs and no revision; the newest runs are {known or 'none'}."
        raise ToolError(said, call("list_runs")) from error


def _run_before(asked: Asked[CompareOptions], after: Path) -> Path:
    """The run of the same script that was captured before. Raises `ToolError` where there is none."""
    runs: Sequence[RunRecord] = [run for run in asked.desk.workspace.runs() if run.state == "captured"]
    place = next((number for number, run in enumerate(runs) if Path(run.path) == after), None)
    if place is not None:
        own = runs[place]
        for each in runs[place + 1 :]:
            if each.script == own.script and each.predicted_for == own.predicted_for:
                return Path(each.path)
    rounds = [each for each in experiments_of(asked.desk.workspace) if each.rounds]
    raise ToolError(
        "There is no earlier run of the same script to compare with: name one with before=…, or profile it again after"
        " a change.",
        next((call("compare", before=asked.desk.workspace.name_of(Path(each.path))) for each in rounds), None)
        or call("list_runs"),
    )


def _held(asked: Asked[CompareOptions], runs: tuple[Path, ...]) -> tuple[Path, ...]:
    """The runs of a side, each inside of the workspace. Raises `ToolError` where one is not."""
    return tuple(asked.desk.workspace.run(str(each)) for each in runs)


def _side(name: str, side: ComparedSide) -> str:
    facts = [plain_place(Path(run).name) for run in side.runs[:3]]
    if len(side.runs) > len(facts):
        facts.append(f"{len(side.runs) - len(facts)} more")
    said = [f"{name}: {', '.join(facts)}"]
    if side.revision:
        said.append(f"commit {side.revision}")
    if side.script:
        said.append(quoted(side.script, 80))
    if side.device:
        said.append(f"{side.devices} × {quoted(side.device, 40)}")
    return "; ".join(said)


def _quantity(each: ComparedQuantity) -> str:
    before = verdicts.quantity_value(each, each.before) or "–"
    after = verdicts.quantity_value(each, each.after) or "–"
    change = verdicts.quantity_change(each)
    return (
        f"{verdicts.quantity_name(each)} ({each.kind}): {before} → {after}{f', {change}' if change else ''}:"
        f" {verdicts.quantity_verdict(each)}"
    )


def _row(asked: Asked[CompareOptions], row: ComparedRow) -> str:
    before = verdicts.value_of_row(row, "before") or "–"
    after = verdicts.value_of_row(row, "after") or "–"
    change = ", ".join(filter(None, (verdicts.change_of_row(row), verdicts.signed(row.change_ratio))))
    judged = _judged_change(row)
    change = "; ".join(filter(None, (change, judged)))
    facts = [f"{before} → {after}{f' ({change})' if change else ''}"]
    facts.append(f"{verdicts.row_verdict(row)} ({verdicts.evidence_name(row.judged_by)})")
    flops_ratio = flops_change_ratio(row)
    if flops_ratio is not None:
        estimated = "≈" if row.flops_are_estimated else ""
        facts.append(f"FLOPs {estimated}{verdicts.signed(flops_ratio)}")
    facts.append(verdicts.pairing_name(row.paired_by))
    if (
        row.before_line is not None
        and row.line is not None
        and (row.before_line, row.before_path) != (row.line, row.path)
    ):
        facts.append(f"before on {plain_place(f'{row.before_path}:{row.before_line}')}")
    return f"{_name(asked, row)}  {'; '.join(filter(None, facts))}"


def _judged_change(row: ComparedRow) -> str:
    """``CPU time +15 %`` where that was judged: the wall clock beside it may have changed the other way."""
    if row.judged_by != "cpu-time" or row.judged_change_ratio is None:
        return ""
    return f"{verdicts.evidence_name(row.judged_by)} {verdicts.signed(row.judged_change_ratio)}"


def _name(asked: Asked[CompareOptions], row: ComparedRow) -> str:
    label = verdicts.label_of_row(row)
    named = label if row.kind in ("rest", "part") else quoted(label, 90)
    where = place_name(row, asked.base)
    function = f" in {function_name(row.function)}" if row.function and row.kind == "line" else ""
    return f"{where}{function} {named}" if where else named


def _surely_changed(row: ComparedRow) -> bool:
    return row.verdict in _SURE or flops_change_ratio(row) is not None


def _rest(record: ComparisonRecord, rows: Sequence[ComparedRow]) -> str:
    """What the rows that were left out changed by together."""
    is_memory = record.by == "memory"
    change = sum((row.change_bytes if is_memory else row.change_ps) or 0 for row in rows)
    said = byte_size(abs(change)) if is_memory else duration(abs(change))
    sign = "\N{MINUS SIGN}" if change < 0 else "+" if change else ""
    which, are = ("row", "is") if len(rows) == 1 else ("rows", "are")
    together = "" if len(rows) == 1 else " together"
    return f"{len(rows)} more {which}, which changed by {sign}{said}{together}, {are} left out."


def _totals(record: ComparisonRecord) -> list[str]:
    totals = record.totals
    said = []
    if totals.before_ps is not None and totals.after_ps is not None:
        said.append(
            f"All rows: {duration(totals.before_ps)} → {duration(totals.after_ps)}"
            f"{' a step' if record.has_steps else ''}; before + change = after in every row."
        )
    elif totals.before_bytes is not None and totals.after_bytes is not None:
        said.append(f"All rows: {byte_size(totals.before_bytes)} → {byte_size(totals.after_bytes)}.")
    if totals.paired_ratio is not None:
        said.append(f"{share(totals.paired_ratio)} of both has a counterpart.")
    return said


def _quantity_data(each: ComparedQuantity) -> dict[str, Any]:
    return {
        "name": each.name,
        "kind": each.kind,
        "unit": each.unit,
        "before": each.before,
        "after": each.after,
        "change_ratio": each.change_ratio,
        "verdict": each.verdict,
        "visible_ratio": each.visible_ratio,
    }


def _row_data(asked: Asked[CompareOptions], row: ComparedRow) -> dict[str, Any]:
    return {
        "line": place_name(row, asked.base) or None,
        "label": quoted(verdicts.label_of_row(row), 90)[1:-1],
        "before_ps": row.before_ps,
        "after_ps": row.after_ps,
        "change_ps": row.change_ps,
        "change_ratio": row.change_ratio,
        "before_cpu_ps": row.before_cpu_ps,
        "after_cpu_ps": row.after_cpu_ps,
        "before_bytes": row.before_bytes,
        "after_bytes": row.after_bytes,
        "before_flops": row.before_flops,
        "after_flops": row.after_flops,
        "verdict": row.verdict,
        "judged_by": row.judged_by,
        "judged_change_ratio": row.judged_change_ratio,
        "interval_ps": row.interval_ps,
        "paired_by": row.paired_by,
    }
