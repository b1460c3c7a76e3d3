"""Budgets as commands of a GitHub workflow, which marks the lines of a pull request with them."""

import os
from collections.abc import Iterator
from pathlib import Path

from scopelight.analysis.budgets.records import BudgetsRecord
from scopelight.report.budgets.sentences import budget_name, sentence, tally, what_changes_are_since, what_is_held
from scopelight.report.findings.worded import in_terminal
from scopelight.report.foreign_text import printable
from scopelight.report.language import text

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github_commands(record: BudgetsRecord, root: Path) -> Iterator[str]:
    """A line each: what is held against what, errors for broken budgets, warnings for those of which the run does not
    tell, then how many there are.

    Files are relative to ``root``, that of the repository.
    """

    def shown(path: str) -> str:
        return printable(in_repository(path, root) or path)

    if record.run is not None:
        yield text("Budgets are held against {run}.", run=what_is_held(record, shown))
    if record.since is not None:
        yield text("Changes are since {base}.", base=what_changes_are_since(record, shown))
    for row in record.rows:
        if row.verdict == "held":
            continue
        level, title = (
            ("error", text("Budget broken: {name}", name=budget_name(row)))
            if row.verdict == "broken"
            else ("warning", text("Budget not told: {name}", name=budget_name(row)))
        )
        yield command(level, sentence(row), in_repository(row.file, root), row.line, title)
    for problem in record.problems:
        file = in_repository(record.config, root)
        yield command("warning", in_terminal(problem.finding), file, problem.line, text("Budget that means nothing"))
    for finding in record.findings:
        level = "notice" if finding.severity == "note" else "warning"
        yield command(level, in_terminal(finding), None, None, text("Budgets"))
    if record.rows or record.problems:
        yield text("Budgets: {tally}.", tally=tally(record))


def command(level: str, message: str, file: str | None, line: int | None, title: str) -> str:
    """``::error file=train.py,line=3,title=…::…``, escaped as GitHub reads it."""
    given = {"file": file, "line": line, "title": printable(title)}
    properties = ",".join(
        f"{name}={str(each).translate(_PROPERTY)}" for name, each in given.items() if each is not None
    )
    return f"::{level} {properties}::{printable(message).translate(_DATA)}"


def in_repository(file: str | None, root: Path) -> str | None:
    """A file as the repository calls it; as it is where it lies elsewhere."""
    if file is None:
        return None
    whole, top = Path(file), root.absolute()
    for path in (whole, Path(os.path.realpath(whole))):
        for base in (top, Path(os.path.realpath(top))):
            if path.is_relative_to(base):
                return path.relative_to(base).as_posix()
    return file
