"""Messages about memory that ran out, as allocators and compilers write them, and the culprits made of them."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import said
from made.program.programs import MadeProgram
from made.program.programs import profile_of as programs_alone
from scopelight.analysis.memory.out_of_memory.exhaustion import out_of_memory
from scopelight.analysis.totals.frames import LineOptions
from scopelight.formats.out_of_memory_message import read_out_of_memory
from scopelight.model.memory.in_use import MemoryInUse
from scopelight.model.memory.recorded import LiveMemory, SnapshotFile
from scopelight.model.run.information import RaisedFrame, RecordedOutOfMemory, RunInformation

GIB = 1 << 30

MESSAGES = {
    # XLA:CPU, jax 0.10
    "RESOURCE_EXHAUSTED: Out of memory allocating 1200000000000 bytes.": (1_200_000_000_000, None, False),
    "INTERNAL: Error dispatching computation: Out of memory allocating 4194304 bytes.": (4_194_304, None, False),
    # The BFC allocator of GPUs
    "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes.": (16 * GIB, None, False),
    "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4.00GiB.": (4 * GIB, None, False),
    "RESOURCE_EXHAUSTED: Failed to allocate request for 2.00GiB (2147483648B) on device ordinal 0": (
        2 * GIB,
        None,
        False,
    ),
    # The TPU's runtime
    "RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 16.00G. That was not possible. There"
    " are 14.50G free.; (0x0x0_HBM0)": (16 * GIB, round(14.5 * GIB), False),
    "RESOURCE_EXHAUSTED: Error loading program: Attempting to reserve 10.00G at the bottom of memory. That was not"
    " possible. There are 8.75G free, 0B reserved, and 8.75G reservable.": (10 * GIB, round(8.75 * GIB), False),
    # The TPU's compiler: libtpu 0.0.42, libtpu 0.0.51, older
    "RESOURCE_EXHAUSTED: Ran out of memory on HBM, the total memory required for HLO temporaries (53.84G) exceeds"
    " available HBM (15.75G).": (round(53.84 * GIB), round(15.75 * GIB), True),
    "RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO"
    " temporaries (108.87G) exceeds available HBM (15.75G)": (round(108.87 * GIB), round(15.75 * GIB), True),
    "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 24.50G of 15.50G"
    " hbm. Exceeded hbm capacity by 9.00G.": (round(24.5 * GIB), round(15.5 * GIB), True),
    # numpy, Python
    "MemoryError: Unable to allocate 400. MiB for an array with shape (52428800,)": (400 << 20, None, False),
    "MemoryError": (None, None, False),
}

TPU_LIST = """RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. \
Used 24.50G of 15.50G hbm. Exceeded hbm capacity by 9.00G.

Total hbm usage >= 24.50G:
    reserved        530.00M
    program          24.00G

  Largest program allocations in hbm:

  1. Size: 16.00G
     Operator: op_name="jit(train)/attention/softmax" source_file="/w/model.py" source_line=41
     Shape: f32[32,16,2048,2048]{3,2,1,0:T(8,128)}
     Unpadded size: 16.00G
     XLA label: fusion.12 = fusion(p0, p1), kind=kLoop
     Allocation type: HLO temp
     ==========================

  2. Size: 4.00G
     Operator: op_name="jit(train)/mlp/dot_general"
     Shape: bf16[32,2048,32768]{2,1,0:T(8,128)(2,1)}
     Allocation type: HLO temp
     ==========================
"""

GPU_LIST = """RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.
BufferAssignment OOM Debugging.
BufferAssignment stats:
             parameter allocation:    2.00GiB
Peak buffers:
\tBuffer 1:
\t\tSize: 8.00GiB
\t\tOperator: op_name="jit(step)/dot_general" source_file="/w/net.py" source_line=7
\t\tXLA Label: custom-call
\t\tShape: f32[46341,46341]
\t\t==========================

