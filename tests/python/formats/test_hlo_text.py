"""HLO text: what it may look like, and what is refused in which words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.formats.errors import FormatError
from scopelight.formats.hlo_text.reader import parse_hlo_text, read_hlo_text
from scopelight.formats.hlo_text.recognise import is_hlo_text
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.frames import Frame

TEXT = """HloModule jit_step, is_scheduled=true, entry_computation_layout={(f32[8,16]{1,0:T(8,128)})->f32[8,8]{1,0}}, \
replica_count=2, num_partitions=4

FileNames
1 "/home/me/train.py"
2 "/home/me/\\303\\251t\\303\\251.py"

FunctionNames
1 "step"
2 "main.<locals>.loss"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=3 end_column=9}
2 {file_name_id=2 function_name_id=2 line=40 end_line=41 column=0 end_column=1}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}

%add.reducer (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

ENTRY %main.1 (x: f32[8,16]) -> f32[8,8] {
  %x = f32[8,16]{1,0:T(8,128)} parameter(0), sharding={devices=[2,1]<=[2] metadata={op_name="a, b} c"}}
  %c.2 = s32[2,2]{1,0} constant({
    { 1, /*index=1*/ 2 },
    { 3, 4 } })
  %t.3 = (f32[8,16]{1,0:T(8,128)}, /*index=1*/s32[2,2]{1,0}, ((token[]), f32[<=4]{0:E(4)S(1)})) tuple(%x, %c.2)
  %reduce.4 = f32[8]{0:T(128)} reduce(%x, %a-constant.1), dimensions={1}, to_apply=%add.reducer, \
metadata={op_type="reduce_sum" op_name="jit(step)/re\\"duce" source_file="/old/form.py" source_line=12}
  %a-constant.1 = f32[]{:T(128)} constant(-inf)
  ROOT %dot.5 = bf16[8,8]{1,0:T(8,128)(2,1)} dot(f32[8,16]{1,0} %x, f32[8,16]{1,0} %x), lhs_contracting_dims={1}, \
rhs_contracting_dims={1}, backend_config={"a":{"b":["}{",{}]}}, metadata={op_name="jit(step)/dot" stack_frame_id=2}
}, execution_thread="main"
"""


def module(text=TEXT):
    return build_module(parse_hlo_text(text, where="step.txt"), "", "step.txt")


def test_both_forms_of_source_positions_are_read():
    by_name = module().by_name
    assert by_name["reduce.4"].stack == (Frame("/old/form.py", 12),)
    assert by_name["dot.5"].stack == (
        Frame("/home/me/été.py", 40, "main.<locals>.loss"),
        Frame("/home/me/train.py", 7, "step"),
    )
    # Older versions of XLA number the parents as the frames themselves.
    older = TEXT.replace("parent_frame_id=1", "parent_frame_id=0").replace("parent_frame_id=2", "parent_frame_id=1")
    assert module(older).by_name["dot.5"].stack == by_name["dot.5"].stack


def test_shapes_keep_tiles_spaces_and_nesting():
    by_name = module().by_name
    array, constants, nested = by_name["t.3"].shape.tuple_shapes
    assert (array.dimensions, array.layout.tiles) == ((8, 16), ((8, 128),))
    assert constants.dimensions == (2, 2)
    tokens, dynamic = nested.tuple_shapes
    assert tokens.tuple_shapes[0].element_type == "token"
    assert (dynamic.dimensions, dynamic.layout.element_size_bits, dynamic.layout.memory_space) == ((4,), 4, 1)
    assert by_name["dot.5"].shape.layout.tiles == ((8, 128), (2, 1))


def test_what_is_not_asked_for_is_passed_over_whatever_it_holds():
    read = module()
    assert read.device_count == 8
    assert read.by_name["dot.5"].op_name == "jit(step)/dot"
    assert read.by_name["reduce.4"].op_name == 'jit(step)/re"duce'
    assert [read.instructions[row].name for row in read.by_name["reduce.4"].operands] == ["x", "a-constant.1"]
    assert read.computations[read.entry].name == "main.1"
    assert read.instructions[read.computations[read.entry].root].name == "dot.5"


def test_an_asynchronous_op_written_short_holds_a_computation():
    short = """HloModule m
ENTRY e {
  p = f32[8]{0} parameter(0)
  s = ((f32[8]{0}), f32[4]{0:S(1)}, u32[]) slice-start(p), slice={[0:4]}, metadata={op_name="s"}
  u = ((f32[8]{0}), f32[4]{0:S(1)}, u32[]) slice-update(s)
  ROOT d = f32[4]{0:S(1)} slice-done(u)
}
"""
    read = module(short)
    start = read.by_name["s"]
    assert [read.by_name[name].opcode for name in ("s", "u", "d")] == ["async-start", "async-update", "async-done"]
    root = read.instructions[read.computations[start.called[0]].root]
    assert (root.opcode, root.shape, start.op_name) == ("slice", read.by_name["d"].shape, "s")
    assert [read.instructions[row].shape.dimensions for row in root.operands] == [(8,)]


def test_real_text_has_the_program_that_its_description_counts(shared_data):
    path = next((shared_data / "tpu-v6e-llama3-hlo-text").glob("*.txt"))
    read = build_module(read_hlo_text(path), "")
    lines = path.read_text().splitlines()
    assert len(read.instructions) == sum(" = " in line and line.startswith("  ") for line in lines)
    assert len(read.computations) == sum(line == "}" or line.startswith("},") for line in lines)
    assert (read.name, read.device_count) == ("jit_train_step", 8)
    frames = {frame for each in read.instructions for frame in each.stack}
    assert any(frame.path == "/app/trainer/model/modeling_llama3.py" for frame in frames)


REFUSED = {
    "a shape": ("= f32[8]{0:T(128)} reduce", "= f32[8{0:T(128)} reduce", "in line 31 a shape should stand where"),
    "an element type": ("%c.2 = s32", "%c.2 = s33", "there is no element type 's33'"),
    "an operand": ("reduce(%x,", "reduce(%y,", "in line 31 there is no instruction 'y' in this computation"),
    "a callee": ("to_apply=%add.reducer", "to_apply=%none", "there is no computation 'none'"),
    "a twin": ("%b = f32[] parameter(1)", "%a = f32[] parameter(1)", "in line 21 there are two instructions 'a'"),
    "a bracket": ("to_apply=%add.reducer, ", "to_apply=%add.reducer, x={{, ", "a bracket is not closed"),
    "a string": ("stack_frame_id=2}", 'stack_frame_id=2 x="}', "a quotation mark is not closed"),
    "a comment": ("reduce(%x,", "reduce(/*%x,", "a comment is not closed"),
    "a number": ("dimensions={1}", f"dimensions={{{'9' * 5000}}}", "a number is too large"),
    "a frame": ("stack_frame_id=2", "stack_frame_id=7", "names the stack frame 7"),
    "a size": ("f32[8,16]{1,0:T(8,128)} parameter", "f32[9223372036854775807,16]{1,0} parameter", "impossible size"),
    "a tile": ("T(8,128)(2,1)} dot", "T(8,0)(2,1)} dot", "impossible layout"),
    "tiles": ("T(8,128)(2,1)} dot", f"T({'115292150460684697,128)(' * 3}2,1)}} dot", "impossible layout"),
    "a row": ("2 {file_location_id=2", "4 {file_location_id=2", "row 4 of StackFrames follows row 1"),
    "an end": ('}, execution_thread="main"', "", "an instruction or the end of its computation is missing"),
    "the entry": ("ENTRY %main.1", "%main.1", "none of its computations is the ENTRY: it is cut off"),
    "the rest": (
        "ENTRY %main.1",
        "ENTRY = %main.1",
        "in line 25 the brace that opens a computation should stand where '= %main.1",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_broken_text_is_refused_with_a_sentence_that_names_the_line(what):
    right, wrong, sentence = REFUSED[what]
    assert right in TEXT
    with pytest.raises(FormatError) as error:
        module(TEXT.replace(right, wrong))
    assert sentence in str(error.value)
    assert str(error.value).startswith("step.txt is not a readable HLO")
    assert str(error.value).count("\n") == 0


def test_deep_nesting_is_refused_and_not_followed():
    with pytest.raises(FormatError, match="deeper than 64"):
        module(TEXT.replace("= f32[8]{0:T(128)} reduce", f"= {'(' * 100_000} reduce"))
    deep = TEXT.replace("constant({", f"constant({'{' * 100_000}").replace("3, 4 } })", f"3, 4 }} }}{'}' * 99_999})")
    assert module(deep).by_name["c.2"].opcode == "constant"


@pytest.mark.parametrize(
    ("head", "is_text"),
    [
        (b"HloModule jit_f, is", True),
        (b"\xef\xbb\xbf\n HloModule f\n", True),
        (b"HloModule\n", False),
        (b"module @jit_f {", False),
        (b"\x0a\x05jit_f", False),
    ],
)
def test_text_is_told_by_its_first_words(head, is_text):
    assert is_hlo_text(head) is is_text


@st.composite
def mutated(draw):
    """The text with pieces cut out, doubled, swapped or replaced."""
    text = TEXT
    for _ in range(draw(st.integers(1, 4))):
        first, last = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        last = min(last, first + draw(st.sampled_from((1, 3, 40, 400))))
        other = draw(st.integers(0, len(text)))
        piece = draw(
            st.one_of(
                st.just(""),
                st.sampled_from([*'(){}[]",=%\\\n:*-', "/*", "->", "<=", "T(", "99999999999999999999", "%x", "-1"]),
                st.just(text[other : other + 30]),
                st.text(max_size=5),
            )
        )
        text = text[:first] + piece + text[last:]
    return text


@given(mutated())
def test_no_mutation_raises_anything_but_a_format_error(text):
    try:
        module(text.encode("utf-8", "replace").decode())
    except FormatError as error:
        assert str(error).endswith(".")
