"""What a function or a file has of the wall clock, with all that it calls."""

import os
from collections.abc import Collection

import attrs

from scopelight.analysis.budgets.records import Budget
from scopelight.analysis.records import LinesRecord


class NotInRun:
    """A place that the run has no time on."""


@attrs.frozen
class Inside:
    """``wall_ps`` of all devices together, ``waiting_ps`` of it while they were idle."""

    wall_ps: int
    waiting_ps: int

    @classmethod
    def of(cls, record: LinesRecord, folder: str, budget: Budget) -> "Inside | NotInRun":
        """That of the place of a budget, whose file is relative to ``folder``."""
        files = _files(record, folder, budget)
        if budget.function is None:
            rows = {row for row, line in enumerate(record.lines) if line.file in files}
        else:
            functions = [
                each for each in record.functions if each.file in files and is_named(each.function, budget.function)
            ]
            if len(functions) == 1:
                one = functions[0]
                return cls(one.inclusive_wall_ps + one.waiting_inclusive_ps, one.waiting_inclusive_ps)
            rows = {
                row
                for row, line in enumerate(record.lines)
                if line.file in files and is_named(line.function, budget.function)
            }
        if not rows:
            return NotInRun()
        # Each stack once, however often it passes through the place.
        stacks = [each for each in record.stacks if not rows.isdisjoint(each.lines)]
        waiting_ps = sum(each.waiting_ps for each in stacks)
        return cls(waiting_ps + sum(each.wall_ps for each in stacks), waiting_ps)


def is_named(recorded: str, asked: str) -> bool:
    """Whether a function that was recorded is the one of a budget; Pythons before 3.11 record bare names alone."""
    return recorded in (asked, asked.rpartition(".")[2]) or _without_locals(recorded) == _without_locals(asked)


def same_file(recorded: str, asked: str) -> bool:
    """Whether the parts of ``asked`` are the last ones of a recorded path."""
    parts = [each for each in asked.replace("\\", "/").split("/") if each != "."]
    return bool(parts) and recorded.replace("\\", "/").split("/")[-len(parts) :] == parts


def _files(record: LinesRecord, folder: str, budget: Budget) -> Collection[str]:
    """The recorded files that are the one of a budget: where it is, else where a run from elsewhere has one like it."""
    asked = budget.file or ""
    known = dict.fromkeys(
        each.file for rows in (record.lines, record.functions) for each in rows if each.file is not None
    )
    here = os.path.normpath(os.path.join(folder, asked))  # noqa: PTH118 (a recorded path may be of another system)
    exact = [each for each in known if os.path.normpath(each) in (here, os.path.realpath(here))]
    return exact or [each for each in known if same_file(each, asked)]


def _without_locals(function: str) -> str:
    return function.replace(".<locals>", "")
