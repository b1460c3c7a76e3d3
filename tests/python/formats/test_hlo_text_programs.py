"""HLO text says what the serialized program says."""

import functools

import jax
import jax.numpy as jnp
import pytest

from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.program.hlo.builder import build_module

jaxlib_hlo = pytest.importorskip("jaxlib._hlo", reason="this jaxlib cannot print programs")


def from_text(text):
    return build_module(parse_hlo_text(text, where="text"), "1")


def from_serialized(data):
    return build_module(hlo_pb2.HloProto(hlo_module=hlo_pb2.HloModuleProto.FromString(data)), "1")


def conv(strides, padding, **options):
    return functools.partial(jax.lax.conv_general_dilated, window_strides=strides, padding=padding, **options)


def scan(x, w):
    return jax.lax.scan(lambda carry, _: (jnp.tanh(carry @ w), carry.sum()), x, None, length=3)


def branches(x):
    return jax.lax.switch(x[0].astype(int), [jnp.sin, jnp.cos, lambda y: y * 2], x)


def loss(p, x):
    return jnp.mean(jax.nn.softmax(jax.nn.gelu(x @ p["a"]) @ p["b"]) ** 2)


def callback(x):
    return jax.pure_callback(lambda y: y, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def called_names(module, instruction):
    return tuple(module.computations[row].name for row in instruction.called)


def described(module, instruction):
    """Everything that a module says of an instruction, by names instead of rows."""
    return {
        "opcode": instruction.opcode,
        "shape": instruction.shape,
        "operands": tuple(module.instructions[row].name for row in instruction.operands),
        "called": called_names(module, instruction),
        "op_name": instruction.op_name,
        "stack": instruction.stack,
        "fusion_kind": instruction.fusion_kind,
        "custom_call_target": instruction.custom_call_target,
        "dimensions": instruction.dimensions,
        "dot": instruction.dot,
        "convolution": instruction.convolution,
        "window": instruction.window,
        "groups": (instruction.feature_group_count, instruction.batch_group_count),
        "parameter_number": instruction.parameter_number,
        "tuple_index": instruction.tuple_index,
        "fft_length": instruction.fft_length,
    }


def assert_agree(read, expected, *, apart=frozenset()):
    """``read`` has the computations of ``expected``, and each the same instructions in the same order.

    ``apart`` are computations of ``expected`` that ``read`` names otherwise; where an instruction calls one, the root
    of what is called is compared instead of its name.
    """
    assert read.name == expected.name
    assert read.computations[read.entry].name == expected.computations[expected.entry].name
    found = {each.name: each for each in read.computations}
    for computation in expected.computations:
        if computation.name in apart:
            continue
        other = found[computation.name]
        assert other.is_fusion == computation.is_fusion, computation.name
        assert read.instructions[other.root].name == expected.instructions[computation.root].name
        mine = {read.instructions[row].name: read.instructions[row] for row in other.instructions}
        assert mine.keys() == {expected.instructions[row].name for row in computation.instructions}
        for row in computation.instructions:
            wanted = described(expected, expected.instructions[row])
            given = described(read, mine[expected.instructions[row].name])
            if apart.intersection(wanted["called"]):
                assert len(given["called"]) == len(wanted["called"])
                wanted["called"] = _roots(expected, expected.instructions[row])
                given["called"] = _roots(read, mine[expected.instructions[row].name])
            assert given == wanted, expected.instructions[row].name


def _roots(module, instruction):
    roots = [module.instructions[module.computations[row].root] for row in instruction.called]
    return [{**described(module, root), "operands": len(root.operands)} for root in roots]


X, Y = jnp.ones((8, 16)), jnp.ones((16, 16))
IMAGE, KERNEL = jnp.ones((2, 9, 9, 4)), jnp.ones((3, 3, 4, 8))
LABELS = {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}

PROGRAMS = {
    "product": (lambda x, y: x @ y, X, Y),
    "batched": (lambda x: jnp.einsum("bij,bkj->bik", x, x), jnp.ones((3, 4, 5))),
    "outer": (lambda x, y: jnp.einsum("i,j->ij", x, y), jnp.ones(3), jnp.ones(4)),
    "bf16": (lambda x: x @ x.T, X.astype(jnp.bfloat16)),
    "convolution": (conv((2, 1), "SAME", **LABELS), IMAGE, KERNEL),
    "dilated": (conv((1, 1), ((1, 2), (0, 0)), lhs_dilation=(2, 1), rhs_dilation=(1, 2), **LABELS), IMAGE, KERNEL),
    "grouped": (conv((1, 1), "VALID", feature_group_count=2, **LABELS), IMAGE, jnp.ones((3, 3, 2, 8))),
    "gradient of a convolution": (jax.grad(lambda i, k: conv((2, 2), "SAME", **LABELS)(i, k).sum(), 1), IMAGE, KERNEL),
    "scan": (scan, X, Y),
    "branches": (branches, jnp.ones(4)),
    "gradient": (jax.value_and_grad(loss), {"a": Y, "b": Y}, X),
    "sort and gather": (lambda x: (jnp.sort(x), x[jnp.argsort(x[:, 0])]), X),
    "scatter": (lambda x: x.at[jnp.array([1, 2])].add(1.0), X),
    "pool": (lambda x: jax.lax.reduce_window(x, 0.0, jax.lax.add, (2, 2), (2, 2), "SAME"), X),
    "pool's gradient": (
        jax.grad(lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2, 2), (2, 2), "SAME").sum()),
        X,
    ),
    "fft": (jnp.fft.rfft, X),
    "random": (lambda: jax.random.normal(jax.random.key(0), (4,)),),
    "slices": (lambda x, i: jax.lax.dynamic_update_slice(x, x[2:4, ::2] * 2, (i, i)), X, 1),
    "callback": (callback, X),
    "linear algebra": (lambda x: jnp.linalg.cholesky(x @ x.T + jnp.eye(8)), X),
    "pad and concatenate": (lambda x: jnp.concatenate([jnp.pad(x, 1, constant_values=2.0), jnp.ones((10, 3))], 1), X),
    "constants": (lambda x: x + jnp.arange(16.0) ** 3 + jnp.array([[1.5] * 16] * 8), X),
    "narrow": (lambda x: (x > 0, x.astype(jnp.int4), x.astype(jnp.float8_e4m3fn), x.astype(jnp.complex64)), X),
    "escapes": (jax.named_call(jnp.sin, name='of "ünïcode" \\ and {braces}'), X),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_of_a_compiled_program_is_the_serialized_one(name):
    function, *arguments = PROGRAMS[name]
    executable = jax.jit(function).lower(*arguments).compile()
    data = executable.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto()
    read, expected = from_text(executable.as_text()), from_serialized(data)
    assert read.device_count == expected.device_count
    assert_agree(read, expected)


