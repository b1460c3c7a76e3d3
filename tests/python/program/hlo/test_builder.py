import inspect

import jax.numpy as jnp
import pytest

from scopelight.formats.errors import FormatError
from scopelight.formats.hlo import hlo_pb2
from scopelight.model.fusion_rates import backend_rates
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.cost.fusions import FusionCosts
from scopelight.program.cost.traffic import Traffic
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.stacks import MAXIMUM_STACK_DEPTH, stack_from_stats
from scopelight.program.phases.phases import module_phases


def small_proto():
    """Two computations; the entry calls the other: p → add(p, p) → fusion(add)."""
    proto = hlo_pb2.HloProto()
    module = proto.hlo_module
    module.name = "small"
    module.entry_computation_id = 2
    for identifier, name in ((1, "inner"), (2, "main")):
        computation = module.computations.add(id=identifier, name=name)
        for number, (opcode, operands) in enumerate((("parameter", []), ("add", [0, 0])), 10 * identifier):
            instruction = computation.instructions.add(id=number, name=f"{opcode}.{number}", opcode=opcode)
            instruction.operand_ids.extend(10 * identifier + operand for operand in operands)
            instruction.shape.element_type = 11
            instruction.shape.dimensions.append(8)
        computation.root_id = 10 * identifier + 1
    fusion = module.computations[1].instructions.add(id=22, name="fusion", opcode="fusion", fusion_kind="kLoop")
    fusion.operand_ids.append(21)
    fusion.called_computation_ids.append(1)
    fusion.shape.CopyFrom(module.computations[0].instructions[0].shape)
    module.computations[1].root_id = 22
    index = module.stack_frame_index
    index.file_names.extend(["a.py", "b.py"])
    index.function_names.extend(["inner", "outer"])
    index.file_locations.add(file_name_id=1, function_name_id=1, line=7)
    index.file_locations.add(file_name_id=2, function_name_id=2, line=9)
    index.stack_frames.add(file_location_id=2)
    index.stack_frames.add(file_location_id=1, parent_frame_id=1)
    fusion.metadata.stack_frame_id = 2
    return proto


def test_rows_follow_ids():
    module = build_module(small_proto(), "77")
    assert (module.name, module.program_id) == ("small", "77")
    entry = module.computations[module.entry]
    assert entry.name == "main"
    fusion = module.instructions[entry.root]
    assert fusion.name == "fusion"
    assert [module.instructions[row].name for row in fusion.operands] == ["add.21"]
    called = module.computations[fusion.called[0]]
    assert called.name == "inner"
    assert called.is_fusion
    assert not entry.is_fusion
    assert module.instructions[called.root].name == "add.11"
    assert module.by_name["add.21"].operands == (module.by_name["add.21"].operands[0],) * 2


def test_frames_are_innermost_first_and_ids_are_one_based():
    module = build_module(small_proto(), "")
    assert module.by_name["fusion"].stack == (Frame("a.py", 7, "inner"), Frame("b.py", 9, "outer"))
    assert module.by_name["add.21"].stack == ()


def test_source_file_is_a_stack_of_one_and_frames_are_preferred():
    proto = small_proto()
    for instruction in proto.hlo_module.computations[1].instructions:
        instruction.metadata.source_file = "c.py"
        instruction.metadata.source_line = 3
    module = build_module(proto, "")
    assert module.by_name["add.21"].stack == (Frame("c.py", 3),)
    assert module.by_name["fusion"].stack[0] == Frame("a.py", 7, "inner")


def test_operands_may_be_named_by_the_low_half_of_their_id():
    proto = small_proto()
    for instruction in proto.hlo_module.computations[1].instructions:
        instruction.id += 2 << 32
    module = build_module(proto, "")
    assert module.by_name["fusion"].operands == (module.instructions.index(module.by_name["add.21"]),)


def set_operand(module):
    module.computations[1].instructions[1].operand_ids[0] = 99


def set_called(module):
    module.computations[1].instructions[2].called_computation_ids[0] = 99


def set_root(module):
    module.computations[0].root_id = 99


def set_entry(module):
    module.entry_computation_id = 99


def set_same_computation(module):
    module.computations[1].id = 1


def set_same_instruction(module):
    module.computations[1].instructions[1].id = 20


def set_empty_computation(module):
    module.computations.add(id=3, name="empty")


def set_no_computations(module):
    del module.computations[:]


def set_frame(module):
    module.computations[1].instructions[2].metadata.stack_frame_id = 3


def set_negative_frame(module):
    module.computations[1].instructions[2].metadata.stack_frame_id = -1


