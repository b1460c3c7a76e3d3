"""The resources of a host in the terminal."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from scopelight.analysis.host.resources.records import (
    ResourceDevice,
    ResourceProcess,
    ResourceQuantity,
    ResourceSeries,
    ResourceSpan,
    ResourcesRecord,
    ResourceThread,
)
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import byte_rate, byte_size, count, duration, level_bar, share
from scopelight.report.tables.text_table import WIDEST_NAME, Column, print_rows, say

_MOST_STRIP = 40
_OF_STEPS = ("resources-coarse",)
"""What is to be known of the means of each step, which the terminal has no room for."""
_LEVELS = " ▁▂▃▄▅▆▇█"
_NAMES: dict[ResourceQuantity, str] = {
    "cpu_user_ratio": "all cores: user",
    "cpu_system_ratio": "all cores: system",
    "cpu_iowait_ratio": "all cores: waiting for a disk",
    "cpu_stolen_ratio": "all cores: taken by the hypervisor",
    "cpu_idle_ratio": "all cores: idle",
    "running_threads": "threads that run or could",
    "blocked_threads": "threads blocked on a disk",
    "switches_per_s": "context switches",
    "cpu_pressure_ratio": "some thread lacked a core",
    "io_pressure_ratio": "some thread lacked a disk",
    "memory_pressure_ratio": "some thread lacked memory",
    "throttled_ratio": "cores withheld by the limit",
    "available_bytes": "memory available",
    "disk_read_bytes_per_s": "disks: read",
    "disk_written_bytes_per_s": "disks: written",
    "network_received_bytes_per_s": "networks: received",
    "network_sent_bytes_per_s": "networks: sent",
    "device_busy_ratio": "busy",
    "device_used_bytes": "memory used",
}
"""Of the series that are listed; processes and threads have tables of their own."""
_ALWAYS = ("cpu_user_ratio", "cpu_system_ratio", "cpu_idle_ratio", "running_threads", "switches_per_s")
_SPANS: dict[ResourceSpan, str] = {
    "steps": "the complete steps",
    "window": "the captured window",
    "run": "all that was read",
}


def render_resources(record: ResourcesRecord, console: Console, *, base: Path, limit: int) -> None:  # noqa: ARG001 (no paths)
    """Print the machine over time, accelerators, processes, and the threads that did or waited most."""
    if record.readings:
        say(console, _head(record))
        console.print()
        listed = [each for each in record.series if each.quantity in _NAMES and _is_worth_it(each)]
        print_rows(console, _series_columns(record), listed)
        if record.devices:
            console.print()
            print_rows(console, _DEVICE_COLUMNS, record.devices[:limit])
        console.print()
        print_rows(console, _PROCESS_COLUMNS, record.processes[:limit])
        if record.threads:
            console.print()
            print_rows(console, _THREAD_COLUMNS, record.threads[:limit])
        for name, rows in (("processes", len(record.processes)), ("threads", len(record.threads))):
            if rows > limit:
                say(console, [f"{count(limit)} of {count(rows)} {name}."])
    say(console, closing(each for each in record.findings if each.code not in _OF_STEPS))


def _head(record: ResourcesRecord) -> Iterator[str]:
    cores = f"{count(record.cores)} core{'s' if record.cores != 1 else ''}" if record.cores else "Cores unknown"
    if record.cores and record.usable_cores is not None and record.usable_cores < record.cores:
        cores += f", {count(record.usable_cores)} of them for the script"
    memory = f", {byte_size(record.memory_bytes)} of memory" if record.memory_bytes else ""
    period = f", {duration(record.period_ps)} apart" if record.period_ps else ""
    cost = f", for {share(record.reading_ratio)} of a core" if record.reading_ratio else ""
    yield f"{cores}{memory}; {count(record.readings)} readings{period}{cost}."
    yield f"Means are over {_SPANS[record.span]}, {duration(record.span_ps)}. Of a core: 100 % is one all of the time."


def _is_worth_it(series: ResourceSeries) -> bool:
    """What nothing happened of is left out, but for what everyone looks for."""
    return series.quantity in _ALWAYS or bool(series.run_mean)


def _series_columns(record: ResourcesRecord) -> Sequence[Column[ResourceSeries]]:
    def mean(series: ResourceSeries) -> float | None:
        return {"steps": series.steps_mean, "window": series.window_mean, "run": series.run_mean}[record.span]

    return (
        Column("resource", lambda row: f"{row.name}: {_NAMES[row.quantity]}" if row.name else _NAMES[row.quantity]),
        Column("mean", lambda row: _written(row.quantity, mean(row)), right=True),
        Column("in the run", lambda row: _written(row.quantity, row.run_mean), right=True),
        Column("most", lambda row: _written(row.quantity, max(filter(None, row.values), default=None)), right=True),
        Column("over the run", _strip),
    )


def _written(quantity: ResourceQuantity, value: float | None) -> str:
    if value is None:
        return ""
    if quantity.endswith("_bytes_per_s"):
        return byte_rate(value)
    if quantity.endswith("_bytes"):
        return byte_size(value)
    if quantity.endswith("_ratio"):
        return share(value)
    return f"{count(round(value))}/s" if quantity.endswith("_per_s") else f"{value:.3g}"


def _strip(series: ResourceSeries) -> str:
    """The means over time in cells of as many readings each; a gap where nothing is known."""
    values = series.values
    cells = min(_MOST_STRIP, len(values))
    parts = [values[len(values) * each // cells : len(values) * (each + 1) // cells] for each in range(cells)]
    levels = [max((value for value in part if value is not None), default=None) for part in parts]
    # Shares are of all that there is.
    most = 1.0 if series.quantity.startswith(("cpu_", "device_busy")) else max(filter(None, levels), default=1.0)
    top = len(_LEVELS) - 1
    return "".join(" " if each is None else _LEVELS[min(top, -int(-each * top // most))] for each in levels)


def _ratio(value: float | None) -> str:
    return "" if value is None else share(value)


def _thread_name(row: ResourceThread) -> str:
    if row.tid is not None:
        name = printable(row.name) or "(without a name)"
        return f"{name} (main thread)" if row.tid == row.pid else name
    return f"({count(row.number)} other threads)" if row.number else "(threads that came and went between looks)"


def _works_for(row: ResourceProcess | ResourceThread) -> str:
    return printable(", ".join(row.works_for))


def _bytes(
    pick: Callable[[ResourceProcess], float | None], written: Callable[[float], str]
) -> Callable[[ResourceProcess], str]:
    def cell(row: ResourceProcess) -> str:
        value = pick(row)
        return "" if value is None else written(value)

    return cell


_PROCESS_COLUMNS: Sequence[Column[ResourceProcess]] = (
    Column("process", lambda row: printable(row.name), most=WIDEST_NAME),
    Column("works for", _works_for, most=WIDEST_NAME),
    Column("id", lambda row: str(row.pid), right=True),
    Column("of a core", lambda row: share(row.core_ratio), right=True),
    Column("user", lambda row: _ratio(row.user_ratio), right=True),
    Column("system", lambda row: _ratio(row.system_ratio), right=True),
    Column("waits for a core", lambda row: _ratio(row.waiting_ratio), right=True),
    Column("threads", lambda row: count(row.threads) if row.threads else "", right=True),
    Column("resident", _bytes(lambda row: row.resident_bytes, byte_size), right=True),
    Column("disk read", _bytes(lambda row: row.read_bytes_per_s, byte_rate), right=True),
    Column("written", _bytes(lambda row: row.written_bytes_per_s, byte_rate), right=True),
    Column("in the run", lambda row: duration(row.run_cpu_ps), right=True),
)
_THREAD_COLUMNS: Sequence[Column[ResourceThread]] = (
    Column("thread", _thread_name, most=WIDEST_NAME),
    Column("works for", _works_for, most=WIDEST_NAME),
    Column("id", lambda row: "" if row.tid is None else str(row.tid), right=True),
    Column("of a core", lambda row: share(row.core_ratio), right=True),
    Column("", lambda row: level_bar(min(1.0, row.core_ratio))),
    Column("waits for a core", lambda row: _ratio(row.waiting_ratio), right=True),
    Column(
        "got one", lambda row: "" if row.switches_per_s is None else f"{count(round(row.switches_per_s))}/s", right=True
    ),
    Column("in the run", lambda row: duration(row.run_cpu_ps), right=True),
    Column("process", lambda row: f"{printable(row.process)} {row.pid}", most=WIDEST_NAME),
)
_DEVICE_COLUMNS: Sequence[Column[ResourceDevice]] = (
    Column("accelerator", lambda row: f"{row.kind.upper()} {row.index}"),
    Column("name", lambda row: printable(row.name), most=WIDEST_NAME),
    Column("busy", lambda row: _ratio(row.busy_ratio), right=True),
    Column("most memory", lambda row: "" if row.used_bytes is None else byte_size(row.used_bytes), right=True),
    Column("of", lambda row: "" if row.total_bytes is None else byte_size(row.total_bytes), right=True),
)
