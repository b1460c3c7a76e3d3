"""Buffers that are derived from the order of instructions alone, against those that compilers assigned."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scopelight.formats.hlo_text.reader import parse_hlo_text, read_hlo_text
from scopelight.program.hlo.builder import build_module
from scopelight.program.memory.buffers import SHARE_WITH
from scopelight.program.memory.builder import build_buffers, build_schedule
from scopelight.program.memory.heap_replay import replay
from scopelight.program.memory.liveness import estimated_buffers
from scopelight.program.memory.order import run_order
from scopelight.program.memory.value_flow import value_flow


def of_text(text):
    proto = parse_hlo_text(text, where="test")
    return build_module(proto, ""), build_schedule(proto)


def peaks(buffers):
    """The most that comes and goes, by memory space."""
    found = {}
    for trace in buffers.traces:
        if len(trace.kind):
            space = buffers.allocations[buffers.allocation[trace.buffer[0]]].memory_space
            found[space] = int(replay(trace, buffers.bytes, buffers.bytes).heap_bytes.max())
    return found


def throughout(buffers, space=0):
    return sum(
        each.bytes
        for each in buffers.allocations
        if each.is_indefinite and not each.is_thread_local and each.memory_space == space
    )


CHAIN = """HloModule step, is_scheduled=true, input_output_alias={ {1}: (1, {}, may-alias) }

ENTRY %main (x: f32[256], state: f32[100]) -> (f32[256], f32[100]) {
  %x = f32[256]{0} parameter(0)
  %state = f32[100]{0} parameter(1)
  %a = f32[512]{0} custom-call(%x), custom_call_target="a"
  %b = f32[1024]{0} custom-call(%a), custom_call_target="b"
  %c = f32[1024]{0} negate(%b)
  %d = f32[256]{0} custom-call(%c), custom_call_target="d"
  %next = f32[100]{0} negate(%state)
  ROOT %out = (f32[256]{0}, f32[100]{0}) tuple(%d, %next)
}
"""


def test_what_is_read_for_the_last_time_gives_its_memory_back():
    module, schedule = of_text(CHAIN)
    buffers = estimated_buffers(module, schedule)
    (trace,) = buffers.traces
    replayed = replay(trace, buffers.bytes, buffers.bytes)
    names = [module.instructions[buffers.instruction[row]].name for row in trace.buffer]
    # c takes the place of b, which is read for the last time where it is made.
    assert list(zip(trace.kind.tolist(), names, strict=True)) == [
        (0, "a"),
        (0, "b"),
        (1, "a"),
        (2, "c"),
        (1, "b"),
        (1, "c"),
    ]
    assert replayed.heap_bytes.tolist() == [0, 2048, 2048 + 4096, 4096, 4096, 4096, 0]
    # The output d, and the state, which the next one lies in.
    assert throughout(buffers) == 256 * 4 + 100 * 4 + 256 * 4
    flags = {(each.is_parameter, each.is_live_out) for each in buffers.allocations}
    assert flags == {(True, False), (True, True), (False, True), (False, False)}


LOOP = """HloModule loop, is_scheduled=true

%body (carry: (s32[], f32[64])) -> (s32[], f32[64]) {
  %carry = (s32[], f32[64]{0}) parameter(0)
  %i = s32[] get-tuple-element(%carry), index=0
  %v = f32[64]{0} get-tuple-element(%carry), index=1
  %w = f32[64]{0} custom-call(%v), custom_call_target="w"
  ROOT %both = (s32[], f32[64]{0}) tuple(%i, %w)
}

%condition (carry: (s32[], f32[64])) -> pred[] {
  %carry.1 = (s32[], f32[64]{0}) parameter(0)
  ROOT %again = pred[] custom-call(%carry.1), custom_call_target="again"
}

ENTRY %main (x: f32[64]) -> f32[8] {
  %x = f32[64]{0} parameter(0)
  %zero = s32[] constant(0)
  %start = f32[64]{0} custom-call(%x), custom_call_target="start"
  %init = (s32[], f32[64]{0}) tuple(%zero, %start)
  %while = (s32[], f32[64]{0}) while(%init), condition=%condition, body=%body
  %last = f32[64]{0} get-tuple-element(%while), index=1
  ROOT %result = f32[8]{0} custom-call(%last), custom_call_target="result"
}
"""


def test_what_a_loop_carries_is_one_value_from_its_beginning_to_its_last_reader():
    module, schedule = of_text(LOOP)
    order = run_order(module, schedule)
    names = [module.instructions[row].name for row in order.rows]
    assert names.index("again") < names.index("w") < names.index("while") < names.index("result")
    flow = value_flow(module, order)
    row_of = {each.name: row for row, each in enumerate(module.instructions)}
    carried = flow.value_at(module, row_of["start"], ())
    for name, path in (("init", (1,)), ("carry", (1,)), ("v", ()), ("while", (1,)), ("last", ())):
        assert flow.value_at(module, row_of[name], path) == carried, name
    assert [module.instructions[row].name for row in flow.readers[carried]] == ["again", "w", "while", "result"]
    assert flow.value_at(module, row_of["init"], ()) is None
    assert flow.value_at(module, row_of["init"], (7,)) is None


def test_computations_that_call_each_other_in_a_circle_end():
    text = """HloModule circle