def set_location(module):
    module.stack_frame_index.stack_frames[0].file_location_id = 3


def set_file(module):
    module.stack_frame_index.file_locations[0].file_name_id = 3


def set_function(module):
    module.stack_frame_index.file_locations[0].function_name_id = -2


def set_parent(module):
    module.stack_frame_index.stack_frames[0].parent_frame_id = 3


def set_circle(module):
    module.stack_frame_index.stack_frames[0].parent_frame_id = 2


def set_own_parent(module):
    module.stack_frame_index.stack_frames[0].parent_frame_id = 1


def set_negative_dimension(module):
    module.computations[1].instructions[2].shape.dimensions[0] = -5


def set_vast_shape(module):
    module.computations[1].instructions[2].shape.dimensions.extend([2**40, 2**40])


def set_rank(module):
    module.computations[1].instructions[2].shape.dimensions.extend([1] * 100)


def set_window(module):
    module.computations[1].instructions[2].window.dimensions.add(size=-1)


def set_dot(module):
    module.computations[1].instructions[2].dot_dimension_numbers.lhs_contracting_dimensions.append(-1)


@pytest.mark.parametrize(
    "damage",
    [
        set_operand,
        set_called,
        set_root,
        set_entry,
        set_same_computation,
        set_same_instruction,
        set_empty_computation,
        set_no_computations,
        set_frame,
        set_negative_frame,
        set_location,
        set_file,
        set_function,
        set_parent,
        set_circle,
        set_own_parent,
        set_negative_dimension,
        set_vast_shape,
        set_rank,
        set_window,
        set_dot,
    ],
)
def test_damage_is_refused_in_one_sentence(damage):
    proto = small_proto()
    build_module(proto, "")
    damage(proto.hlo_module)
    with pytest.raises(FormatError) as caught:
        build_module(proto, "")
    assert "small" in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    with pytest.raises(FormatError, match=r"^small at byte 7 of a\.xplane\.pb is not a readable HLO module: "):
        build_module(proto, "", "small at byte 7 of a.xplane.pb")


def test_calls_in_a_circle_end_everywhere():
    proto = small_proto()
    inner = proto.hlo_module.computations[0].instructions.add(id=12, name="back", opcode="fusion")
    inner.called_computation_ids.extend([2, 1])
    inner.operand_ids.append(11)
    inner.shape.CopyFrom(proto.hlo_module.computations[0].instructions[0].shape)
    proto.hlo_module.computations[0].root_id = 12
    module = build_module(proto, "")
    phases = module_phases(module)
    assert len(phases) == len(module.instructions)
    fusion = module.by_name["fusion"]
    # The add outside is counted as the circle's way back, the add inside as the body.
    assert ModuleFlops(module).of(fusion).flops in (8, 16)
    assert FusionCosts(module, backend_rates("cpu")).parts(fusion)
    assert Traffic(module).accesses(fusion)
    assert category_of(module, fusion) == "loop fusion"


def test_a_chain_of_many_nested_fusions_does_not_recurse_without_end():
    proto = small_proto()
    module = proto.hlo_module
    for identifier in range(3, 3000):
        computation = module.computations.add(id=identifier, name=f"level{identifier}")
        instruction = computation.instructions.add(id=1, name=f"nested{identifier}", opcode="fusion")
        instruction.called_computation_ids.extend([identifier - 1, identifier - 1])
        instruction.shape.CopyFrom(module.computations[0].instructions[0].shape)
        computation.root_id = 1
    module.entry_computation_id = 2999
    built = build_module(proto, "")
    top = built.by_name["nested2999"]
    assert ModuleFlops(built).of(top).flops is not None
    assert len(FusionCosts(built, backend_rates("cpu")).parts(top)) <= len(built.instructions)
    assert len(module_phases(built)) == len(built.instructions)


def test_a_very_deep_stack_keeps_its_innermost_frames():
    proto = small_proto()
    index = proto.hlo_module.stack_frame_index
    for parent in range(2, 5000):
        index.stack_frames.add(file_location_id=1 + parent % 2, parent_frame_id=parent)
    proto.hlo_module.computations[1].instructions[2].metadata.stack_frame_id = 5000
    stack = build_module(proto, "").by_name["fusion"].stack
    assert len(stack) == MAXIMUM_STACK_DEPTH
    assert stack[0] == Frame("b.py", 9, "outer")


