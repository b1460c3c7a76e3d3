"""What a TPU would do with each op, in the terminal: shares by program, function, scope and line, then op by op."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from scopelight.analysis.compatibility.records import CompatibilityOp, CompatibilityPlace, CompatibilityRecord
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.numbers import count, level_bar, share
from scopelight.report.places import place
from scopelight.report.tables.text_table import WIDEST_NAME, Column, print_rows, say

MOST_PLACES = 10
"""Of each kind; those with most that is not valid come first."""
VERDICTS = {
    "native": template("native"),
    "emulated": template("emulated"),
    "on-host": template("on the host"),
    "refused": template("refused"),
    "unjudged": template("not judged"),
}


def render_compatibility(record: CompatibilityRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print shares of valid ops, and the ``limit`` ops that are furthest from native."""
    say(console, _heads(record))
    for title, kind, places in (
        ("program", "programs", record.programs),
        ("scope", "scopes", record.scopes),
        ("function", "functions", record.functions),
    ):
        shown = places[: min(limit, MOST_PLACES)]
        if shown:
            console.print()
            print_rows(console, _place_columns(title, base), shown)
            if len(shown) < len(places):
                say(console, [f"{count(len(shown))} of {count(len(places))} {kind}."])
    ops = record.ops[:limit]
    if ops:
        console.print()
        print_rows(console, _op_columns(base), ops)
        console.print()
        say(console, [f"{count(len(ops))} of {count(len(record.ops))} kinds of ops on a line that are not native."])
    say(console, closing(record.findings))


def not_native(record: CompatibilityRecord) -> str | None:
    """``11 of 507 ops are not native: 11 emulated``; None where all are."""
    total = record.total
    counts = "" if total is None else counts_text(total)
    if total is None or not counts:
        return None
    number = total.ops - total.native
    return text(
        "{number} of {ops} ops is not native: {counts}."
        if number == 1
        else "{number} of {ops} ops are not native: {counts}.",
        number=count(number),
        ops=count(total.ops),
        counts=counts,
    )


def counts_text(row: CompatibilityPlace) -> str:
    """``3 refused, 11 emulated``: every verdict but native that there is, worst first."""
    parts = (
        ("refused", row.refused),
        ("unjudged", row.unjudged),
        ("on-host", row.on_host),
        ("emulated", row.emulated),
    )
    return ", ".join(f"{count(number)} {text(VERDICTS[verdict])}" for verdict, number in parts if number)


def said(row: CompatibilityOp) -> str:
    """What jax or the compiler said of an op; where it said nothing, the name of its error."""
    return printable(row.sentence or row.kind_of_error)


def why(row: CompatibilityOp) -> str:
    """What was said of an op; where nothing was, the element types in it that the TPU does not have."""
    return said(row) or ", ".join(row.wide)


def _heads(record: CompatibilityRecord) -> Iterator[str]:
    total = record.total
    if total is not None:
        others = counts_text(total)
        rest = f"; {others}" if others else ""
        yield f"{share(total.valid_ratio)} of {count(total.ops)} ops are valid on {record.target}{rest}."


def _place_columns(title: str, base: Path) -> Sequence[Column[CompatibilityPlace]]:
    return (
        Column(title, lambda row: printable(row.name), most=WIDEST_NAME),
        Column("", lambda row: level_bar(row.valid_ratio)),
        Column("valid", lambda row: share(row.valid_ratio), right=True),
        Column("ops", lambda row: count(row.ops), right=True),
        Column("not native", counts_text),
        Column("line", lambda row: place(row, base), most=WIDEST_NAME, is_place=True),
    )


def _op_columns(base: Path) -> Sequence[Column[CompatibilityOp]]:
    return (
        Column("op", lambda row: printable(row.primitive), most=WIDEST_NAME),
        Column("on the TPU", lambda row: text(VERDICTS[row.verdict])),
        Column("count", lambda row: count(row.count), right=True),
        Column("line", lambda row: place(row, base), most=WIDEST_NAME, is_place=True),
        Column("scope", lambda row: printable(row.scope), most=WIDEST_NAME),
        Column("operands", lambda row: printable(", ".join(row.operands)), most=WIDEST_NAME),
        Column("why", why, most=100),
    )