%f (p: f32[2]) -> f32[2] {
  %p = f32[2]{0} parameter(0)
  ROOT %r = f32[2]{0} call(%p), to_apply=%g
}

%g (q: f32[2]) -> f32[2] {
  %q = f32[2]{0} parameter(0)
  ROOT %s = f32[2]{0} call(%q), to_apply=%f
}

ENTRY %main (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  ROOT %y = f32[2]{0} call(%x), to_apply=%f
}
"""
    module, schedule = of_text(text)
    order = run_order(module, schedule)
    assert len(order.rows) == len(set(order.rows)) == 6
    assert throughout(estimated_buffers(module, schedule)) > 0


@pytest.mark.parametrize(
    ("name", "tolerance"),
    # A TPU's compiler shares memory in the plain cases only; a GPU's in more of them.
    [
        ("tpu-v5e-awkward/after_optimizations.hlo.pb.xz", 1e-9),
        ("h100-maxtext-hlo/jit_train_step.hlo.pb.xz", 0.25),
    ],
)
def test_the_estimate_is_near_what_compilers_assigned(shared_hlo, name, tolerance):
    proto = shared_hlo(name)
    assigned = build_buffers(proto)
    estimated = estimated_buffers(build_module(proto, ""), build_schedule(proto))
    assert peaks(estimated)[0] == pytest.approx(peaks(assigned)[0], rel=tolerance)
    # But for the table of pointers of a result that is a tuple.
    assert throughout(estimated) == pytest.approx(throughout(assigned), abs=1024)


def test_the_memory_of_hlo_text_fits_the_device_that_ran_it(shared_data):
    """A training step of Llama 3 8B, eight ways on TPU v6e, which have 31.25 GiB: with its outputs in its arguments."""
    proto = read_hlo_text(shared_data / "tpu-v6e-llama3-hlo-text" / "jit_train_step.after_optimizations.hlo.txt")
    buffers = estimated_buffers(build_module(proto, ""), build_schedule(proto))
    arguments = sum(each.bytes for each in buffers.allocations if each.is_parameter)
    assert 16 << 30 < peaks(buffers)[0] + throughout(buffers) < 31.25 * 2**30
    assert throughout(buffers) == pytest.approx(arguments, rel=0.001)


def test_any_plan_that_is_estimated_can_be_replayed(shared_hlo):
    for name in ("tpu-v5e-awkward/after_optimizations.hlo.pb.xz", "h100-maxtext-hlo/jit_train_step.hlo.pb.xz"):
        proto = shared_hlo(name)
        buffers = estimated_buffers(build_module(proto, ""), build_schedule(proto))
        for trace in buffers.traces:
            replayed = replay(trace, buffers.bytes, buffers.bytes)
            assert replayed.heap_bytes[-1] == 0
            assert (replayed.heap_bytes >= 0).all()
            assert replayed.heap_bytes.max() == buffers.allocations[trace.allocation].bytes
            for position in np.linspace(0, len(trace.kind) - 1, 20, dtype=int).tolist():
                alive = replayed.alive_at(position)
                assert replayed.lifetime_bytes[alive].sum() == replayed.heap_bytes[position + 1]


def made_in_place(made):
    """The pairs of ops of which the first lies where the second lay, and the most that comes and goes."""
    module, schedule = of_text(f"""HloModule step, is_scheduled=true

%inner (p: f32[256]) -> f32[256] {{
  %p = f32[256]{{0}} parameter(0)
  ROOT %made.inside = f32[256]{{0}} custom-call(%p), output_to_operand_aliasing={{{{}}: (0, {{}})}}
}}

