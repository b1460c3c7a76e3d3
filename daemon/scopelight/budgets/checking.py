"""Holding a project's budgets against a run."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.analysis.budgets.judgement import judged
from scopelight.analysis.budgets.measured import Measured, over_rounds
from scopelight.analysis.budgets.measuring import Measuring, Taken
from scopelight.analysis.budgets.records import Budget, BudgetProblem, BudgetRow, BudgetsRecord
from scopelight.analysis.subject import Subject
from scopelight.budgets.changing import Changes
from scopelight.budgets.places import Located, Places, Read, placed
from scopelight.budgets.reading import ReadBudgets, read_budgets
from scopelight.findings import Finding, empty, note, warning
from scopelight.source.definitions import Definitions
from scopelight.source.reading import read_lines
from scopelight.source.recorded import RecordedSources


def check_budgets(
    rounds: Sequence[Subject],
    config: Path,
    text: str,
    *,
    read: Read = read_lines,
    changes: Changes | None = None,
    named: Path | None = None,
) -> BudgetsRecord:
    """Hold the budgets in ``text``, that of the file ``config``, against a run, or rounds of one.

    ``named`` is what was asked for where the file was not looked for.

    Raises `FormatError` where a run cannot be read.
    """
    found = read_budgets(text)
    rows: list[BudgetRow] = []
    problems = list(found.problems)
    if found.budgets:
        checked = _Check(rounds, config, read, changes)
        for budget in found.budgets:
            row = checked.row(budget)
            if isinstance(row, BudgetRow):
                rows.append(row)
            else:
                problems.append(row)
    return BudgetsRecord(
        run=str(rounds[-1].path),
        config=str(config),
        rows=tuple(rows),
        problems=tuple(sorted(problems, key=lambda each: each.line)),
        findings=(
            *(() if rows or problems else (_none(found, named),)),
            *(_of_changes(changes, found.budgets) if changes is not None and rows else ()),
        ),
    )


def _of_changes(changes: Changes, budgets: Sequence[Budget]) -> Sequence[Finding]:
    """What is to be known of a comparison, which is made where a budget is of it."""
    return changes.findings if any(each.kind.compares for each in budgets) else (note("budgets-of-no-change"),)


def _none(found: ReadBudgets, named: Path | None) -> Finding:
    if found.has_table:
        return empty("budgets-empty")
    return empty("budgets-absent", config=str(named) if named is not None else None)


class _Check:
    def __init__(self, rounds: Sequence[Subject], config: Path, read: Read, changes: Changes | None) -> None:
        self._config = config
        self._changes = changes
        subject = rounds[-1]
        profile = subject.profile
        capture = profile.capture
        self._sources = RecordedSources(
            capture.sources if capture is not None else None,
            capture.cwd if capture is not None else None,
            subject.line_options.renamed,
        )
        self._measurings = [Measuring(each, str(config.parent), self._was_there) for each in rounds]
        record = self._measurings[-1].lines
        known = (each.file for rows in (record.lines, record.functions) for each in rows if each.file is not None)
        self._places = Places(config, known, read)

    def row(self, budget: Budget) -> BudgetRow | BudgetProblem:
        """A budget held against the run; what is wrong with one whose place is not there."""
        place = self._places.find(budget) if budget.file is not None else None
        if place is not None and not isinstance(place, Located):
            return BudgetProblem(budget.line, place)
        function = place.function if place is not None else None
        measured = attrs.evolve(budget, function=function) if function is not None else budget
        if budget.kind.compares:
            taken = self._changes.taken(budget) if self._changes is not None else warning("budget-without-base")
        else:
            taken = self._measured(measured)
        row = judged(budget, taken)
        return placed(row, place or Located(self._config.name, self._config, budget.line))

    def _measured(self, budget: Budget) -> Taken:
        """What was taken in all rounds; why that is not known where it is not of one of them."""
        found: list[Measured] = []
        for measuring in self._measurings:
            taken = measuring.measure(budget)
            if isinstance(taken, Finding):
                return taken
            found.append(taken)
        return over_rounds(found)

    def _was_there(self, budget: Budget) -> bool:
        """Whether the code that ran had the place of a budget: as its copy says, of a file without one, as it is now.

        A run that keeps no copy of anything may be of any code.
        """
        place = self._places.find(budget)
        if not self._sources.files or not isinstance(place, Located):
            return False
        copy = self._sources.lines(str(place.file))
        if copy is None or budget.function is None:
            return True
        return Definitions.of(copy).line(budget.function) is not None
