"""Programs for tests of the graph: of HLO text, layers of a loop of Python among them, and random ones."""

from hypothesis import strategies as st

from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.view import graph
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

ARRAY = Shape("f32", (8, 8))
ROOTS = LineOptions(roots=("/w",))


def module_of(text, program_id=""):
    return build_module(parse_hlo_text(text, where="made"), program_id, "made")


def ask(subject, **options):
    """The answer of the view."""
    return graph(subject, GraphOptions(**options))


def asked(profile, **options):
    """The answer of the view of a profile whose files are in ``/w``."""
    return ask(Subject.of(profile, ROOTS), **options)


def layers_text(layers, *, named=False, ends=True):
    """A program that a loop of Python wrote: in each layer a product on line 6 and a tanh on line 7 of net.py.

    ``named``: each layer is in a scope of its own. ``ends``: with an op before the first and one after the last.
    """
    lines = ["HloModule jit_step", "", "ENTRY %main (x: f32[8,8], w: f32[8,8]) -> f32[8,8] {"]
    lines += ["  %x = f32[8,8]{1,0} parameter(0)", "  %w = f32[8,8]{1,0} parameter(1)"]
    before = "x"
    if ends:
        lines.append(f"  %negate.0 = f32[8,8]{{1,0}} negate(%x), {_told('neg', 3)}")
        before = "negate.0"
    for number in range(layers):
        scope = f"layer_{number}/" if named else ""
        lines.append(
            f"  %dot.{number} = f32[8,8]{{1,0}} dot(%{before}, %w), lhs_contracting_dims={{1}},"
            f" rhs_contracting_dims={{0}}, {_told(f'{scope}dot_general', 6)}"
        )
        root = "ROOT " if number == layers - 1 and not ends else ""
        lines.append(f"  {root}%tanh.{number} = f32[8,8]{{1,0}} tanh(%dot.{number}), {_told(f'{scope}tanh', 7)}")
        before = f"tanh.{number}"
    if ends:
        lines.append(f"  ROOT %abs.0 = f32[8,8]{{1,0}} abs(%{before}), {_told('abs', 9)}")
    return "\n".join([*lines, "}", ""])


def _told(name, line):
    return f'metadata={{op_name="jit(step)/{name}" source_file="/w/net.py" source_line={line}}}'


LOOP = """HloModule jit_step

%fused (p: f32[8,8], q: f32[8,8]) -> f32[8,8] {
  %p = f32[8,8]{1,0} parameter(0)
  %q = f32[8,8]{1,0} parameter(1)
  %inner_dot = f32[8,8]{1,0} dot(%p, %q), lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
metadata={op_name="jit(step)/while/body/dot_general" source_file="/w/net.py" source_line=12}
  ROOT %inner_softmax = f32[8,8]{1,0} exponential(%inner_dot), \
metadata={op_name="jit(step)/while/body/softmax" source_file="/w/net.py" source_line=13}
}

%body (state: (s32[], f32[8,8], f32[8,8])) -> (s32[], f32[8,8], f32[8,8]) {
  %state = (s32[], f32[8,8]{1,0}, f32[8,8]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%state), index=0
  %x = f32[8,8]{1,0} get-tuple-element(%state), index=1
  %w = f32[8,8]{1,0} get-tuple-element(%state), index=2
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %fusion.7 = f32[8,8]{1,0} fusion(%x, %w), kind=kOutput, calls=%fused, \
metadata={op_name="jit(step)/while/body/softmax" source_file="/w/net.py" source_line=13}
  ROOT %state.1 = (s32[], f32[8,8]{1,0}, f32[8,8]{1,0}) tuple(%next, %fusion.7, %w)
}

%condition (state.2: (s32[], f32[8,8], f32[8,8])) -> pred[] {
  %state.2 = (s32[], f32[8,8]{1,0}, f32[8,8]{1,0}) parameter(0)
  %i.1 = s32[] get-tuple-element(%state.2), index=0
  %count = s32[] constant(24)
  ROOT %less = pred[] compare(%i.1, %count), direction=LT
}

ENTRY %main (a: f32[8,8], b: f32[8,8]) -> f32[8,8] {
  %a = f32[8,8]{1,0} parameter(0)
  %b = f32[8,8]{1,0} parameter(1)
  %first = f32[8,8]{1,0} negate(%a), metadata={op_name="jit(step)/neg" source_file="/w/net.py" source_line=10}
  %zero = s32[] constant(0)
  %start = (s32[], f32[8,8]{1,0}, f32[8,8]{1,0}) tuple(%zero, %first, %b)
  %while.3 = (s32[], f32[8,8]{1,0}, f32[8,8]{1,0}) while(%start), condition=%condition, body=%body, \
metadata={op_name="jit(step)/while" source_file="/w/net.py" source_line=11}, \
backend_config={"known_trip_count":{"n":"24"}}
  %out = f32[8,8]{1,0} get-tuple-element(%while.3), index=1
  ROOT %last = f32[8,8]{1,0} abs(%out), metadata={op_name="jit(step)/abs" source_file="/w/net.py" source_line=14}
}
"""
"""A product in a fusion in a loop of 24 passes, between two other ops."""