ENTRY %main (x: f32[256]) -> f32[] {{
  %x = f32[256]{{0}} parameter(0)
  %a = f32[256]{{0}} custom-call(%x)
  %pair = (f32[64]{{0}}, (f32[64]{{0}}, f32[128]{{0}})) custom-call(%x)
  {made}
  ROOT %out = f32[] custom-call(%made, %pair)
}}
""")
    buffers = estimated_buffers(module, schedule)
    (trace,) = buffers.traces
    names = [module.instructions[row].name for row in buffers.instruction.tolist()]
    shared = np.flatnonzero(trace.kind == SHARE_WITH)
    pairs = {(names[trace.buffer[event]], names[trace.canonical[event]]) for event in shared}
    return pairs, peaks(buffers)[0]


APART = "%made = f32[256]{0} custom-call(%a)"


@pytest.mark.parametrize(
    ("made", "pairs", "peak_bytes"),
    [
        (APART, set(), 3072),
        (APART + ", output_to_operand_aliasing={{}: (0, {})}", {("made", "a")}, 2048),
        (
            "%made = (f32[128]{0}, f32[256]{0}) custom-call(%pair, %a), "
            "output_to_operand_aliasing={{0}: (0, {1, 1}), {1}: (1, {})}",
            {("made", "pair"), ("made", "a")},
            2048,
        ),
        (
            "%made = ((f32[4]{0}, f32[256]{0}), f32[4]{0}) custom-call(%a), "
            "output_to_operand_aliasing={{0, 1}: (0, {})}",
            {("made", "a")},
            2080,
        ),
        (
            "%made = f32[256]{0} fusion(%a), kind=kCustom, calls=%inner, output_to_operand_aliasing={{}: (0, {})}",
            {("made", "a")},
            2048,
        ),
        (
            "%start = ((f32[256]{0}), f32[256]{0}, u32[]) async-start(%a), calls=%inner\n"
            "%made = f32[256]{0} async-done(%start)",
            {("made.inside", "a")},
            2052,
        ),
        (
            "%start = ((f32[256]{0}), f32[256]{0}, u32[]) custom-call-start(%a), "
            "output_to_operand_aliasing={{}: (0, {})}\n"
            "%made = f32[256]{0} custom-call-done(%start)",
            {("start.computation.root", "a")},
            2052,
        ),
        # As XLA:TPU writes it: the numbers go on with the arrays of the result.
        (
            'APART, backend_config={"aliasing_operands":{"lists":[{"indices":["0","1"]}]}}'.replace("APART", APART),
            {("made", "a")},
            2048,
        ),
        (
            "%made = (f32[4]{0}, f32[256]{0}) custom-call(%pair, %a), backend_config="
            '{"aliasing_operands":{"lists":[{"indices":["1","3"]},{"indices":["9","7"]},{"indices":["0"]}]}}',
            {("made", "a")},
            2064,
        ),
        # Numbers that name nothing.
        (
            APART + ", output_to_operand_aliasing={{7}: (0, {}), {}: (5, {}), {}: (0, {3})}",
            set(),
            3072,
        ),
        (APART + ', backend_config={"aliasing_operands":{"lists":[7,{"indices":"x"}]}}', set(), 3072),
    ],
)
def test_what_lies_in_an_operand_takes_no_memory_of_its_own(made, pairs, peak_bytes):
    assert made_in_place(made) == (pairs, peak_bytes)


def test_what_an_output_overwrites_lies_in_the_output():
    module, schedule = of_text("""HloModule step, is_scheduled=true

ENTRY %main (x: f32[256]) -> f32[256] {
  %x = f32[256]{0} parameter(0)
  %a = f32[256]{0} custom-call(%x)
  %b = f32[256]{0} custom-call(%a), output_to_operand_aliasing={{}: (0, {})}
  ROOT %c = f32[256]{0} custom-call(%b), output_to_operand_aliasing={{}: (0, {})}
}
""")
    buffers = estimated_buffers(module, schedule)
    assert peaks(buffers) == {}
    assert throughout(buffers) == 2048


@pytest.mark.parametrize(
    ("function", "before_bytes"),
    [
        (lambda a: jnp.linalg.solve(a, a.T).sum(), 480_000),
        (lambda a: jnp.linalg.eigh(a + a.T)[1] * 2, 320_804),
        (lambda a: jnp.linalg.cholesky(a @ a.T) + a, 320_004),
    ],
    ids=["solve", "eigh", "cholesky"],
)
def test_temporaries_of_compiled_text_take_what_the_compiler_says(function, before_bytes):
    compiled = jax.jit(function).lower(jnp.eye(200)).compile()
    expected = compiled.memory_analysis().temp_size_in_bytes
    estimated = peaks(estimated_buffers(*of_text(compiled.as_text())))[0]
    assert estimated == pytest.approx(expected, rel=0.01)
    assert before_bytes > 1.4 * expected
