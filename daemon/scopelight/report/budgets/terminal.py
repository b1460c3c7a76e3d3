"""Budgets in the terminal."""

from pathlib import Path

from rich.console import Console

from scopelight.analysis.budgets.records import BudgetRow, BudgetsRecord
from scopelight.report.budgets.sentences import (
    VERDICTS,
    amount,
    between,
    budget_name,
    excess,
    sentence,
    taken_header,
    tally,
    what_changes_are_since,
    what_is_held,
)
from scopelight.report.findings.worded import in_terminal
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.places import place
from scopelight.report.tables.text_table import Column, print_view


def render_budgets(record: BudgetsRecord, console: Console, *, base: Path) -> None:
    """Print every budget with its verdict, then what is to be said of those that are not held."""
    columns: list[Column[BudgetRow]] = [
        Column(text("budget"), budget_name, most=60),
        Column(text("verdict"), lambda row: text(VERDICTS[row.verdict])),
        Column(text("limit"), lambda row: amount(row, row.limit), right=True),
        Column(taken_header(record), lambda row: amount(row, row.value), right=True),
        Column(text("over"), excess, right=True),
        Column(text("may be"), between),
        Column(text("at"), lambda row: place(row, base), most=40, is_place=True),
    ]
    config = place_of(record, 1, base).rpartition(":")[0]

    def shown(path: str) -> str:
        return printable(str(Path(path).relative_to(base) if Path(path).is_relative_to(base) else path))

    heads = [text("Budgets of {config}, held against {run}", config=config, run=what_is_held(record, shown))]
    if record.since is not None:
        heads.append(text("Changes are since {base}", base=what_changes_are_since(record, shown)))
    said = [sentence(row) for row in record.rows if row.verdict != "held"]
    said += [f"{place_of(record, each.line, base)}: {in_terminal(each.finding)}" for each in record.problems]
    if record.rows or record.problems:
        said.append(f"{tally(record)}.")
    print_view(console, heads, columns, record.rows, said, record.findings)


def place_of(record: BudgetsRecord, line: int, base: Path) -> str:
    """A line of the file of budgets."""
    config = Path(record.config) if record.config else None
    if config is None:
        return f"pyproject.toml:{line}"
    shown = config.relative_to(base) if config.is_relative_to(base) else config
    return printable(f"{shown}:{line}")