def stated(line, frame_id=2, path="/elsewhere/a.py"):
    """The stack of an instruction that states a place beside the id of its frame, in a table of three frames."""
    proto = small_proto()
    index = proto.hlo_module.stack_frame_index
    index.file_locations.add(file_name_id=1, function_name_id=2, line=30)
    index.stack_frames.add(file_location_id=3, parent_frame_id=1)
    metadata = proto.hlo_module.computations[1].instructions[2].metadata
    metadata.stack_frame_id, metadata.source_file, metadata.source_line = frame_id, path, line
    return proto, lambda: build_module(proto, "").by_name["fusion"].stack


INNER, OUTER, OTHER = Frame("a.py", 7, "inner"), Frame("b.py", 9, "outer"), Frame("a.py", 30, "outer")


def test_a_stated_place_of_the_stack_leaves_it_whole():
    assert stated(7)[1]() == (INNER, OUTER)
    # What lies inside of what the program states may be a library's.
    assert stated(9, path="b.py")[1]() == (INNER, OUTER)


def test_where_an_instruction_states_a_place_that_is_none_of_its_frames_the_place_counts():
    # As partitioned programs of jax 0.7 have it, which number frames otherwise than their table does.
    assert stated(30)[1]() == (OTHER, OUTER)
    assert stated(7, frame_id=3)[1]() == (INNER, OUTER)
    # What the table does not know says nothing about it.
    assert stated(31)[1]() == (INNER, OUTER)


def test_a_stated_place_that_several_stacks_share_stands_alone():
    proto, stack = stated(30)
    proto.hlo_module.stack_frame_index.stack_frames.add(file_location_id=3, parent_frame_id=2)
    assert stack() == (Frame("/elsewhere/a.py", 30),)


STACK = ("/w/model.py:12:4", "/w/train.py:30:8", "/w/train.py:99:0")


@pytest.mark.parametrize("lines", [STACK, STACK[::-1]])
def test_stack_stat_is_read_in_either_order(lines):
    stack = stack_from_stats("/w/model.py:12", "\n".join(lines) + "\n")
    assert stack == (Frame("/w/model.py", 12), Frame("/w/train.py", 30), Frame("/w/train.py", 99))


def test_source_stat_alone_and_neither():
    assert stack_from_stats("C:\\w\\model.py:12", "") == (Frame("C:\\w\\model.py", 12),)
    assert stack_from_stats("", "") == ()
    assert stack_from_stats("nonsense", "<unknown>\n") == ()
    assert stack_from_stats("", "a.py:1:2\nb.py:2:3") == (Frame("a.py", 1), Frame("b.py", 2))


def test_source_that_the_stack_lacks_goes_in_front():
    assert stack_from_stats("a.py:1", "b.py:2:0\nc.py:3:0")[0] == Frame("a.py", 1)


def test_a_compiled_program_names_this_file(compiled):
    def helper(x):
        return jnp.tanh(x) * 2.0

    def step(x):
        return helper(x) @ x

    module, _ = compiled(step, jnp.ones((16, 16)))
    first = inspect.getsourcelines(helper)[1]
    tanh = next(each for each in module.instructions if each.opcode == "tanh")
    assert tanh.stack[0] == Frame(__file__, first + 1, tanh.stack[0].function)
    assert tanh.stack[0].function.endswith("helper")
    assert tanh.stack[1].line == inspect.getsourcelines(step)[1] + 1
    dot = next(each for each in module.instructions if each.opcode == "dot")
    assert dot.dot is not None
    assert dot.dot.lhs_contracting == (1,)
    assert dot.shape.element_type == "f32"
    assert dot.shape.dimensions == (16, 16)


@pytest.mark.parametrize(
    ("name", "instructions", "computations", "frames", "fusions"),
    [
        ("h100-maxtext-hlo/jit_train_step.hlo.pb.xz", 7757, 564, 337, 519),
        ("tpu-v5e-awkward/after_optimizations.hlo.pb.xz", 2435, 393, 31, 177),
    ],
)
def test_real_modules_build(shared_hlo, name, instructions, computations, frames, fusions):
    proto = shared_hlo(name)
    module = build_module(proto, "")
    assert len(module.instructions) == instructions
    assert len(module.computations) == computations
    assert len(proto.hlo_module.stack_frame_index.stack_frames) == frames
    assert sum(each.is_fusion for each in module.computations) == fusions
    assert module.computations[module.entry].name == proto.hlo_module.entry_computation_name
    # What the raw message says, said again by the nouns.
    by_id = {each.id: each for each in module.instructions}
    for computation in proto.hlo_module.computations:
        for raw in computation.instructions:
            built = by_id[raw.id]
            assert built.name == raw.name
            assert [module.instructions[row].id for row in built.operands] == list(raw.operand_ids)
            assert bool(built.stack) == bool(raw.metadata.stack_frame_id or raw.metadata.source_file)
