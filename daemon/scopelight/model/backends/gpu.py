"""GPU: op executions from the kernels and copies on a device's streams, and the details of each kernel."""

import re

import numpy as np

from scopelight.formats.columns import Int32
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import LinePlace, XLine, XPlane
from scopelight.model.backends.tables import ExecutionColumns, Tables
from scopelight.model.executions import Device, Op
from scopelight.model.joins import dense_ids
from scopelight.model.nesting import nest
from scopelight.model.stated_peaks import stated_peaks
from scopelight.program.hlo.category import category_of

Counters = tuple[tuple[str, str], ...]
"""Names and values as people read them."""

_FACT = re.compile(r"(\w+):(\d[\d.,]*)")
_LONGEST = 1000
_SHARED = ("static_shared", "dynamic_shared", "shm", "group_mem")
"""What CUPTI, in parts or as a whole, and ROCm call shared memory."""


def kernel_counters(kernel: str, details: str) -> Counters:
    """``regs:38 static_shared:0 dynamic_shared:512 grid:160,1,1 block:1024,1,1 occ_pct:50`` as names and values.

    What is not understood is left out, and so is an occupancy of 0, which says that it was not measured.
    """
    facts = dict(_FACT.findall(details[:_LONGEST]))
    found = [("kernel", kernel)]
    if "regs" in facts:
        found.append(("registers per thread", facts["regs"]))
    shared = [int(facts[name]) for name in _SHARED if facts.get(name, "").isdecimal()]
    if shared:
        found.append(("shared memory per block", f"{sum(shared)} B"))
    for name in ("grid", "block"):
        if name in facts:
            found.append((name, " × ".join(facts[name].strip(",").split(","))))
    try:
        occupancy = float(facts.get("occ_pct", "0"))
    except ValueError:
        occupancy = 0.0
    if occupancy > 0:
        found.append(("occupancy", f"{occupancy:.3g} %"))
    return tuple(found)


_COPIES = {
    "MemcpyH2D": "copy host to device",
    "MemcpyD2H": "copy device to host",
    "MemcpyD2D": "copy device to device",
    "MemcpyP2P": "copy device to device",
    "MemcpyH2H": "copy host to host",
    "Memset": "memset",
}


def _category_of_kernel(name: str, framework_op: str) -> str:
    """Category of a kernel that no HLO instruction explains: what kind of copy it is, else its framework op's type."""
    for prefix, category in _COPIES.items():
        if name.lower().startswith(prefix.lower()):
            return category
    return framework_op.partition("#")[0].rpartition(":")[2] or "kernel"


def _read_stream(plane: XPlane, events: Events, tables: Tables, known: dict[tuple[str, str, str], int]) -> Int32:
    """Row of the op of each event: by program and HLO instruction where recorded, else by kernel name."""
    names = plane.events_metadata
    program_id, has_program = events.integer_stats(("program_id",))["program_id"]
    hlo_code, hlo_ops = events.text_stat("hlo_op")
    module_code, modules = events.text_stat("hlo_module")
    framework_code, framework_ops = events.text_stat("tf_op")
    if (framework_code < 0).all():
        framework_code, framework_ops = events.text_stat("annotation")
    details_code, details = events.text_stat("kernel_details")
    columns = (np.where(has_program, program_id, -1), hlo_code, module_code, framework_code, events.metadata)
    ids, firsts = dense_ids(np.zeros(len(events), dtype=np.int64))
    for column in columns:
        own, _ = dense_ids(column)
        ids, firsts = dense_ids(ids.astype(np.int64) * (int(own.max(initial=0)) + 1) + own)
    rows = np.empty(len(firsts), dtype=np.int32)
    for place, first in enumerate(firsts.tolist()):
        program = str(int(program_id[first])) if has_program[first] else ""
        module_name = modules[module_code[first]] if module_code[first] >= 0 else ""
        # Nested computations are recorded as "outer::inner": the innermost instruction is the one that ran.
        instruction_name = hlo_ops[hlo_code[first]].rpartition("::")[2] if hlo_code[first] >= 0 else ""
        kernel = names.shown_name(int(events.metadata[first]))
        framework_op = framework_ops[framework_code[first]] if framework_code[first] >= 0 else ""
        key = (program or module_name, instruction_name or kernel, "" if instruction_name else framework_op)
        if key not in known:
            module = tables.module(program) if program else None
            instruction = module.by_name.get(instruction_name) if module else None
            known[key] = tables.op_row(
                Op(
                    name=instruction_name or kernel,
                    category=category_of(module, instruction)
                    if module and instruction
                    else _category_of_kernel(kernel, framework_op),
                    program=tables.program_row(program, module_name or (module.name if module else ""))
                    if program or module_name
                    else -1,
                    module=module,
                    instruction=instruction,
                    op_name=instruction.op_name if instruction else framework_op.partition("#")[0].rpartition(":")[0],
                    counters=kernel_counters(kernel, details[details_code[first]]) if details_code[first] >= 0 else (),
                )
            )
        rows[place] = known[key]
    return rows[ids]


class GpuReader:
    """Reads the kernels and copies of one GPU's streams, without the lines that a viewer derived from the streams."""

    def __init__(self, plane: XPlane, tables: Tables) -> None:
        self._plane = plane
        self._tables = tables
        self._known: dict[tuple[str, str, str], int] = {}

    def read_line(self, line: XLine, events: Events) -> tuple[str, LinePlace, Events] | None:
        """The kernels and copies of a stream."""
        name = line.display_name or line.name
        return (name, line.place, events) if name.startswith("Stream") and len(events) else None

    def _executions(self, name: str, place: LinePlace, events: Events) -> ExecutionColumns:
        ordinal = int(self._plane.name.rpartition(":")[2])
        stated = stated_peaks(self._plane.stats)
        device = self._tables.device_row(Device(self._plane.name, "gpu", self._tables.host, ordinal, stated))
        op = _read_stream(self._plane, events, self._tables, self._known)
        rows = events.order()
        stats = events.integer_stats(("run_id", "correlation_id"), rows)
        start_ps, duration_ps = events.start_ps[rows], events.duration_ps[rows]
        _, self_ps = nest(start_ps, duration_ps)
        count = len(events)
        return ExecutionColumns(
            op=op[rows],
            device=np.full(count, device, dtype=np.int32),
            lane=np.full(count, self._tables.lane_row(name, place), dtype=np.int32),
            run_id=stats["run_id"][0],
            start_ps=start_ps,
            duration_ps=duration_ps,
            self_ps=self_ps,
            launch_ps=np.broadcast_to(np.int64(-1), count),
            correlation_id=stats["correlation_id"][0],
            kernel=events.metadata[rows],
            host=self._tables.host,
        )

    def finish(self, streams: list[tuple[str, LinePlace, Events]]) -> None:
        """Add the streams' executions. Which runs of programs they are of is told once all launches are known."""
        while streams:
            # One after the other is let go of: events and columns of all would be a lot.
            self._tables.columns.append(self._executions(*streams.pop(0)))
