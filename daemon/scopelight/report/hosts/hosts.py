"""Hosts in the terminal: who costs the steps what, what the cores did, and where they met."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console

from scopelight.analysis.hosts.breakdown import CorePart
from scopelight.analysis.hosts.records import CoreRow, HostRow, HostsRecord, MetCollective
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.hosts.clocks import offset_text
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_rate, count, duration, share, whole_share
from scopelight.report.places import place
from scopelight.report.tables.text_table import Column, hlo_name, print_rows, say

PART_NAMES: Final[dict[CorePart, str]] = {
    "high-flops": template("high-FLOPs"),
    "low-flops": template("low-FLOPs"),
    "host-transfer": template("host transfer"),
    "send": template("send"),
    "recv": template("recv"),
    "infeed": template("infeed"),
    "outfeed": template("outfeed"),
    "collective-move": template("moves"),
    "collective-wait": template("waits"),
    "idle": template("idle"),
}


def render_hosts(record: HostsRecord, console: Console, *, base: Path, limit: int = 20) -> None:
    """Print what each host costs, the parts of the cores' steps, and the collectives."""
    said = [each for each in record.findings if each.severity in ("empty", "advice")]
    say(console, (*closing(said), *_heads(record)))
    if record.hosts:
        console.print()
        print_rows(console, _host_columns(base), record.hosts[:limit])
    if record.cores:
        console.print()
        print_rows(console, _core_columns(record), record.cores[:limit])
        if len(record.cores) > limit:
            say(console, (text("{number} more cores", number=len(record.cores) - limit),))
    if record.collectives:
        console.print()
        print_rows(console, _collective_columns(base), record.collectives[:limit])
    say(console, closing(each for each in record.findings if each not in said))


def _heads(record: HostsRecord) -> Iterator[str]:
    if not record.hosts:
        return
    if record.step_ps is not None:
        yield text(
            "{steps} steps of {duration} on {hosts} and {cores}; {met} collectives met, {executions} executions",
            steps=count(record.step_count),
            duration=duration(record.step_ps),
            hosts=text("1 host" if len(record.hosts) == 1 else "{number} hosts", number=len(record.hosts)),
            cores=text("1 core" if len(record.cores) == 1 else "{number} cores", number=len(record.cores)),
            met=count(record.instances),
            executions=count(record.executions),
        )
    first = record.hosts[0]
    is_named = any(each.is_named for each in record.hosts) or any(each.is_named for each in record.cores)
    if not is_named and first.cost_per_step_ps and record.step_ps:
        yield text(
            "No host costs much more than the others: {host} the most, {cost} of {step} per step.",
            host=printable(first.host),
            cost=duration(first.cost_per_step_ps),
            step=duration(record.step_ps),
        )


def _cost(value_ps: int | None) -> str:
    return "" if value_ps is None else duration(value_ps)


def _why(row: HostRow) -> str:
    if row.reason is None:
        return ""
    return text("launches late") if row.reason == "launched-late" else text("works longer")


def _host_columns(base: Path) -> list[Column[HostRow]]:
    return [
        Column("host", lambda row: printable(row.host), most=32),
        Column("devices", lambda row: count(row.devices), right=True),
        Column("costs per step", lambda row: _cost(row.cost_per_step_ps), right=True),
        Column("launched late", lambda row: _cost(row.launched_late_per_step_ps), right=True),
        Column("worked longer", lambda row: _cost(row.worked_longer_per_step_ps), right=True),
        Column("waits", lambda row: duration(row.wait_per_step_ps), right=True),
        Column("moves", lambda row: duration(row.move_per_step_ps), right=True),
        Column("clock", lambda row: offset_text(row.offset_ps, row.offset_error_ps), right=True),
        Column("", _why),
        Column("line", lambda row: place(row, base) or printable(row.where or ""), is_place=True),
    ]


def _core_columns(record: HostsRecord) -> list[Column[CoreRow]]:
    several = len({each.host for each in record.cores}) > 1
    shown = [part for part in PART_NAMES if any(each.parts[part] for each in record.cores)]

    def name(row: CoreRow) -> str:
        return printable(f"{row.host} {row.device}" if several else row.device)

    def part_column(part: CorePart) -> Column[CoreRow]:
        def cell(row: CoreRow) -> str:
            return share(row.parts[part] / row.step_ps) if row.step_ps else ""

        return Column(text(PART_NAMES[part]), cell, right=True)

    return [
        Column("core", name, most=40),
        Column("id", lambda row: "" if row.id is None else str(row.id), right=True),
        Column("step", lambda row: duration(row.step_ps), right=True),
        *(part_column(part) for part in shown),
    ]


def _collective_columns(base: Path) -> list[Column[MetCollective]]:
    return [
        Column("collective", lambda row: printable(row.op.rpartition("/")[2] or row.kind), most=28),
        hlo_name(lambda row: printable(row.name)),
        Column("along", lambda row: printable(", ".join(row.axes)), most=24),
        Column("devices", lambda row: count(row.participants), right=True),
        Column("per step", lambda row: count(row.per_step), right=True),
        Column("waits", lambda row: duration(row.wait_per_step_ps), right=True),
        Column("moves", lambda row: duration(row.move_per_step_ps), right=True),
        Column("at best", lambda row: "" if row.bytes_per_s is None else byte_rate(row.bytes_per_s), right=True),
        Column("latest", lambda row: f"{printable(row.latest)} {whole_share(row.latest_ratio)}", most=32),
        Column("line", lambda row: place(row, base), is_place=True),
    ]
