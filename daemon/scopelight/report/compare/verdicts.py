"""What is said of a compared row or quantity: how much it changed, and whether that can be told from noise."""

from collections.abc import Mapping
from typing import Final

from scopelight.analysis.compare.records import (
    ComparedBy,
    ComparedQuantity,
    ComparedRow,
    ComparedSide,
    JudgedBy,
    PairedBy,
    QuantityName,
    Verdict,
)
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_size, count, duration, exact_duration, flops, share
from scopelight.report.prediction.marks import timed

_MINUS: Final = "\N{MINUS SIGN}"
_QUANTITIES: Final[Mapping[QuantityName, str]] = {
    "step": template("step (median)"),
    "device-time": template("ops on a device"),
    "cpu-time": template("CPU time of a step (median)"),
    "waiting": template("waiting in a step"),
    "predicted-step": template("step, predicted"),
    "flops": template("FLOPs of a step"),
    "bytes": template("bytes moved in a step"),
    "ops": template("ops in a step"),
    "compilations": template("compilations"),
    "programs": template("programs"),
    "padding": template("padding"),
    "planned-peak": template("planned peak of memory"),
    "collective-bytes": template("bytes of collectives in a step"),
}
_MOST_SAID_RATIO: Final = 5.0
"""Of what only a greater change would show, no figure is of use."""
_SURE: Final[Mapping[Verdict, str]] = {
    "worse": template("more"),
    "better": template("less"),
    "only-before": template("gone"),
    "only-after": template("new"),
}
_EVIDENCE: Final[Mapping[JudgedBy, str]] = {
    "exact": template("exact"),
    "device-time": template("the device's clock"),
    "cpu-time": template("CPU time"),
    "wall-clock": template("wall clock"),
}
_PAIRED: Final[Mapping[PairedBy, str]] = {
    "text": template("the line is unchanged"),
    "place": template("the line was changed"),
    "function": template("what is left of the same function"),
    "name": template("the same name"),
}
GROUPINGS: Final[Mapping[ComparedBy, str]] = {
    "line": template("lines"),
    "op": template("ops"),
    "scope": template("scopes"),
    "step": template("parts of a step"),
    "memory": template("memory at the peak"),
    "shape": template("shapes"),
}
_REST: Final[Mapping[str, str]] = {
    "unattributed": template("(of no line)"),
    "unattributed-waiting": template("(waiting of no line)"),
    "without-scope": template("(in no scope)"),
    "without-shape": template("(of no known shape)"),
    "compute": template("computing"),
    "communication": template("communication"),
    "input": template("waiting for input"),
    "sync": template("waiting for the host to read results"),
    "transfer": template("moving data"),
    "compile": template("compiling"),
    "dispatch": template("launching"),
    "python": template("other Python"),
    "unexplained": template("unexplained"),
}


def quantity_name(quantity: ComparedQuantity) -> str:
    """What a quantity is called."""
    return text(_QUANTITIES[quantity.name])


def quantity_value(quantity: ComparedQuantity, value: float | None) -> str:
    """A value in the unit of its quantity; an exact one that is a count in full."""
    if value is None:
        return ""
    if quantity.unit == "ps":
        return duration(value)
    if quantity.unit == "bytes":
        return byte_size(value)
    if quantity.unit == "flops":
        return flops(value)
    return share(value) if quantity.unit == "ratio" else count(value)


def quantity_change(quantity: ComparedQuantity) -> str:
    """``+1.2 ms (+3.4 %)``; of what is exact a change of one unit is seen: ``+1 FLOP``."""
    if quantity.change is None:
        return ""
    if not quantity.change:
        return text("none") if quantity.kind == "exact" else signed(quantity.change_ratio)
    sign = _MINUS if quantity.change < 0 else "+"
    size = abs(quantity.change)
    changed = _changed_time(quantity.change) if quantity.unit == "ps" else f"{sign}{quantity_value(quantity, size)}"
    return changed if quantity.change_ratio is None else f"{changed} ({signed(quantity.change_ratio)})"


def quantity_verdict(quantity: ComparedQuantity) -> str:
    """``worse``; ``no change seen; 9 % would have been``."""
    return _verdict(quantity.verdict, quantity.visible_ratio)


def row_verdict(row: ComparedRow) -> str:
    """The same of a row."""
    return _verdict(row.verdict, row.visible_ratio)


def shown_ratio(row: ComparedRow) -> float | None:
    """The change that is told: of what the verdict rests on, where there is one."""
    return row.change_ratio if row.judged_change_ratio is None else row.judged_change_ratio


def _verdict(verdict: Verdict, visible: float | None) -> str:
    if verdict in _SURE:
        return text(_SURE[verdict])
    if visible is None:
        return text("no change") if verdict == "same" else text("cannot tell")
    if visible > _MOST_SAID_RATIO:
        return text("cannot tell; nothing below {most} would have been seen", most=share_in_full(_MOST_SAID_RATIO))
    would = share_in_full(visible)
    if verdict == "same":
        return text("no change seen; {visible} would have been", visible=would)
    return text("cannot tell; {visible} would have been seen", visible=would)


def change_of_row(row: ComparedRow) -> str:
    """``+1.2 ms``, or bytes."""
    if row.change_ps is not None:
        return _changed_time(row.change_ps)
    if row.change_bytes is None:
        return ""
    return f"{_sign(row.change_bytes)}{byte_size(abs(row.change_bytes))}"


def _changed_time(change_ps: float) -> str:
    """``+1.2 ms``; of a prediction ``≈+1.2 ms``."""
    return timed(f"{_sign(change_ps)}{exact_duration(abs(change_ps))}")


def _sign(change: float) -> str:
    return _MINUS if change < 0 else "+" if change else ""


def value_of_row(row: ComparedRow, side: str) -> str:
    """What a row has before or after; empty where it is not there."""
    time_ps, size_bytes = getattr(row, f"{side}_ps"), getattr(row, f"{side}_bytes")
    return duration(time_ps) if time_ps is not None else "" if size_bytes is None else byte_size(size_bytes)


def signed(ratio: float | None) -> str:
    """``+12 %``, in two digits; empty where there is none."""
    if ratio is None:
        return ""
    return f"{_sign(ratio)}{share_in_full(abs(ratio))}"


def share_in_full(ratio: float) -> str:
    """A change in as many digits as it deserves: ``0.4 %``, ``3.2 %``, ``12 %``."""
    percent = ratio * 100
    if 0 < percent < 0.05:
        return "<0.1 %"
    return f"{percent:.1f} %" if percent < 9.95 else f"{count(round(percent))} %"


def label_of_row(row: ComparedRow) -> str:
    """What a row is called; of the rest, and of parts of a step, in words."""
    if row.kind in ("rest", "part"):
        return text(_REST.get(row.label, row.label))
    return printable(row.label)


def evidence_name(judged_by: JudgedBy) -> str:
    """What a verdict rests on."""
    return text(_EVIDENCE[judged_by])


def pairing_name(paired_by: PairedBy | None) -> str:
    """What made two rows one; empty where a row is alone."""
    return "" if paired_by is None else text(_PAIRED[paired_by])


def side_name(side: ComparedSide) -> str:
    """``3f2a1b7c``, or the name of a run: what follows "since"."""
    return printable(side.revision or side.name)
