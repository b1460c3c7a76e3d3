"""Budgets as Markdown: the summary of a job, or a comment on a change."""

from collections.abc import Iterator
from pathlib import Path

from scopelight.analysis.budgets.records import BudgetRow, BudgetsRecord
from scopelight.report.budgets.github import in_repository
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
from scopelight.report.foreign_text import markdown_code, markdown_prose, markdown_text
from scopelight.report.language import text
from scopelight.report.tables.markdown_table import markdown_table


def budgets_in_markdown(record: BudgetsRecord, root: Path) -> str:
    """A table of all budgets, and what is to be said of those that are not held. Places are relative to ``root``."""
    return "\n\n".join(_parts(record, root)) + "\n"


def _parts(record: BudgetsRecord, root: Path) -> Iterator[str]:
    yield f"## {text('Budgets')}: {tally(record) or text('none')}"
    if record.rows:
        rows = [_row(row, root) for row in sorted(record.rows, key=_gravest_first)]
        header = [
            text("verdict"),
            text("budget"),
            text("limit"),
            taken_header(record),
            text("over"),
            text("may be"),
            text("at"),
        ]
        yield markdown_table(header, rows, right=(2, 3, 4), optional=(4, 5))
    said = [markdown_prose(sentence(row)) for row in record.rows if row.verdict != "held"]
    for problem in record.problems:
        place = markdown_code(f"{in_repository(record.config, root)}:{problem.line}")
        said.append(f"{place} {markdown_prose(in_terminal(problem.finding))}")
    said += [markdown_prose(in_terminal(each)) for each in record.findings]
    if said:
        yield "\n".join(f"* {each}" for each in said)

    def shown(path: str) -> str:
        return markdown_code(in_repository(path, root) or path)

    since = what_changes_are_since(record, shown)
    since = text(", changes since {base}", base=since) if since else ""
    if record.run:
        yield text("Held against {run}{since}.", run=what_is_held(record, shown), since=since)


def _row(row: BudgetRow, root: Path) -> list[str]:
    at = f"{in_repository(row.file, root)}:{row.line}" if row.file else ""
    verdict = text(VERDICTS[row.verdict])
    verdict = verdict if row.verdict == "held" else f"**{verdict}**"
    figures = (amount(row, row.limit), amount(row, row.value), excess(row), between(row))
    return [verdict, markdown_code(budget_name(row)), *map(markdown_text, figures), markdown_code(at)]


def _gravest_first(row: BudgetRow) -> int:
    return ("broken", "not-measured", "cannot-tell", "held").index(row.verdict)
