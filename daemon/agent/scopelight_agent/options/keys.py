"""The keys of the variables, each with its one meaning: what reads them and what documents them is made from here."""

from typing import NamedTuple

from . import kinds
from .kinds import Kind


class Key(NamedTuple):
    """``field`` is the one of `Options` that it sets; None where it changes nothing, for the reason that ``meaning``
    gives. ``usual`` is the value of such a key that asks for what is done anyway."""

    name: str
    kind: Kind
    meaning: str
    field: str | None = None
    usual: object = None


def _own(name: str, kind: Kind, meaning: str) -> Key:
    return Key(name, kind, meaning, field=name)


def _always(name: str, meaning: str) -> Key:
    return Key(name, kinds.SWITCH, meaning, usual=True)


def _without(name: str, meaning: str) -> Key:
    return Key(name, kinds.ANYTHING, meaning)


TO_STEP = "to_step"
OWN = (
    _own("start", kinds.SWITCH, "false: prepare the job, and capture only what code or `scopelight capture` asks for"),
    _own("out", kinds.PATH, "the run directory itself"),
    _own("output_path", kinds.PATH, "the folder in which the run directory is made, where `out` names none"),
    _own("steps", kinds.POSITIVE, "steps to capture"),
    _own("skip", kinds.COUNT, "steps to skip before"),
    _own("seconds", kinds.SECONDS, "capture so many seconds instead"),
    _own("whole", kinds.SWITCH, "capture from the first use of jax to the end"),
    _own("from_step", kinds.COUNT, "begin the window with this step, counted from 0"),
    Key(TO_STEP, kinds.COUNT, "end that window with this step, instead of after `steps`", field="steps"),
    _own("every", kinds.POSITIVE, "a window every so many steps"),
    _own("epoch", kinds.COUNT, "begin the window with this epoch, counted from 0"),
    Key("when", kinds.SLOW, "capture slow steps: more than K times the median of others (2)", field="slow_ratio"),
    _own("slow_by", kinds.SLOW_BY, "how they are looked for, as in `scopelight run --help`"),
    Key("most_cost", kinds.SHARE, "of the job's time, for looking for them (1%)", field="most_cost_ratio"),
    _own("watch", kinds.PATH, "capture whenever this JSON file changes"),
    _own("most_windows", kinds.POSITIVE, "windows at most"),
    _own("most_bytes", kinds.SIZE, "a window's trace ends at this size; what was left out is said"),
    _own("most_seconds", kinds.SECONDS, "a window's trace ends after this time; what was left out is said"),
    _own("memory", kinds.SWITCH, "sample the memory of the job and its devices"),
    _own("host", kinds.SWITCH, "record on which lines of Python threads stand, and the queues of input"),
    _own("resources", kinds.SWITCH, "read what the machine, processes and accelerators do"),
    _own("resources_period", kinds.MILLISECONDS, "milliseconds between two such readings"),
    _own("calibration", kinds.SWITCH, "measure what a CPU can do at most, after the job"),
    _own("conductor", kinds.PATH, "the Python that has Scopelight, where the job's own has not"),
)
MINDSPORE = (
    Key("profile_memory", kinds.SWITCH, "the same as `memory`", field="memory"),
    Key("data_process", kinds.SWITCH, "the same as `host`", field="host"),
    Key("timeline_limit", kinds.MEGABYTES, "the same as `most_bytes`, in megabytes", field="most_bytes"),
    _always("op_time", "ops are timed in every capture"),
    _always("profile_communication", "collectives are recorded in every capture"),
    _always("parallel_strategy", "shardings are part of every captured program"),
    _always("with_stack", "source stacks are part of every captured program"),
    _always("record_shapes", "shapes are part of every captured program"),
    _without("aicore_metrics", "there is no AI core: `scopelight show counters` says what this device counts and how"),
    _without("l2_cache", "there is no AI core: `scopelight show counters` says what this device counts and how"),
    _without("counters", "counters are chosen by flags of the runtime: `scopelight show counters` says which"),
    _without("hbm_ddr", "`memory` and `resources` have it"),
    _without("pcie", "`resources` has what the machine tells of it"),
    _without("host_sys", "`resources` has it"),
    _without("sys_io", "`resources` has it"),
    _without("sys_interconnection", "`resources` has what the machine tells of it"),
    _without("profile_framework", "the calls of jax are in every capture"),
    _without("profiler_level", "there is one level: what costs little is recorded"),
    _without("activities", "host and devices are captured together"),
    _without("sync_enable", "devices are never made to wait for the profiler"),
    _without("data_simplification", "a run keeps no raw data beside its trace"),
    _without("export_type", "`scopelight export` writes every format"),
    _without("mstx", "annotations of jax.profiler are in every capture"),
    _without("mstx_domain_include", "annotations of jax.profiler are in every capture"),
    _without("mstx_domain_exclude", "annotations of jax.profiler are in every capture"),
)
KEYS = {key.name: key for key in (*OWN, *MINDSPORE)}


def table() -> str:
    """The keys as a table in Markdown, for the README."""
    rows = [("key", "value", "meaning"), *map(_row, KEYS.values())]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    rows.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2]))
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    )


def _row(key: Key) -> tuple[str, str, str]:
    meaning = key.meaning if key.field is not None else f"without effect: {key.meaning}"
    return f"`{key.name}`", key.kind.words, meaning
