import copy

import jax
import jax.numpy as jnp
import pytest

from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.fingerprint import fingerprint_of, program_fingerprint

jaxlib_hlo = pytest.importorskip("jaxlib._hlo", reason="this jaxlib cannot print programs")


def step(x, w):
    def body(carry, _):
        return jnp.tanh(carry @ w), (carry.sum(), jnp.argmax(carry))

    return jax.lax.scan(body, x, None, length=3)


@pytest.fixture(scope="module")
def message():
    executable = jax.jit(step).lower(jnp.ones((8, 16)), jnp.ones((16, 16))).compile()
    serialized = executable.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto()
    return hlo_pb2.HloModuleProto.FromString(serialized)


def built(message):
    return build_module(hlo_pb2.HloProto(hlo_module=message), "")


def read(message):
    program = jaxlib_hlo.HloModule.from_serialized_hlo_module_proto(message.SerializeToString())
    return build_module(parse_hlo_text(program.to_string(jaxlib_hlo.HloPrintOptions()), where="text"), "")


def test_message_nouns_and_text_have_one_fingerprint(message):
    expected = program_fingerprint(message)
    assert 0 <= expected < 2**64
    assert fingerprint_of(built(message)) == expected
    assert fingerprint_of(read(message)) == expected


@pytest.mark.parametrize(
    "name", ["tpu-v5e-awkward/after_optimizations.hlo.pb.xz", "h100-maxtext-hlo/jit_train_step.hlo.pb.xz"]
)
def test_text_of_a_real_program_has_the_fingerprint_of_its_message(shared_hlo, name):
    message = shared_hlo(name).hlo_module
    assert fingerprint_of(read(message)) == fingerprint_of(built(message)) == program_fingerprint(message)


def test_what_differs_between_processes_takes_no_part(message):
    other = copy.deepcopy(message)
    other.id = 99
    other.ClearField("stack_frame_index")
    other.device_assignment.computation_devices.add(replica_device_ids=[7])
    for computation in other.computations:
        computation.name += ".1"
        for each in computation.instructions:
            each.name += ".2"
            each.ClearField("metadata")
            each.shape.layout.memory_space = 1
    assert program_fingerprint(other) == program_fingerprint(message)


def change_opcode(message):
    message.computations[0].instructions[0].opcode = "copy"


def change_size(message):
    message.computations[0].instructions[0].shape.dimensions.append(3)


def change_type(message):
    message.computations[0].instructions[0].shape.element_type = 1


def change_name(message):
    message.name = "jit_other"


def add_instruction(message):
    added = message.computations[0].instructions.add()
    added.CopyFrom(message.computations[0].instructions[0])
    added.id = 12345


def nest_tuple(message):
    shape = next(
        each.shape
        for computation in message.computations
        for each in computation.instructions
        if each.opcode == "while"
    )
    first = copy.deepcopy(shape.tuple_shapes[0])
    shape.tuple_shapes[0].Clear()
    shape.tuple_shapes[0].element_type = shape.element_type
    shape.tuple_shapes[0].tuple_shapes.append(first)


@pytest.mark.parametrize("change", [change_opcode, change_size, change_type, change_name, add_instruction, nest_tuple])
def test_another_program_has_another_fingerprint(message, change):
    other = copy.deepcopy(message)
    change(other)
    assert program_fingerprint(other) != program_fingerprint(message)
    assert program_fingerprint(other) == fingerprint_of(built(other))


def test_a_type_that_is_not_known_is_told_apart(message):
    known, unknown = copy.deepcopy(message), copy.deepcopy(message)
    known.computations[0].instructions[0].shape.element_type = 7777
    unknown.computations[0].instructions[0].shape.element_type = -5
    assert len({program_fingerprint(each) for each in (message, known, unknown)}) == 3
    assert fingerprint_of(built(unknown)) == program_fingerprint(unknown)
