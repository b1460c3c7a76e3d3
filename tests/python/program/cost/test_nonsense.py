"""A file may hold any opcode with any operands, shapes and calls: costs are then 0 or unknown, and found in time."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scopelight.model.cost.op_cost import OpCosts
from scopelight.model.executions import Device, Executions, Op
from scopelight.model.recorded_cost import GREATEST, RecordedCost
from scopelight.program.cost.opcode_flops import APPLYING, DIRECT, ELEMENTWISE, TRANSCENDENTAL
from scopelight.program.cost.traffic import CONTAINERS, SEEN_THROUGH, SLICES, UPDATES
from scopelight.program.hlo.nouns import (
    Computation,
    ConvolutionDimensions,
    DotDimensions,
    HloModule,
    Instruction,
    Layout,
    Shape,
    WindowDimension,
)

OPCODES = sorted(
    {
        *APPLYING,
        *DIRECT,
        *list(ELEMENTWISE)[:3],
        *list(TRANSCENDENTAL)[:3],
        *CONTAINERS,
        *SEEN_THROUGH,
        *SLICES,
        *UPDATES,
    }
    | {"fusion", "custom-call", "parameter", "copy-start", "copy-done", "async-start", "async-update", "async-done"}
    | {"send", "recv", "send-done", "recv-done", "no-such-opcode", ""}
)
SIZES = st.lists(st.sampled_from((0, 1, 3, 128, 2**31)), max_size=4).map(tuple)
DIMENSION = st.integers(0, 5)
DIMENSIONS = st.lists(DIMENSION, max_size=3).map(tuple)
ARRAYS = st.builds(
    Shape,
    element_type=st.sampled_from(("f32", "bf16", "s4", "pred", "token", "tuple", "unheard-of")),
    dimensions=SIZES,
    layout=st.none() | st.builds(Layout, memory_space=st.integers(-1, 9), element_size_bits=st.sampled_from((0, 4))),
)
SHAPES = ARRAYS | st.builds(Shape, st.just("tuple"), tuple_shapes=st.lists(ARRAYS, max_size=3).map(tuple))
SMALL = st.integers(1, 4)
WINDOWS = st.builds(WindowDimension, SMALL | st.just(2**40), SMALL, DIMENSION, DIMENSION, SMALL, SMALL)


@st.composite
def modules(draw):
    computations, instructions = [], []
    count = draw(st.integers(1, 4))
    for row in range(count):
        first, length = len(instructions), draw(st.integers(1, 5))
        for place in range(first, first + length):
            instructions.append(
                Instruction(
                    *(place, f"op.{place}", draw(st.sampled_from(OPCODES)), draw(SHAPES), row),
                    operands=tuple(draw(st.lists(st.integers(first, first + length - 1), max_size=4))),
                    called=tuple(draw(st.lists(st.integers(0, count - 1), max_size=2))),
                    dot=draw(st.none() | st.builds(DotDimensions, *(DIMENSIONS,) * 5)),
                    convolution=draw(
                        st.none()
                        | st.builds(
                            ConvolutionDimensions,
                            *(DIMENSION, DIMENSION, DIMENSIONS, DIMENSION, DIMENSION, DIMENSIONS),
                            *(DIMENSION, DIMENSION, DIMENSIONS),
                        )
                    ),
                    window=tuple(draw(st.lists(WINDOWS, max_size=2))),
                    batch_group_count=draw(SMALL),
                    fft_length=draw(SIZES),
                    parameter_number=draw(st.none() | st.integers(0, 9)),
                )
            )
        rows = tuple(range(first, first + length))
        computations.append(Computation(row, f"c{row}", rows, draw(st.sampled_from(rows))))
    return HloModule("m", "1", tuple(instructions), tuple(computations), count - 1)


RECORDED = st.none() | st.builds(
    RecordedCost, *(st.none() | st.integers(0, GREATEST),) * 2, st.none() | st.just({"main": 3, "other": 5})
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(modules(), st.sampled_from(("tpu", "gpu", "cpu")), RECORDED, st.data())
def test_costs_of_nonsense_are_bounded_numbers_or_unknown(module, kind, recorded, data):
    ran = data.draw(st.lists(st.sampled_from(module.instructions), unique=True))
    ops = tuple(Op(each.name, each.opcode, 0, module, each, recorded=recorded) for each in ran)
    costs = OpCosts(Executions(*(np.zeros(0, np.int32),) * 7, ops=ops, devices=(Device("d", kind),)), (128, 128))
    for row in range(len(ops)):
        cost = costs.of(row)
        for number in (cost.flops, cost.model_flops, cost.padded_flops, cost.transcendentals, cost.bytes):
            assert number is None or 0 <= number <= 2 * GREATEST
        assert (cost.flops is None) == (cost.model_flops is None)
        assert recorded is not None or cost.flops is None or cost.flops >= cost.model_flops
        assert cost.padded_flops is None or cost.padded_flops >= cost.flops
