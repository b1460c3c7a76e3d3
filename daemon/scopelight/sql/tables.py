"""The schema: every table and column, with a sentence each. Times are whole picoseconds from the profile's first event,
unless a sentence says otherwise; a number that is not known is NULL."""

from collections.abc import Mapping, Sequence
from typing import Final

from scopelight.sql.schema import RUN_COLUMN, Column, Kind, Table


def _table(name: str, sentence: str, made_by: str, *columns: Column) -> Table:
    return Table(name, sentence, (RUN_COLUMN, *columns), f"scopelight.sql.rows.{made_by}")


def _columns(kind: Kind, **sentences: str) -> Sequence[Column]:
    return [Column(name, kind, sentence) for name, sentence in sentences.items()]


_PLACE: Final = (
    Column("path", "VARCHAR", "The file of the line, as panels show it: relative to your folder where it lies in it."),
    Column("file", "VARCHAR", "Where that file is, as far as known."),
    Column("line", "BIGINT", "The number of the line, from 1."),
    Column("function", "VARCHAR", "The function that the line is in."),
)
_LINE_KEY: Final = Column("line_key", "VARCHAR", "The `key` in `lines` of the line; NULL where none is known.")
_OP_ID: Final = Column("op_id", "INTEGER", "The op, as `ops` numbers it in this run.")
_DEVICE_ID: Final = Column("device_id", "INTEGER", "The device, as `devices` numbers it in this run.")
_PHASES: Final = _columns(
    "BIGINT",
    forward_ps="What of it is of the forward pass.",
    backward_ps="What of it is of the backward pass.",
    recompute_ps="What of it computes again what the forward pass had.",
    optimizer_ps="What of it is of the optimizer.",
    other_ps="What of it is of none of these.",
)

