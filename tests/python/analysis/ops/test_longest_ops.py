"""The longest ops of each capture beside XProf's: occurrences, times, FLOPs and bytes.

Where the two differ by more than a hundredth, the op is named here with what one run of it is by hand.
"""

import pytest

from made.recorded import DATA
from made.truth.oracles import oracle, rows_of, within
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.opening.profile import open_profile

MOST = {"mi355x-te-attention": 16}
"""Where it is more than ten: the first ten are products and attention."""
FILES = {
    "tpu-v6e-host-offload": "tpu_inference_2.xplane.pb",
    "mi300x-conv": "tw003.xplane.pb",
    "mi300x-elementwise": "tw003.xplane.pb",
    "mi355x-te-attention": "934987a2fc2f.xplane.pb",
}
GIB = 2**30

ROWS = 8 * 4096
ARRAY = ROWS * 2048
ELEMENTWISE = {
    # Two conversions to f32, the operation, one conversion back.
    ("jit_multiply", "loop_convert_fusion"): 4 * ARRAY,
    ("jit_add", "loop_convert_fusion"): 4 * ARRAY,
    # The function itself is no FLOP.
    ("jit_sin", "loop_convert_fusion"): 2 * ARRAY,
    ("jit_cos", "loop_convert_fusion"): 2 * ARRAY,
    ("jit_subtract", "loop_convert_fusion"): 3 * ARRAY + ROWS,
    ("jit_true_divide", "loop_convert_fusion"): 3 * ARRAY + ROWS,
    # The zero is converted, too.
    ("jit_relu", "loop_convert_fusion"): 3 * ARRAY + 1,
    # A conversion and a sum; of the centred squares another sum, and what is done to each row and to three scalars.
    ("jit__mean", "input_reduce_fusion"): ARRAY + (ARRAY - ROWS),
    ("jit__reduce_sum", "input_reduce_fusion"): ARRAY + (ARRAY - 8192),
    ("jit__std", "fusion.5"): ARRAY + (ARRAY - ROWS) + 2 * ARRAY + (ARRAY - ROWS) + 6 * ROWS + 3,
}
SPLIT = 2 * 4096 * 6144
ATTENTION = {
    # Sums of the parts that a product was split into, and conversions of them.
    ("jit_loss_fn", "loop_reduce_fusion"): SPLIT // 2,
    ("jit_loss_fn", "loop_reduce_fusion.1"): SPLIT // 2 + SPLIT // 2,
    ("jit_loss_fn", "loop_reduce_fusion.2"): 3 * 2048 * 6144 + 2048 * 6144,
    ("jit_loss_fn", "loop_reduce_fusion.3"): 3 * 2048 * 6144 + 2048 * 6144,
    ("jit_loss_fn", "loop_reduce_fusion.4"): 3 * 4096 * 2048 + 4096 * 2048,
    ("jit_loss_fn", "input_reduce_fusion.1"): SPLIT // 2 - 2 * 16 * 128,
}
BY_HAND = {
    "tpu-v6e-host-offload": {},
    "mi300x-conv": {},
    "mi300x-elementwise": ELEMENTWISE,
    "mi355x-te-attention": ATTENTION,
}
"""FLOPs of one run. XProf counts three and more for each on a GPU, where it takes the instructions of its machine."""

LIBRARY_PRODUCT = ("jit_loss_fn", "custom-call.1")
"""A product by hipBLASLt, of which XProf says nothing: 4096 x 6144 by 6144 x 2048 in bf16."""
LIBRARY_FLOPS = 2 * 4096 * 6144 * 2048
LIBRARY_BYTES = 2 * (4096 * 6144 + 2048 * 6144 + 4096 * 2048)

BLOCK_BYTES = 2 * 4096 * 2 * 1024, 2 * 2 * 1024 * 6144, 4 * 2 * 4096 * 6144
"""Operands and result of ``gemm_fusion_dot``: 16.8, 25.2 and 201.3 MB."""


def read(folder):
    """The ops of a folder's capture, longest first, and the rows of XProf's, also so."""
    file = DATA / folder / FILES[folder]
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    ours = [row for row in ops_record(op_table(open_profile(file), scope="window")).rows if row.program_id]
    theirs = sorted(rows_of(oracle(folder, "hlo_stats")), key=lambda row: -row["total_self_time"])
    return ours, theirs


@pytest.mark.parametrize("folder", FILES)
def test_the_longest_ops_are_those_of_xprof(folder):
    ours, theirs = read(folder)
    by_hand, differing, most = BY_HAND[folder], set(), MOST.get(folder, 10)
    rows = {(row.program_id, row.name): row for row in ours}
    for place, (mine, other) in enumerate(zip(ours[:most], theirs[:most], strict=True)):
        # Where two take the same time, either is first.
        assert within(mine.self_ps / 1e6, other["total_self_time"]), place
        row = rows[other["program_id"], other["hlo_op_name"]]
        name = (row.program, row.name)
        seconds = row.self_ps / 1e12
        assert row.executions == other["occurrences"], name
        # XProf does not look into the fusions that Triton compiles.
        assert row.category == other["category"] or (row.category, other["category"]) == ("dot fusion", "custom fusion")
        assert within(row.self_ps / 1e6, other["total_self_time"]), name
        assert within(row.mean_ps / 1e6, other["avg_self_time"]), name
        flops = other["model_flop_rate"] * 1e9 * seconds
        moved = other["measured_memory_bw"] * GIB * seconds
        if name == LIBRARY_PRODUCT:
            assert (flops, moved) == (0, 0)
            assert row.flops == row.model_flops == row.executions * LIBRARY_FLOPS
            assert row.bytes == row.executions * LIBRARY_BYTES
        elif row.flops is None:
            # What is unknown is not 0: here, attention in a library.
            assert (row.opcode, row.bytes, flops, moved) == ("custom-call", None, 0, 0)
        else:
            assert within(row.bytes, moved), name
            if not within(row.model_flops, flops):
                differing.add(name)
                assert row.flops == row.model_flops == row.executions * by_hand[name], name
                assert flops > 0.99 * 3 * row.flops
                assert within(flops, 3 * row.flops) or row.transcendentals
    assert differing == set(by_hand)


def test_a_product_of_nested_blocks_moves_its_operands_and_its_result():
    ours, _ = read("mi355x-te-attention")
    product = next(row for row in ours if row.name == "gemm_fusion_dot")
    assert product.bytes == product.executions * sum(BLOCK_BYTES)
    assert round(product.bytes / product.executions / 1e6, 1) == 243.3
