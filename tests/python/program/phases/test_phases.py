import jax
import jax.numpy as jnp
import pytest

from scopelight.formats.hlo import hlo_pb2
from scopelight.program.hlo.builder import build_module
from scopelight.program.phases.phase import Phase
from scopelight.program.phases.phases import marked_phase, module_phases, names_optimizer, phase_of_name


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("jit(step)/jvp(block)/mlp/dot_general", Phase.FORWARD),
        ("jit(step)/jvp()/sin", Phase.FORWARD),
        ("jit(step)/transpose(jvp(block))/mlp/dot_general", Phase.BACKWARD),
        ("jit(step)/transpose(jvp())/transpose", Phase.BACKWARD),
        ("jit(step)/jit(main)/transpose(jvp(T))/while/body/add_any", Phase.BACKWARD),
        ("jit(step)/transpose(jvp(jvp()))/checkpoint/dot_general", Phase.BACKWARD),
        ("jit(step)/transpose(jvp(jvp()))/checkpoint/rematted_computation/dot_general", Phase.RECOMPUTE),
        ("jit(step)/jvp(layer)/transpose", Phase.FORWARD),
        ("jit(step)/jvp(layer)/transpose[permutation=(1, 0)]", Phase.FORWARD),
        ("jit(transpose)/transpose", None),
        ("jit(f)/transpose[permutation=(1, 0)]", None),
        ("jit(f)/my_transpose(x)/mul", None),
        ("jit(f)/checkpoint/mul", None),
        ("jit(step)/mul;jit(step)/transpose(jvp())/broadcast_in_dim", Phase.BACKWARD),
        ("", None),
    ],
)
def test_marks_of_transformations(name, phase):
    assert marked_phase(name) == phase


@pytest.mark.parametrize(
    ("name", "whole_program", "expected"),
    [
        ("jit(step)/optimizer/mul", False, True),
        ("jit(step)/jit(adam_update)/mul", False, True),
        ("jit(step)/jit(main)/apply_updates/add", False, True),
        ("jit(step)/sgd/add", False, True),
        ("jit(sgd_step)/add", False, False),
        ("jit(apply_gradients)/add", True, True),
        ("jit(step)/adapter/mul", False, False),
        ("jit(step)/kv_update/dynamic_update_slice", False, False),
        ("jit(step)/adam", False, False),
        ("jit(step)/lionfish/mul", False, False),
    ],
)
def test_scopes_called_like_an_optimizer(name, whole_program, expected):
    assert names_optimizer(name, whole_program=whole_program) is expected


def test_a_hostile_name_takes_no_time_to_speak_of():
    # Nested a hundred thousand deep; a scan per level would take hours.
    assert phase_of_name("a(" * 100_000 + ")" * 100_000 + "/[[[[[" + "[" * 100_000 + "/x") is Phase.OTHER


def loss(parameters, x):
    hidden = jnp.tanh(x @ parameters["a"])
    hidden = jnp.transpose(hidden)
    rematted = jax.checkpoint(lambda h: jnp.sin(h @ parameters["b"]))
    return jnp.mean((rematted(hidden) - 1.0) ** 2)


def step(parameters, moments, count, x):
    value, gradients = jax.value_and_grad(loss)(parameters, x)
    moments = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g * g, moments, gradients)
    correction = 1 - 0.9**count
    parameters = jax.tree.map(
        lambda p, m, g: p - 0.1 * g / (jnp.sqrt(m / correction) + 1e-8), parameters, moments, gradients
    )
    return parameters, moments, value


def named_phases(module):
    phases = module_phases(module)
    assert len(phases) == len(module.instructions)
    return [
        (each, Phase(phase))
        for each, phase in zip(module.instructions, phases, strict=True)
        if each.opcode not in ("parameter", "constant")
    ]


def test_a_training_step_has_all_four(compiled):
    parameters = {"a": jnp.ones((32, 32)), "b": jnp.ones((32, 32))}
    module, _ = compiled(step, parameters, parameters, jnp.float32(3), jnp.ones((32, 32)))
    phases = named_phases(module)
    fused = {row for computation in module.computations if computation.is_fusion for row in computation.instructions}
    assert fused
    by_opcode = {}
    for each, phase in phases:
        by_opcode.setdefault(each.opcode, set()).add(phase)
    assert by_opcode["tanh"] == {Phase.FORWARD}
    assert Phase.RECOMPUTE in by_opcode["cosine"]
    assert by_opcode["sqrt"] == {Phase.OPTIMIZER}
    assert by_opcode["dot"] >= {Phase.FORWARD, Phase.BACKWARD, Phase.RECOMPUTE}
    # Decay of moments and bias correction depend on no gradient, yet belong to the optimizer.
    for each, phase in phases:
        if each.op_name in ("jit(step)/mul", "jit(step)/pow", "jit(step)/sub", "jit(step)/div"):
            assert phase is Phase.OPTIMIZER, each.name


def test_a_scanned_step_is_followed_into_and_out_of_the_loop(compiled):
    def scanned(w, xs):
        def body(total, x):
            return total + jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w)))(w), None

        total, _ = jax.lax.scan(body, jnp.zeros_like(w), xs)
        return w - 0.1 * total

    module, _ = compiled(scanned, jnp.ones((24, 24)), jnp.ones((5, 24, 24)))
    subtractions = [
        phase for each, phase in named_phases(module) if each.op_name == "jit(scanned)/sub" and each.opcode != "fusion"
    ]
    assert subtractions
    assert set(subtractions) == {Phase.OPTIMIZER}