\tBuffer 2:
\t\tSize: 2.00GiB
\t\tEntry Parameter Subshape: f32[536870912]
\t\t==========================
"""


@pytest.mark.parametrize("message", MESSAGES)
def test_what_messages_say(message):
    text = read_out_of_memory(message)
    assert (text.requested_bytes, text.limit_bytes, text.is_of_compiler) == MESSAGES[message]
    assert text.buffers == ()


def test_the_list_of_a_tpu_compiler():
    text = read_out_of_memory(TPU_LIST)
    assert [(each.bytes, each.path, each.line) for each in text.buffers] == [
        (16 * GIB, "/w/model.py", 41),
        (4 * GIB, "", None),
    ]
    assert text.buffers[0].what == "HLO temp fusion.12 f32[32,16,2048,2048]{3,2,1,0:T(8,128)}"
    assert text.buffers[1].op_name == "jit(train)/mlp/dot_general"


def test_the_list_of_a_gpu_compiler():
    text = read_out_of_memory(GPU_LIST)
    assert (text.requested_bytes, text.is_of_compiler) == (8 * GIB, False)
    assert [(each.bytes, each.path, each.line) for each in text.buffers] == [
        (8 * GIB, "/w/net.py", 7),
        (2 * GIB, "", None),
    ]
    assert text.buffers[1].what == "parameter f32[536870912]"


@given(message=st.text(max_size=300) | st.binary(max_size=300).map(lambda data: data.decode("latin-1")))
def test_any_text_is_read(message):
    read_out_of_memory(message)
    read_out_of_memory(f"Out of memory allocating {message} Size: {message}")


@pytest.fixture
def record(profile_of):
    """The record of a script that ended with a message, at a stack, with arrays alive."""

    def make(message, stack=(), alive=(), *, during_compilation=False, watches_memory=True):
        recorded = RecordedOutOfMemory(message, tuple(stack), during_compilation)
        capture = RunInformation(cwd="/w", out_of_memory=recorded, watches_memory=watches_memory)
        profile = profile_of([], capture=capture)
        live = [LiveMemory((frame,), count, size, "buffer", "gpu:0") for frame, count, size in alive]
        snapshots = [SnapshotFile("last", None, 1, 0.001, lambda: live)] if alive else []
        return out_of_memory(attrs.evolve(profile, memory=MemoryInUse(snapshots=snapshots)), LineOptions(roots=("/w",)))

    return make


LIBRARY = RaisedFrame("/usr/lib/python3/site-packages/jax/_src/core.py", 5, "bind")
ASKING = RaisedFrame("/w/train.py", 9, "step")
KEEPING = RaisedFrame("/w/train.py", 4, "keep")


def test_one_large_request_is_its_own_culprit(record):
    made = record(
        "RESOURCE_EXHAUSTED: Out of memory allocating 1000000 bytes.", [LIBRARY, ASKING], [(KEEPING, 2, 5000)]
    )
    assert [(each.path, each.line, each.bytes, each.basis) for each in made.culprits] == [
        ("train.py", 9, 1_000_000, "traceback"),
        ("train.py", 4, 5000, "snapshot"),
    ]
    assert made.stage == "run"
    assert "train.py:9" in said(made, "error")


def test_what_fills_memory_comes_before_what_asked_last(record):
    made = record("RESOURCE_EXHAUSTED: Out of memory allocating 64 bytes.", [LIBRARY, ASKING], [(KEEPING, 2, 5000)])
    assert [(each.line, each.basis) for each in made.culprits] == [(4, "snapshot"), (9, "traceback")]
    assert said(made.culprits[0]) == "2 arrays alive"
    assert "train.py:4" in said(made, "error")


def test_where_memory_was_not_watched_the_remedy_is_to_watch_it(record):
    """A script that piles up small arrays fails at one of them: making that one smaller helps nothing."""
    small = "RESOURCE_EXHAUSTED: Out of memory allocating 4096 bytes."
    made = record(small, [LIBRARY, ASKING], watches_memory=False)
    assert [(each.line, each.basis) for each in made.culprits] == [(9, "traceback")]
    assert said(made, "note", "advice") == (
        "What was in memory is not known, since this run did not watch it: run again without --no-memory to see"
        " which lines' arrays pile up. If this one request is too large by itself, make its array smaller, compute it"
        " in parts, or shard it over devices."
    )
    killed = record("The system killed the script.", watches_memory=False)
    assert said(killed, "note", "advice") == (
        "What was in memory is not known, since this run did not watch it: run again without --no-memory to see which"
        " lines' arrays pile up."
    )
    assert "--no-memory" not in said(record(small, [LIBRARY, ASKING], [(KEEPING, 2, 5000)]))


def test_where_no_snapshot_was_kept_nothing_is_said_of_what_else_was_there(record):
    made = record("RESOURCE_EXHAUSTED: Out of memory allocating 4096 bytes.", [LIBRARY, ASKING])
    assert "--no-memory" not in said(made, "note", "advice")
    assert said(made, "note", "advice").startswith(
        "What was in memory is not known, since no snapshot of it could be kept: "
    )
    assert "memory profile" in said(made, "note", "advice")


def test_the_compilers_list_comes_first(record):
    made = record(TPU_LIST, [LIBRARY, ASKING], [(KEEPING, 2, 5000)])
    assert made.stage == "compile"
    assert [(each.path, each.line, each.basis) for each in made.culprits] == [
        ("model.py", 41, "compiler"),
        (None, None, "compiler"),
        ("train.py", 9, "traceback"),
    ]
    assert (made.requested_bytes, made.limit_bytes) == (round(24.5 * GIB), round(15.5 * GIB))


def test_a_compiler_that_lists_nothing_says_how_to_find_the_lines(record):
    made = record("RESOURCE_EXHAUSTED: Out of memory allocating 64 bytes.", [ASKING], during_compilation=True)
    assert made.stage == "compile"
    assert "--xla_dump_to" in said(made, "note", "advice")


def test_a_script_that_was_killed_has_no_line_but_what_was_alive(record):
    made = record("The system killed the script.", (), [(KEEPING, 1, 5000)])
    assert [(each.line, each.basis) for each in made.culprits] == [(4, "snapshot")]
    assert record("The system killed the script.").culprits == ()


def test_what_was_alive_as_memory_ran_out_counts_and_not_what_was_left_at_the_end(profile_of):
    recorded = RecordedOutOfMemory("RESOURCE_EXHAUSTED: Out of memory allocating 64 bytes.", (ASKING,), in_thread=True)
    profile = profile_of([], capture=RunInformation(cwd="/w", out_of_memory=recorded))
    alive = LiveMemory((KEEPING,), 2, 5000, "buffer", "gpu:0")
    left = LiveMemory((LIBRARY, ASKING), 1, 100, "buffer", "gpu:0")
    snapshots = [
        SnapshotFile("window-start", None, 1, 0.001, list),
        SnapshotFile("out-of-memory", None, 2, 0.001, lambda: [alive]),
        SnapshotFile("end", None, 3, 0.001, lambda: [left]),
    ]
    made = out_of_memory(attrs.evolve(profile, memory=MemoryInUse(snapshots=snapshots)), LineOptions(roots=("/w",)))
    assert [(each.line, each.bytes, each.basis) for each in made.culprits] == [
        (4, 5000, "snapshot"),
        (9, 64, "traceback"),
    ]
    assert said(made, "error").startswith("A thread of the script ran out of memory at train.py:9")


def test_a_script_that_ended_otherwise_has_no_record(profile_of):
    assert out_of_memory(profile_of([], capture=RunInformation(exit_code=1))) is None
    assert out_of_memory(profile_of([])) is None


@pytest.fixture
def of_a_step(profile_of):
    """The record of a script whose compiled step has two large temporaries on line 6, and no room for them."""

    def make(requested, alive=0, *, pieces=1, watches_memory=True):
        step = MadeProgram()
        argument = step.instruction("parameter", 1000)
        step.allocation(4000, (argument, 0), is_entry_computation_parameter=True, parameter_number=0)
        first, second = (step.instruction("sine", 1 << 20, argument, place=("/w/train.py", 6)) for _ in range(2))
        result = step.instruction("add", 1, first, second, place=("/w/train.py", 7))
        step.allocation(4, (result, 0), maybe_live_out=True)
        if pieces == 1:
            step.allocation(1 << 23, (first, 0), (second, 1 << 22))
        else:
            step.allocation(1 << 22, (first, 0))
            step.allocation(1 << 22, (second, 0))
        step.trace((0, first), (0, second), (1, first), (1, second))
        message = f"RESOURCE_EXHAUSTED: Out of memory allocating {requested} bytes."
        recorded = RecordedOutOfMemory(message, (LIBRARY, ASKING), during_compilation=False)
        live = [LiveMemory((KEEPING,), 1, alive, "buffer", "gpu:0")] if alive else []
        capture = RunInformation(cwd="/w", out_of_memory=recorded, watches_memory=watches_memory)
        snapshots = [SnapshotFile("last", None, 1, 0.001, lambda: live)] if watches_memory else []
        profile = attrs.evolve(
            profile_of([], capture=capture),
            programs=programs_alone(step.finish(result)).programs,
            memory=MemoryInUse(snapshots=snapshots),
        )
        return out_of_memory(profile, LineOptions(roots=("/w",)))

    return make


@pytest.mark.parametrize("pieces", [1, 2])
def test_a_step_without_room_for_its_temporaries_names_their_lines(of_a_step, pieces):
    made = of_a_step(1 << 23, alive=5000, pieces=pieces)
    assert [(each.line, each.bytes, each.basis) for each in made.culprits] == [
        (6, 1 << 23, "compiler"),
        (9, None, "traceback"),
        (4, 5000, "snapshot"),
    ]
    assert said(made.culprits[0]) == "2 temporaries of jit_step, the largest f32[1048576]{0}"
    assert said(made.culprits[1]) == "where it came up"
    assert "train.py:6" in said(made, "error")
    assert "compiled program" in said(made, "note", "advice")
    assert "this array" not in said(made, "note", "advice")


def test_temporaries_are_not_called_the_most_where_nothing_says_what_else_was_there(of_a_step):
    made = of_a_step(1 << 23, watches_memory=False)
    assert [(each.line, each.basis) for each in made.culprits] == [(6, "compiler"), (9, "traceback")]
    assert said(made, "error") == (
        "The script ran out of memory (it came up at train.py:9): 8 MiB more were asked for. Of these 8 MiB are for"
        " train.py:6 (2 temporaries of jit_step, the largest f32[1048576]{0})."
    )
    assert "compiled program" in said(made, "note", "advice")
    assert "run again without --no-memory" in said(made, "note", "advice")


def test_arrays_that_hold_more_come_before_the_temporaries(of_a_step):
    made = of_a_step(1 << 23, alive=1 << 24)
    assert [each.line for each in made.culprits] == [4, 6, 9]
    assert "train.py:4" in said(made, "error")


@pytest.mark.parametrize("requested", [(1 << 23) + 1, 4000])
def test_a_request_of_another_size_is_of_no_program(of_a_step, requested):
    assert [each.line for each in of_a_step(requested).culprits] == [9]


WAITED = RaisedFrame("/w/train.py", 12, "main")
READ = (RaisedFrame("/v/site-packages/jax/_src/array.py", 623, "ArrayImpl._value"), WAITED)


@pytest.fixture
def of_results(profile_of):
    """The record of a script that asked for the results of its programs: at (line, bytes of the result) each."""

    def make(requested, *programs, stack=(WAITED,), waits=True, alive=0, watches_memory=True):
        made = []
        for number, (line, size) in enumerate(programs):
            step = MadeProgram()
            argument = step.instruction("parameter", 1000)
            step.allocation(4000, (argument, 0), is_entry_computation_parameter=True, parameter_number=0)
            scratch = step.instruction("sine", 1 << 20, argument, place=("/w/train.py", line))
            result = step.instruction("add", size // 4, scratch, place=("/w/train.py", line))
            step.allocation(size, (result, 0), maybe_live_out=True)
            step.allocation(1 << 22, (scratch, 0))
            step.trace((0, scratch), (1, scratch))
            made += [
                attrs.evolve(each, program_id=str(number + 1)) for each in programs_alone(step.finish(result)).programs
            ]
        message = f"RESOURCE_EXHAUSTED: Out of memory allocating {requested} bytes."
        raised = tuple(attrs.evolve(frame, waits=waits and frame is stack[0]) for frame in stack)
        recorded = RecordedOutOfMemory(message, raised)
        live = [LiveMemory((KEEPING,), 1, alive, "buffer", "gpu:0")] if alive else []
        snapshots = [SnapshotFile("last", None, 1, 0.001, lambda: live)] if watches_memory else []
        capture = RunInformation(cwd="/w", out_of_memory=recorded, watches_memory=watches_memory)
        profile = attrs.evolve(
            profile_of([], capture=capture), programs=tuple(made), memory=MemoryInUse(snapshots=snapshots)
        )
        return out_of_memory(profile, LineOptions(roots=("/w",)))

    return make


@pytest.mark.parametrize(("stack", "waits"), [((WAITED,), True), (READ, False), ((LIBRARY, WAITED), False)])
def test_a_program_without_room_for_its_result_names_its_lines_and_where_that_came_up(of_results, stack, waits):
    made = of_results(1 << 24, (6, 1 << 24), stack=stack, waits=waits, alive=5000)
    assert [(each.line, each.bytes, each.basis) for each in made.culprits] == [
        (6, (1 << 24) + (1 << 22), "compiler"),
        (12, None, "traceback"),
        (4, 5000, "snapshot"),
    ]
    assert said(made.culprits[0]) == "2 buffers of jit_step at its peak, the largest f32[4194304]{0}"
    assert said(made.culprits[1]) == "where it came up"
    assert said(made, "error").startswith(
        "The script ran out of memory (it came up at train.py:12): 16 MiB more were asked for. Most is taken by"
        " train.py:6: 20 MiB"
    )
    assert "compiled program" in said(made, "note", "advice")


def test_a_program_whose_results_and_temporaries_were_asked_for_together_is_found(of_results):
    assert of_results((1 << 24) + (1 << 22), (6, 1 << 24), waits=False).culprits[0].line == 6


def test_what_a_program_needs_beyond_the_request_is_no_part_of_it(of_results):
    made = of_results(1 << 24, (6, 1 << 24), watches_memory=False)
    assert "Of these" not in said(made, "error")
    assert " 20 MiB are for train.py:6 (2 buffers" in said(made, "error")


def test_a_line_that_only_waits_did_not_ask_although_no_program_is_known(of_results):
    made = of_results(1 << 24, alive=5000)
    assert [(each.line, each.bytes, said(each)) for each in made.culprits] == [
        (12, None, "where it came up"),
        (4, 5000, "1 array alive"),
    ]
    assert (
        said(made, "error") == "The script ran out of memory (it came up at train.py:12): 16 MiB more were asked for."
    )
    assert (
        said(made, "note", "advice")
        == "Make what this line waits for smaller, compute it in parts, or shard it over devices."
    )


def test_while_a_script_waits_the_only_program_with_room_for_the_request_asked(of_results):
    """Allocators round sizes up."""
    assert [each.line for each in of_results((1 << 24) + 256, (6, 1 << 24)).culprits] == [6, 12]
    # Where the line did not wait, it may have asked itself.
    assert [each.line for each in of_results((1 << 24) + 256, (6, 1 << 24), waits=False).culprits] == [12]
    assert [each.line for each in of_results((1 << 30), (6, 1 << 24)).culprits] == [12]


def test_of_several_programs_with_such_a_result_none_is_blamed(of_results):
    made = of_results(1 << 24, (6, 1 << 24), (7, 1 << 24))
    assert [(each.line, said(each)) for each in made.culprits] == [(12, "where it came up")]


def test_an_operation_that_ran_at_the_line_of_the_traceback_was_asked_for_there(of_results):
    """Of one operation outside a compiled function the line is known already."""
    made = of_results(1 << 24, (12, 1 << 24), (6, 1 << 24))
    assert [(each.line, each.bytes, said(each)) for each in made.culprits] == [(12, 1 << 24, "asked for it")]
    assert "at train.py:12: 16 MiB more were asked for" in said(made, "error")