_RUNS: Final = _table(
    "runs",
    "The runs that were opened: one row each.",
    "runs:runs",
    *_columns(
        "VARCHAR",
        name="The name of the run's folder, or of the file.",
        path="Where it lies.",
        created="When it was captured (ISO 8601).",
        script="The script.",
        arguments="The script's arguments, joined by spaces.",
        commit_id="The git commit of the folder that the script ran in.",
    ),
    Column("has_changes", "BOOLEAN", "Whether tracked files differed from that commit."),
    *_columns(
        "VARCHAR",
        device="What the devices are called, as `TPU v6e`.",
        jax_version="The version of jax.",
        python_version="The version of Python.",
        predicted_for="The device that times are predicted for, where nothing ran on one.",
    ),
    Column("device_count", "INTEGER", "How many devices ran ops."),
    Column("host_count", "INTEGER", "How many hosts the traces are of."),
    Column("step_count", "INTEGER", "How many complete steps were found."),
    *_columns(
        "BIGINT",
        step_median_ps="The median of the durations of the complete steps.",
        step_mean_ps="The mean of the durations of the complete steps.",
        window_ps="From the profile's first event to its last.",
        op_time_ps="The self time of all ops of the complete steps; of the window where there are none.",
    ),
)
_DEVICES: Final = _table(
    "devices",
    "The devices that programs were recorded on.",
    "executions:devices",
    Column("device_id", "INTEGER", "The number by which other tables name it."),
    *_columns(
        "VARCHAR",
        name="The name in the profile, as `/device:TPU:0`.",
        device_kind="`tpu`, `gpu` or `cpu`.",
        model="What it is called in full.",
        host="The host that it is on.",
    ),
    Column("ordinal", "INTEGER", "Its number among those of its kind on its host."),
)
_LANES: Final = _table(
    "lanes",
    "What executions ran on: a thread of a CPU, a stream of a GPU, the one lane of a TPU's core.",
    "executions:lanes",
    Column("lane_id", "INTEGER", "The number by which `executions` names it."),
    Column("name", "VARCHAR", "Its name in the profile."),
)
_EXECUTIONS: Final = _table(
    "executions",
    "Every execution of an op in the whole window, by device and start.",
    "executions:executions",
    _OP_ID,
    _DEVICE_ID,
    Column("lane_id", "INTEGER", "What it ran on, as `lanes` numbers it."),
    Column(
        "step", "INTEGER", "The complete step that it began in, from 1; NULL outside of them.", zero_is_unknown=True
    ),
    *_columns(
        "BIGINT",
        start_ps="When it began.",
        duration_ps="From its start to its end.",
        self_ps="The time that lanes worked for it itself: without executions inside it, and with threads that helped.",
    ),
)
_OPS: Final = _table(
    "ops",
    "Every op that ran in the window. Figures are of the complete steps (of the window without any), as in Ops; an op"
    " that ran outside of them alone has 0 executions.",
    "ops:ops",
    Column("op_id", "INTEGER", "The number by which other tables name it in this run."),
    *_columns(
        "VARCHAR",
        key="What names the op in another run of the code too.",
        name="The name of the HLO instruction, or of the kernel.",
        program="The name of its program.",
        program_key="The `key` of its program in `programs`.",
        category="What kind of op it is, as XLA says it.",
        opcode="The opcode of HLO.",
        op_name="Its path in jax.",
        primitive="What jax calls it, as `dot_general`.",
        scope="The names around it, as `block/mlp`.",
        phase="`forward`, `backward`, `recompute`, `optimizer` or `other`: what most of it belongs to.",
        side="Where its work is done: `device`, `host`, or `callback` for Python.",
        shape="The shape of its result.",
        element_type="The type of its arithmetic, as `bf16`.",
    ),
    Column("line_key", "VARCHAR", "The `key` in `lines` of the line that took most of it; `op_lines` has all."),
    *_PLACE,
    Column("is_shared", "BOOLEAN", "Whether its time was divided among several lines."),
    *_columns(
        "BIGINT",
        executions="How often it ran.",
        self_ps="Its self time, of all executions.",
        wall_ps="The wall clock that this took: less where several threads worked for one execution.",
        cpu_ps="How long threads were on cores for it: of XLA:CPU alone, where their clocks were read.",
        least_ps="The least self time of one execution.",
        greatest_ps="The greatest self time of one execution.",
    ),
    *_columns("DOUBLE", mean_ps="The mean self time.", share_ratio="Its part of the self time of all ops."),
    *_columns(
        "BIGINT",
        flops="Floating point operations of all executions.",
        model_flops="The same without what was computed again, and without the padding of windows.",
        padded_flops="The same with sizes rounded up to the matrix unit.",
        bytes="Bytes read and written, of all memories.",
    ),
    *_columns(
        "DOUBLE",
        flop_utilisation_ratio="What of the device's peak of arithmetic it reached.",
        bandwidth_utilisation_ratio="What of the peak of a memory it reached.",
    ),
    Column("bound_by", "VARCHAR", "What limits it by the roofline: `compute`, or the memory."),
    Column("wasted_ps", "BIGINT", "Its self time that a device at its peak would not have needed."),
    Column("basis", "VARCHAR", "Whether FLOPs and bytes are `measured`, `estimated` or `predicted`."),
)
_LINES: Final = _table(
    "lines",
    "The lines of source, as in Hot Lines: over the complete steps, or the window without any. What is on no line is in"
    " `op_lines` with no `line_key`.",
    "lines:lines",
    Column("key", "VARCHAR", "What names the line in another run of the code too."),
    *_PLACE,
    *_columns(
        "BIGINT",
        self_ps="The self time of ops whose innermost line of yours it is.",
        inclusive_ps="The self time of ops that have it anywhere in their stack.",
        wall_ps="Its part of the wall clock of the devices.",
        waiting_ps="How long devices were idle while the host stood on it.",
        waiting_inclusive_ps="The same with all that it called.",
        cpu_ps="How long threads were on cores for its ops: of XLA:CPU alone, where their clocks were read.",
    ),
    *_PHASES,
    *_columns(
        "BIGINT",
        per_step_ps="Wall clock and waiting, of a step and a device.",
        executions="Executions of ops that charge it.",
        collective_wait_ps="How long its collectives waited for the last device.",
        collective_move_ps="How long its collectives moved data then.",
    ),
    *_columns(
        "DOUBLE",
        share_ratio="Its part of the wall clock, waiting included.",
        waiting_share_ratio="What of the wall clock is its waiting.",
    ),
)
_OP_LINES: Final = _table(
    "op_lines",
    "How the self time of each op is divided among lines; the times sum to those of `ops` exactly.",
    "ops:op_lines",
    _OP_ID,
    _LINE_KEY,
    *_PLACE,
    Column("share_ratio", "DOUBLE", "The line's part of the op's time."),
    *_columns("BIGINT", self_ps="That part of its self time.", wall_ps="That part of its wall clock on devices."),
    Column("is_inherited", "BOOLEAN", "Whether the op has no source of its own, and took its neighbours'."),
)
_STEPS: Final = _table(
    "steps",
    "The complete steps. Their wall clock is that of all devices: busy, stalled and idle time sum to it exactly.",
    "steps:steps",
    Column("step", "INTEGER", "Its number, from 1, in order of time."),
    *_columns(
        "BIGINT",
        start_ps="When it began.",
        duration_ps="How long it lasted.",
        wall_ps="The wall clock of all devices: duration times devices.",
        busy_ps="When something was computed, or moved within a device.",
        stalled_ps="When what ran only waited, or exchanged data.",
        idle_ps="When nothing ran.",
        cpu_ps="How long all threads of the script's processes were on cores, where their clocks were read.",
        interval_ps="From its start to the first op of the forward pass, on average of the devices.",
        forward_backward_ps="From there to the end of the last op of the backward pass.",
        tail_ps="From there to the end of the step.",
        communication_ps="When only data was exchanged, on average of the devices.",
        exposed_ps="When collectives ran and nothing else did, on average of the devices.",
    ),
    *_PHASES,
    Column("is_steady", "BOOLEAN", "Whether nothing was compiled in it."),
    Column("is_outlier", "BOOLEAN", "Whether it lasted much longer than others."),
)
_PROGRAMS: Final = _table(
    "programs",
    "The compiled programs, whether they ran or are held by the profile alone.",
    "programs:programs",
    *_columns(
        "VARCHAR",
        key="What names the program in another run of the code too.",
        name="Its name.",
        program_id="Its id in the profile.",
    ),
    *_PLACE,
    *_columns(
        "BIGINT",
        variant="Which it is of those that its function was compiled to, from 1.",
        variants="How many these are.",
        run_count="How often it ran, on all devices.",
        instructions="How many instructions it has.",
        time_ps="How long its runs lasted, over all devices.",
        mean_ps="How long one lasted on average.",
        compile_ps="What compiling it took.",
        peak_bytes="The most that it has in memory, by the compiler's plan.",
    ),
    Column("share_ratio", "DOUBLE", "Its part of the time of all programs."),
)
_BUFFERS: Final = _table(
    "buffers",
    "What each compiled program has in memory at the peak of each memory, by the compiler's plan; the bytes of a"
    " program and memory sum to that peak.",
    "buffers:buffers",
    Column("program_key", "VARCHAR", "The `key` of the program in `programs`."),
    Column("program", "VARCHAR", "The name of the program."),
    Column("memory_space", "INTEGER", "The memory, as the compiler numbers them: 0 is the main one."),
    *_columns(
        "VARCHAR",
        name="The instruction that defines it.",
        category="`parameter`, `output`, `thread-local`, `constant` or `temporary`.",
        shape="Its shape with its layout.",
        element_type="The type of its elements.",
        op_name="The path of the instruction in jax.",
        primitive="What jax calls it.",
        phase="The phase of the instruction.",
    ),
    *_columns(
        "BIGINT",
        bytes="Its size, with padding.",
        unpadded_bytes="Its size without padding.",
        first_position="The position in the program at which it is made.",
        end_position="The position at which it is given back.",
    ),
    Column("is_residual", "BOOLEAN", "Whether the forward pass makes it and the backward pass reads it."),
    _LINE_KEY,
    *_PLACE,
)
_MEMORY: Final = _table(
    "memory",
    "Each memory over time, of its allocator's events or of samples; at most 1000 of each, those with most in use.",
    "memory:memory",
    *_columns(
        "VARCHAR",
        memory_id="What names the memory.",
        name="What it is called.",
        memory_kind="`accelerator`, `host` or `process`.",
        source="`allocator events` or `samples`.",
    ),
    *_columns(
        "BIGINT",
        time_ps="When: negative before the profile began, and from the first sample where nothing was traced.",
        heap_bytes="Allocated for arrays and what programs need besides; of a process what is resident.",
        stack_bytes="Reserved for programs.",
        free_bytes="What is left.",
        capacity_bytes="All that there is of it.",
    ),
    Column("fragmentation_ratio", "DOUBLE", "What of the free memory is not in its largest piece."),
)
_HOST_SAMPLES: Final = _table(
    "host_samples",
    "What the machine, the script's processes and threads, and accelerators did, between each two readings.",
    "host:host_samples",
    Column("quantity", "VARCHAR", "What was read, with its unit, as `cpu_user_ratio` or `process_resident_bytes`."),
    Column("name", "VARCHAR", "The process, the thread or the accelerator; empty for the machine."),
    Column("pid", "BIGINT", "The process."),
    Column("is_main", "BOOLEAN", "Whether it is of the script's main thread."),
    *_columns("BIGINT", start_ps="When the stretch begins; negative before the profile.", end_ps="When it ends."),
    Column("mean_value", "DOUBLE", "The mean of the quantity in the stretch, in the unit that the quantity names."),
)
_GAPS: Final = _table(
    "gaps",
    "When devices were idle, and what the host did meanwhile: cut wherever that changes. Those of the complete steps"
    " sum to the idle time of `steps`.",
    "gaps:gaps",
    _DEVICE_ID,
    Column("gap_id", "INTEGER", "The gap that it is a piece of, from 1: between two things that ran on the device."),
    Column("step", "INTEGER", "The complete step that it lies in, from 1; NULL outside of them."),
    *_columns("BIGINT", start_ps="When it began.", duration_ps="How long it lasted."),
    Column("waiting_class", "VARCHAR", "Why the device was idle: `input`, `compile`, `sync`, `dispatch`, `python` ..."),
    Column("is_exact", "BOOLEAN", "Whether the interpreter told of the line, or samples give an estimate."),
    _LINE_KEY,
    *_PLACE,
)
_FINDINGS: Final = _table(
    "findings",
    "What the views say of the run besides figures: advice, warnings, notes.",
    "findings:findings",
    *_columns(
        "VARCHAR",
        found_by="The view that says it.",
        code="What is found, as a code.",
        severity="`empty`, `error`, `warning`, `note` or `advice`.",
        sentence="The same in words.",
        values_json="Its values, as JSON.",
    ),
    *_PLACE[:3],
    Column("saving_per_step_ps", "BIGINT", "What a step would take less at best, of advice."),
    Column("saving_bytes", "BIGINT", "What memory would be saved at best, of advice."),
)

TABLES: Final[Mapping[str, Table]] = {
    table.name: table
    for table in (
        _RUNS,
        _STEPS,
        _LINES,
        _OPS,
        _OP_LINES,
        _EXECUTIONS,
        _GAPS,
        _PROGRAMS,
        _BUFFERS,
        _MEMORY,
        _HOST_SAMPLES,
        _FINDINGS,
        _DEVICES,
        _LANES,
    )
}
"""By name, in the order in which they are listed."""