def instructions_module(operands, opcodes=None, called=None, computation_of=None):
    """A module of one computation, or of several, of instructions with these operands, whatever they are."""
    count = len(operands)
    opcodes = opcodes or ["add"] * count
    called = called or [()] * count
    computation_of = computation_of or [0] * count
    instructions = tuple(
        Instruction(
            row,
            f"{opcodes[row]}.{row}",
            opcodes[row],
            ARRAY,
            computation_of[row],
            tuple(operands[row]),
            tuple(called[row]),
            tuple_index=0 if opcodes[row] == "get-tuple-element" else None,
            parameter_number=0 if opcodes[row] == "parameter" else None,
        )
        for row in range(count)
    )
    computations = tuple(
        Computation(
            number,
            f"computation.{number}",
            rows := tuple(row for row in range(count) if computation_of[row] == number),
            rows[-1],
        )
        for number in range(max(computation_of) + 1)
    )
    return HloModule("jit_made", "", instructions, computations, 0)


@st.composite
def dags(draw, most=24):
    """A module of one computation of ops and glue, each of which reads some of those before it."""
    count = draw(st.integers(1, most))
    opcodes = draw(
        st.lists(
            st.sampled_from(("add", "add", "add", "bitcast", "tuple", "parameter")), min_size=count, max_size=count
        )
    )
    operands = [
        draw(st.lists(st.integers(0, row - 1), max_size=3)) if row and opcodes[row] != "parameter" else []
        for row in range(count)
    ]
    return instructions_module(operands, opcodes)


@st.composite
def hostile_modules(draw):
    """Instructions that read any, themselves included, and computations that call any, in whatever circles."""
    computations = draw(st.integers(1, 4))
    count = draw(st.integers(computations, 24))
    opcodes = draw(
        st.lists(
            st.sampled_from(
                ("add", "fusion", "while", "call", "conditional", "tuple", "get-tuple-element", "parameter")
            ),
            min_size=count,
            max_size=count,
        )
    )
    computation_of = [row if row < computations else draw(st.integers(0, computations - 1)) for row in range(count)]
    of_computation = [[row for row in range(count) if computation_of[row] == each] for each in range(computations)]
    operands = [draw(st.lists(st.sampled_from(of_computation[each]), max_size=3)) for each in computation_of]
    calling = ("fusion", "while", "call", "conditional")
    called = [
        draw(st.lists(st.integers(0, computations - 1), min_size=1, max_size=2)) if opcode in calling else []
        for opcode in opcodes
    ]
    return instructions_module(operands, opcodes, called, computation_of)