OPTIONS = {
    "as it is": {},
    "no percent signs": {"print_percent": False},
    "operands with shapes": {"print_operand_shape": True},
    "both": {"print_percent": False, "print_operand_shape": True},
    "large constants": {"print_large_constants": True},
    "indented": {"indent_amount": 2},
}


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", ["gradient", "scan", "constants"])
def test_every_way_of_printing_reads_alike(name, options):
    function, *arguments = PROGRAMS[name]
    module = jax.jit(function).lower(*arguments).compile().runtime_executable().hlo_modules()[0]
    printing = jaxlib_hlo.HloPrintOptions()
    for option, value in OPTIONS[options].items():
        setattr(printing, option, value)
    read = from_text(module.to_string(printing))
    assert_agree(read, from_serialized(module.as_serialized_hlo_module_proto()))


@pytest.mark.parametrize(
    "name", ["tpu-v5e-awkward/after_optimizations.hlo.pb.xz", "h100-maxtext-hlo/jit_train_step.hlo.pb.xz"]
)
def test_text_of_a_real_program_is_the_serialized_one(shared_hlo, name):
    data = shared_hlo(name).hlo_module.SerializeToString()
    text = jaxlib_hlo.HloModule.from_serialized_hlo_module_proto(data).to_string(jaxlib_hlo.HloPrintOptions())
    expected = from_serialized(data)
    # Asynchronous ops are written short: their computations have no names in the text.
    short = {
        called
        for each in expected.instructions
        if each.opcode.startswith("async")
        for called in called_names(expected, each)
    }
    assert_agree(from_text(text), expected, apart=short)
