"""What is said of a budget: what it is of, how much that is, and what that means."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from scopelight.analysis.budgets.kinds import KINDS, Unit
from scopelight.analysis.budgets.records import BudgetRow, BudgetSpread, BudgetsRecord, Verdict
from scopelight.report.findings.worded import Screen, sentences
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_size, count, duration, share

_OF_RUN: Final = {
    "step_ms": template("Median time of a step"),
    "peak_memory_gib": template("Peak memory"),
    "compilations": template("Number of compilations of a function"),
    "padding_ratio": template("Padding of the FLOPs"),
    "waiting_share": template("Share of the steps that devices wait"),
    "flops_change": template("Change of the FLOPs of a step"),
    "step_change": template("Change of the time of a step"),
    "peak_memory_change": template("Change of the peak memory"),
    "compilations_change": template("Change of the number of compilations"),
}
_OF_PLACE: Final = {
    "step_ms": template("Median time per step of {place}"),
    "compilations": template("Number of compilations of {place}"),
    "share": template("Share of the step of {place}"),
    "waiting_share": template("Share of the step that devices wait in {place}"),
}
_MANY_TIMES: Final = 9
VERDICTS: Final[Mapping[Verdict, str]] = {
    "held": template("held"),
    "broken": template("broken"),
    "cannot-tell": template("cannot tell"),
    "not-measured": template("not measured"),
}
"""What a verdict is called."""
_WRITTEN: Final[Mapping[Unit, Callable[[float], str]]] = {
    "ps": duration,
    "bytes": byte_size,
    "count": count,
    "ratio": share,
}


def subject(row: BudgetRow) -> str:
    """What a budget is of: ``Median time per step of train.py:train_step``."""
    if row.place is None and row.name == "peak_memory_gib" and row.basis == "planned":
        # What the process had in use all in all is another figure, and mostly a greater one.
        return text("Peak memory of the compiler's plan")
    if row.place is None:
        return text(_OF_RUN[row.name])
    return text(_OF_PLACE[row.name], place=printable(shortened(row.place)))


def budget_name(row: BudgetRow) -> str:
    """A budget as its file calls it: ``train.py:train_step step_ms``."""
    return row.name if row.place is None else f"{printable(shortened(row.place))} {row.name}"


def amount(row: BudgetRow, value: float | None) -> str:
    """A limit or a value of a row in its unit; of a change with its sign."""
    if value is None:
        return ""
    if not value and row.unit == "ps":
        # As its file counts it: picoseconds would be read as how exact it is.
        return "0 ms"
    written = _WRITTEN[row.unit](abs(value) if KINDS[row.name].compares else value)
    if not KINDS[row.name].compares or not value:
        return written
    return f"{'+' if value > 0 else chr(0x2212)}{written}"


def between(row: BudgetRow) -> str:
    """How far the code may be from the value; empty where it is the value itself, and where nothing tells."""
    if row.least is None or row.least == row.greatest:
        return ""
    return text("{least} to {greatest}", least=amount(row, row.least), greatest=amount(row, row.greatest))


def excess(row: BudgetRow) -> str:
    """By how much the value is over or under the limit: of it, or in points of shares, or a count; ``12.3 × as much``
    where it is many times that."""
    if row.over is None or not row.over:
        return ""
    sign = "+" if row.over > 0 else "\N{MINUS SIGN}"
    if row.unit == "ratio":
        return f"{sign}{text('{number} points', number=share(abs(row.over)).removesuffix(' %'))}"
    if row.unit == "count" or row.over_ratio is None:
        return f"{sign}{_WRITTEN[row.unit](abs(row.over))}"
    if row.over_ratio >= _MANY_TIMES:
        return text("{number} × as much", number=count(float(f"{row.over_ratio + 1:.3g}")))
    return f"{sign}{share(abs(row.over_ratio))}"


def sentence(row: BudgetRow, screen: Screen = "terminal") -> str:
    """One sentence on a row, and what its value is of or why it has none."""
    of_value = (sentences(each, screen) for each in row.findings if row.verdict != "not-measured")
    return " ".join((_first(row, screen), *of_value))


_UNTOLD: Final[Mapping[BudgetSpread | None, str]] = {
    "expected": template(
        "{what} is {value}, and a run of this code may take {between}, which does not tell whether its budget of"
        " {limit} is held."
    ),
    "rounds": template(
        "{what} is {value}, and rounds took {between}: they do not tell whether its budget of {limit} is held."
    ),
    "interval": template(
        "{what} is {value}, and lies between {least} and {greatest} (95 %): the rounds do not tell whether its budget"
        " of {limit} is held."
    ),
    None: template("{what} is {value}, which does not tell whether its budget of {limit} is held."),
}
_SPREAD: Final[Mapping[BudgetSpread | None, str]] = {
    "expected": template("A run of this code may take {between}."),
    "rounds": template("Rounds took {between}."),
    "interval": template("It lies between {least} and {greatest} (95 %)."),
}


def _first(row: BudgetRow, screen: Screen) -> str:
    value, limit = amount(row, row.value), amount(row, row.limit)
    least, greatest = amount(row, row.least), amount(row, row.greatest)
    names = {
        "what": subject(row),
        "value": value,
        "limit": limit,
        "between": between(row),
        "least": least,
        "greatest": greatest,
    }
    if row.verdict == "held":
        return text("{what} is {value}, within its budget of {limit}.", **names)
    if row.verdict == "not-measured":
        reason = " ".join(sentences(each, screen) for each in row.findings)
        return text("{what} was not measured, for its budget of {limit}: {reason}", **names, reason=reason)
    if row.verdict == "cannot-tell":
        return text(_UNTOLD[row.spread if names["between"] else None], **names)
    over = excess(row)
    names["over"] = text("{over} over", over=over.removeprefix("+")) if over.startswith("+") else over
    broken = text("{what} is {value}, against its budget of {limit}: {over}.", **names)
    return f"{broken} {text(_SPREAD[row.spread], **names)}" if names["between"] and row.spread else broken


def tally(record: BudgetsRecord) -> str:
    """``1 broken, 4 held``: how many budgets have each verdict, the gravest first, and how many mean nothing."""
    verdicts: Sequence[Verdict] = ("broken", "not-measured", "cannot-tell", "held")
    counted = [(len(record.of(verdict)), text(VERDICTS[verdict])) for verdict in verdicts]
    counted.insert(2, (len(record.problems), text("without meaning")))
    return ", ".join(f"{number} {said}" for number, said in counted if number)


def taken_header(record: BudgetsRecord) -> str:
    """What the column of values is called."""
    return text("this run") if record.rounds == 1 else text("rounds")


def what_is_held(record: BudgetsRecord, shown: Callable[[str], str]) -> str:
    """The run, ``.scopelight/1-train``, or as many rounds of it; ``shown`` says how paths are."""
    return _side(shown(record.run or "?"), record.rounds)


def what_changes_are_since(record: BudgetsRecord, shown: Callable[[str], str]) -> str:
    """``.scopelight/1-train (3f2a1b0c)``, with as many rounds; empty where there is nothing to compare with."""
    if record.since is None:
        return ""
    return _side(shown(record.since.path), record.since.rounds, record.since.revision)


def _side(path: str, rounds: int, revision: str | None = None) -> str:
    of = ", ".join(filter(None, (revision, text("{count} rounds", count=count(rounds)) if rounds > 1 else None)))
    return f"{path} ({of})" if of else path