def test_a_program_without_gradients_is_other(compiled):
    module, _ = compiled(lambda x: jnp.transpose(jnp.tanh(x)) @ x, jnp.ones((8, 8)))
    assert {phase for _, phase in named_phases(module)} == {Phase.OTHER}


def test_a_program_that_only_applies_gradients_is_known_by_its_name(compiled):
    def adam_update(p, g):
        return p - 0.1 * g / jnp.sqrt(g * g + 1e-8)

    module, _ = compiled(adam_update, jnp.ones(64), jnp.ones(64))
    assert {phase for _, phase in named_phases(module)} == {Phase.OPTIMIZER}


def test_old_jax_marks_scopes_alone_and_lines_tell_the_rest():
    body = [
        ("p", "parameter", [], "", 0),
        ("hidden", "tanh", [0], "jit(step)/jit(main)/tanh", 3),
        ("forward", "dot", [1, 0], "jit(step)/jit(main)/jvp(head)/dot_general", 4),
        ("backward", "dot", [2, 0], "jit(step)/jit(main)/transpose(jvp(head))/dot_general", 4),
        ("gradient", "multiply", [3, 1], "jit(step)/jit(main)/mul", 3),
        ("update", "subtract", [0, 4], "jit(step)/jit(main)/sub", 9),
        ("copied", "copy", [5], "", 0),
    ]
    proto = hlo_pb2.HloProto()
    proto.hlo_module.entry_computation_id = 1
    computation = proto.hlo_module.computations.add(id=1, name="main", root_id=6)
    for number, (name, opcode, operands, op_name, line) in enumerate(body):
        instruction = computation.instructions.add(id=number, name=name, opcode=opcode)
        instruction.operand_ids.extend(operands)
        instruction.metadata.op_name = op_name
        instruction.metadata.source_line = line
        instruction.metadata.source_file = "a.py" if line else ""
    phases = {each.name: phase for each, phase in named_phases(build_module(proto, ""))}
    assert phases == {
        "hidden": Phase.FORWARD,
        "forward": Phase.FORWARD,
        "backward": Phase.BACKWARD,
        "gradient": Phase.BACKWARD,
        "update": Phase.OPTIMIZER,
        "copied": Phase.OPTIMIZER,
    }


PASSES = {
    "forward": "jit(step)/jvp(f)/mul",
    "recomputed": "jit(step)/transpose(jvp(f))/checkpoint/rematted_computation/sin",
    "backward": "jit(step)/transpose(jvp(f))/mul",
    "optimizer": "jit(step)/adam/mul",
    "other": "jit(step)/mul",
}


@pytest.mark.parametrize(
    ("reads", "readers", "expected"),
    [
        ((), ("forward", "backward"), Phase.FORWARD),
        (("forward",), ("forward", "backward"), Phase.FORWARD),
        (("forward",), ("backward",), Phase.BACKWARD),
        (("forward",), ("backward", "optimizer"), Phase.BACKWARD),
        (("backward",), ("optimizer",), Phase.BACKWARD),
        (("backward", "optimizer"), ("optimizer",), Phase.OPTIMIZER),
        # XLA puts collectives of several passes together.
        (("optimizer",), ("backward", "optimizer"), Phase.OPTIMIZER),
        (("forward",), ("optimizer",), Phase.OPTIMIZER),
        (("backward",), (), Phase.BACKWARD),
        (("forward", "backward"), (), Phase.BACKWARD),
        ((), (), Phase.OTHER),
    ],
)
@pytest.mark.parametrize("name", ["", "reduce_window_sum", "/add", "while/body/closed_call/scatter"])
@pytest.mark.parametrize("is_fused", [False, True])
def test_what_has_no_path_of_names_is_of_what_reads_it(reads, readers, expected, name, is_fused):
    proto = hlo_pb2.HloProto()
    proto.hlo_module.entry_computation_id = 1
    if is_fused:
        fused = proto.hlo_module.computations.add(id=2, name="fused", root_id=101, is_fusion_computation=True)
        taken = [fused.instructions.add(id=102 + number, opcode="parameter") for number in range(len(reads))]
        for number, each in enumerate(taken):
            each.name, each.parameter_number = f"p{number}", number
        inside = fused.instructions.add(id=101, name="inside", opcode="reduce-window")
        inside.operand_ids.extend(each.id for each in taken)
        inside.metadata.op_name = name
    main = proto.hlo_module.computations.add(id=1, name="main")

    def add(opcode, op_name, *operands):
        main.instructions.add(id=len(main.instructions), name=f"i{len(main.instructions)}", opcode=opcode)
        main.instructions[-1].operand_ids.extend(operands)
        main.instructions[-1].metadata.op_name = op_name
        return main.instructions[-1].id

    start = add("parameter", "x")
    # A program that trains, whatever is read.
    add("multiply", PASSES["backward"], add("multiply", PASSES["forward"], start))
    made = [add("multiply", PASSES[each], start) for each in reads]
    asked = add("fusion" if is_fused else "reduce-window", name, *made)
    if is_fused:
        main.instructions[-1].called_computation_ids.append(2)
    for each in readers:
        add("multiply", PASSES[each], asked)
    main.root_id = add("tuple", "", *range(asked, len(main.instructions)))
    module = build_module(proto, "")
    phases = dict(zip((each.name for each in module.instructions), module_phases(module), strict=True))
    assert Phase(phases[f"i{asked}"]) == expected
    if is_fused:
        assert Phase(phases["inside"]) == expected
