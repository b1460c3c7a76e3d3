"""Padding of programs: on the lines that cause it, as the layouts say or as predicted."""

import lzma
import math

import attrs
import jax.numpy as jnp
import pytest

import scopelight.analysis.padding.padding as padding_module
from made.findings import codes, said
from made.views import flops, op_statistics
from scopelight.analysis.padding.padding import MOST_ROWS, padding
from scopelight.analysis.padding.records import MatrixUnitRecord, PaddingTotals
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.devices.table import device_model
from scopelight.model.executions import Op
from scopelight.model.opening.profile import open_profile
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import Computation, DotDimensions, HloModule, Instruction, Layout, Shape
from scopelight.program.hlo.tiling import DimensionPadding
from scopelight.report.findings.worded import of_severity

V5E, V6E, H100 = map(device_model, ("TPU v5e", "TPU v6e", "H100"))
MIB = 2**20


@pytest.fixture(scope="module")
def shared(project):
    folder = project.parent / "shared" / "data"
    if not folder.exists():
        pytest.skip(f"{folder} is absent")
    return folder


@pytest.fixture(scope="module")
def awkward(shared, tmp_path_factory):
    path = tmp_path_factory.mktemp("awkward") / "train_step.hlo.pb"
    packed = shared / "tpu-v5e-awkward" / "after_optimizations.hlo.pb.xz"
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    return open_profile(path)


@pytest.fixture(scope="module")
def lines(shared):
    """Line numbers of awkward.py by a piece of their text."""
    source = (shared / "tpu-v5e-awkward" / "awkward.py").read_text().splitlines()

    def number(text):
        (found,) = [line for line, each in enumerate(source, 1) if text in each]
        return found

    return number


def test_text_of_a_tpu_program_shows_its_128_fold_array(shared):
    path = next((shared / "tpu-v6e-llama3-hlo-text").glob("*.txt"))
    record = padding(open_profile(path))
    rows = [row for row in record.rows if row.shape == "f32[4,32,8192,1]"]
    assert rows
    for row in rows:
        assert row.used_ratio == 1 / 128
        assert row.extra_bytes == 508 * MIB
        assert row.dims == (
            DimensionPadding(4, 4, 1, "batch"),
            DimensionPadding(32, 32, 1, "spatial"),
            DimensionPadding(8192, 8192, 8, "spatial"),
            DimensionPadding(1, 128, 128, "feature"),
        )
        assert (row.basis, row.predicted, row.op) == ("layout", False, "select_reduce_fusion.2")
        assert row.path.endswith("splash_attention_kernel.py")
    # The compiler never writes the array: it is the value of two instructions inside of one fusion.
    assert {row.inner for row in rows} == {"slice.258", "select_n.179"}
    assert (record.target, codes(record, "empty")) == (None, [])


@pytest.mark.parametrize(
    ("waste", "text", "basis", "size", "padded", "role"),
    [
        ("vocabulary", "logits = x @ params", "matrix-unit", 50257, 50304, "feature"),
        ("vocabulary", "logits = x @ params", "matrix-unit", 50257, 50304, "contracting"),
        ("vocabulary", "logits = x @ params", "layout", 50257, 50304, "feature"),
        ("vocabulary", 'x = params["embed"][tokens]', "layout", 960, 1024, "feature"),
        ("head", 'q, k, v = (jnp.einsum("btm,mhd->bthd"', "matrix-unit", 80, 128, "contracting"),
        ("head", 'jnp.einsum("bthd,bshd->bhts"', "matrix-unit", 80, 128, "contracting"),
        ("head", 'jnp.einsum("bhts,bshd,hdm->btm"', "matrix-unit", 80, 128, "contracting"),
        ("hidden", "jax.nn.gelu(x @ p", "matrix-unit", 2500, 2560, "feature"),
        ("feature", 'features @ params["project"]', "matrix-unit", 3, 128, "contracting"),
        ("feature", 'features @ params["project"]', "layout", 3, 4, "batch"),
        ("model", "jax.nn.gelu(x @ p", "matrix-unit", 960, 1024, "contracting"),
    ],
)
def test_sizes_that_fit_no_tile_are_found_on_their_lines(awkward, lines, waste, text, basis, size, padded, role):
    record = padding(awkward)
    rows = [row for row in record.rows if row.line == lines(text) and row.basis == basis]
    found = {(each.size, each.padded, each.role) for row in rows for each in row.dims}
    assert (size, padded, role) in found, waste
    assert all(row.path.endswith("awkward.py") for row in rows)


def test_sums_of_rows_are_those_of_their_dimensions(awkward):
    record = padding(awkward)
    assert {row.basis for row in record.rows} == {"layout", "matrix-unit"}
    for row in record.rows:
        used = math.prod(each.size for each in row.dims) / math.prod(each.padded for each in row.dims)
        assert row.used_ratio == pytest.approx(used)
        assert 0 < row.used_ratio < 1
        assert (row.extra_bytes is None) == (row.basis == "matrix-unit")
        assert (row.predicted, row.self_ps, row.share_ratio) == (False, None, None)
        assert all(each.padded % each.tile == 0 for each in row.dims)


def test_the_greatest_waste_comes_first(awkward):
    products = [row for row in padding(awkward).rows if row.basis == "matrix-unit"]
    wasted = [
        math.prod(each.padded for each in row.dims) - math.prod(each.size for each in row.dims) for row in products
    ]
    assert wasted == sorted(wasted, reverse=True)
    written = [row for row in padding(awkward).rows if row.basis == "layout" and row.inner is None]
    assert [row.extra_bytes for row in written] == sorted((row.extra_bytes for row in written), reverse=True)


def test_layouts_are_not_predicted_but_the_unit_is_the_targets(awkward):
    assumed, small, large = padding(awkward), padding(awkward, target=V5E), padding(awkward, target=V6E)
    assert small.rows == assumed.rows
    assert "128 x 128" in said(assumed, "warning")
    assert not codes(small, "warning")
    assert [row for row in large.rows if row.basis == "layout"]
    assert {row.predicted for row in large.rows} == {False}
    tiles = {each.tile for row in large.rows if row.basis == "matrix-unit" for each in row.dims}
    assert 256 in tiles
    assert padding(awkward).target is None
    assert padding(awkward, target=V6E).target == V6E.name


@pytest.mark.parametrize("target", [None, V5E, V6E])
def test_every_view_takes_the_same_matrix_unit(awkward, target):
    """The file does not name the device that it was compiled for."""
    record, whole = padding(awkward, target=target), flops(awkward, target=target)
    rows = {(row.op, row.inner): row for row in record.rows if row.basis == "matrix-unit"}
    sides = (V6E if target is V6E else V5E).matrix_unit
    assert (record.matrix_unit.rows, record.matrix_unit.columns) == sides
    assert record.matrix_unit.basis == ("predicted" if target else "estimated")
    assert record.matrix_unit.device == (target.name if target else None)
    assert whole.matrix_unit == op_statistics(awkward, target=target).matrix_unit == record.matrix_unit
    assert ["matrix-unit-assumed" in codes(each) for each in (whole, record)] == [target is None] * 2
    padded = {row.name: row for row in op_statistics(awkward, target=target).rows if row.padded_flops}
    for (op, inner), row in rows.items():
        if inner is None and padded[op].flops:
            assert padded[op].flops / padded[op].padded_flops == pytest.approx(row.used_ratio, rel=1e-6)
    assert whole.rows[0].padded_flops == sum(row.padded_flops for row in padded.values())
    assert 0.05 < whole.rows[0].padding_waste_ratio < 0.9


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_padded_flops_of_a_device_without_tiles_are_predicted_for_the_target(product, profile_of, kind):
    profile = profile_of([(product, 1000)], kind=kind)
    for view in (flops, op_statistics):
        assert view(profile).matrix_unit is None
        assert view(profile).rows[0].padded_flops is None
        assert view(profile, target=H100).matrix_unit is None
        predicted = view(profile, target=V5E)
        assert predicted.matrix_unit == MatrixUnitRecord(128, 128, "TPU v5e", "predicted")
        (row,) = [row for row in padding(profile, target=V5E).rows if row.basis == "matrix-unit"]
        assert predicted.rows[0].padded_flops == pytest.approx(predicted.rows[0].flops / row.used_ratio)
        # What is predicted for another device changes nothing that is known of this one.
        assert predicted.rows[0].flops == view(profile).rows[0].flops
        assert predicted.peaks == view(profile).peaks


def test_a_user_root_names_the_paths(awkward):
    record = padding(awkward, LineOptions(roots=("/home/ml/xx",)))
    assert {row.path for row in record.rows if row.line} == {"awkward.py"}


def step(x, w):
    return jnp.maximum(x @ w, 0.0)


@pytest.fixture
def ran_on_cpu(compiled_module, profile_of):
    module = compiled_module(step, jnp.ones((200, 300)), jnp.ones((300, 70)))
    entry = module.computations[module.entry]
    ops = [Op(each.name, "", 0, module, each) for each in map(module.instructions.__getitem__, entry.instructions)]
    return profile_of([(op, 1000) for op in ops if op.instruction.opcode not in ("parameter", "constant")])


def test_a_program_without_tiles_is_padded_for_a_target_alone(ran_on_cpu):
    record = padding(ran_on_cpu)
    assert record.rows == ()
    assert "CPU" in said(record, "empty")
    assert "scopelight.target" in said(record, "empty")
    assert "--target" in said(record, "empty")

    predicted = padding(ran_on_cpu, target=V5E)
    assert (predicted.target, codes(predicted, "empty")) == ("TPU v5e", [])
    assert all(row.predicted for row in predicted.rows)
    (product,) = [row for row in predicted.rows if row.basis == "matrix-unit"]
    assert [(each.size, each.padded, each.role) for each in product.dims] == [
        (200, 256, "batch"),
        (300, 384, "contracting"),
        (70, 72, "feature"),
    ]
    assert product.shape == "[200,300]x[300,70]"
    assert product.path == __file__
    assert product.share_ratio == 1000 / ran_on_cpu.executions.self_ps.sum()
    # 70 of 128 lanes, or 200 of 256: the compiler would lay the longer one along the lanes.
    (result,) = {row.used_ratio for row in predicted.rows if row.shape == "f32[200,70]"}
    assert result == pytest.approx(200 / 256 * 70 / 72)
    arguments = [row for row in predicted.rows if row.shape in ("f32[200,300]", "f32[300,70]") and not row.self_ps]
    assert {row.self_ps for row in arguments} == {None}


def test_a_target_without_tiles_predicts_nothing(ran_on_cpu):
    record = padding(ran_on_cpu, target=H100)
    assert (record.rows, record.target) == ((), None)
    assert "H100" in said(record, "empty")
    assert "TPU" in said(record, "empty")


def test_a_gpu_capture_says_what_to_choose(shared):
    profile = open_profile(shared / "mi300x-conv" / "tw003.xplane.pb")
    assert "GPU" in said(padding(profile), "empty")
    predicted = padding(profile, target=V5E)
    assert predicted.rows
    assert all(row.predicted for row in predicted.rows)
    shares = {row.op: row.share_ratio for row in predicted.rows if row.share_ratio is not None}
    assert 0 < sum(shares.values()) <= 1


def test_a_tpu_capture_is_read_and_not_predicted(shared):
    profile = open_profile(shared / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb")
    record, other = padding(profile), padding(profile, target=V5E)
    assert record == other
    assert (record.rows, record.target) == ((), None)
    assert "fits" in said(record, "empty")


@pytest.mark.parametrize(
    ("kept_ratio", "sentence"), [(0.99, "left of the file fits"), (0.3, "no compiled program is left")]
)
def test_nothing_is_said_to_fit_of_what_a_file_lost(shared, tmp_path, kept_ratio, sentence):
    whole = (shared / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb").read_bytes()
    (tmp_path / "host.xplane.pb").write_bytes(whole[: int(len(whole) * kept_ratio)])
    record = padding(open_profile(tmp_path / "host.xplane.pb"))
    assert record.rows == ()
    assert sentence in said(record, "empty")
    assert "cut off" in said(record, "empty")
    assert "is cut off" in said(record, "warning")


def test_totals_are_of_all_rows_and_not_of_those_that_are_listed(awkward, monkeypatch):
    whole = padding(awkward)
    in_memory = [row for row in whole.rows if row.basis == "layout" and row.inner is None]
    assert whole.totals == PaddingTotals(
        rows=len(whole.rows),
        arrays=len(in_memory),
        extra_bytes=sum(row.extra_bytes for row in in_memory),
        fused_arrays=sum(row.basis == "layout" and row.inner is not None for row in whole.rows),
        products=sum(row.basis == "matrix-unit" for row in whole.rows),
    )
    monkeypatch.setattr(padding_module, "MOST_ROWS", 7)
    cut = padding(awkward)
    assert cut.rows == whole.rows[:7]
    assert cut.totals == whole.totals
    assert f"The first 7 of {len(whole.rows)} padded" in said(cut, "warning")


def tiled_program():
    """A loop around a fusion of a product, with what writes nothing around it."""
    tiles = Layout((1, 0), ((8, 128),))
    array, narrow = Shape("f32", (8, 100), layout=tiles), Shape("f32", (8, 1), layout=tiles)
    both = Shape("tuple", tuple_shapes=(array, narrow))
    root, own = (Frame("/home/me/t.py", 9, "loss"),), (Frame("/home/me/t.py", 4, "layer"),)
    rows = [
        ("p", "parameter", array, 0, (), (), ()),
        ("narrowed", "slice", narrow, 0, (0,), (), own),
        ("product", "multiply", array, 0, (0, 1), (), own),
        ("root", "add", array, 0, (2, 0), (), root),
        ("state", "parameter", both, 1, (), (), ()),
        ("item", "get-tuple-element", array, 1, (4,), (), ()),
        ("fusion", "fusion", array, 1, (5,), (0,), root),
        ("next", "tuple", both, 1, (6, 6), (), ()),
        ("x", "parameter", array, 2, (), (), ()),
        ("start", "copy-start", Shape("tuple", tuple_shapes=(array, array)), 2, (8,), (), root),
        ("done", "copy-done", array, 2, (9,), (), root),
        ("loop", "while", both, 2, (10,), (1,), root),
    ]
    instructions = tuple(
        Instruction(row, name, opcode, shape, computation, operands, called, stack=stack)
        for row, (name, opcode, shape, computation, operands, called, stack) in enumerate(rows)
    )
    parts = [
        Computation(each, str(each), tuple(i for i, row in enumerate(rows) if row[3] == each), root, each == 0)
        for each, root in enumerate((3, 7, 11))
    ]
    return HloModule("step", "7", instructions, tuple(parts), 2)


def test_arrays_count_where_they_are_written_and_once(profile_of):
    module = tiled_program()
    record = padding(attrs.evolve(profile_of([(Op("x", "", -1), 1)]), executions=no_executions(), modules=[module]))
    assert {(row.op, row.inner, row.line) for row in record.rows} == {
        ("x", None, 9),
        ("done", None, 9),
        ("fusion", None, 9),
        ("fusion", "narrowed", 4),
    }


def no_executions():
    from scopelight.model.backends.tables import Tables, finish  # noqa: PLC0415

    return finish(Tables(), 0)[0]


def test_an_array_inside_a_fusion_has_a_part_of_its_time(profile_of):
    module = tiled_program()
    ops = [Op(name, "", 0, module, module.by_name[name]) for name in ("fusion", "done")]
    record = padding(profile_of([(ops[0], 900), (ops[1], 100)], kind="tpu"))
    times = {(row.op, row.inner): row.self_ps for row in record.rows}
    assert times[("fusion", None)] == 900
    assert times[("done", None)] == 100
    assert 0 < times[("fusion", "narrowed")] < 900
    assert times[("x", None)] is None
    shares = {(row.op, row.inner): row.share_ratio for row in record.rows}
    assert shares[("fusion", None)] == 0.9


def test_products_that_are_left_out_are_counted_with_their_time_and_why(profile_of):
    array, group_sizes = Shape("bf16", (512, 512), layout=Layout((1, 0), ((8, 128), (2, 1)))), Shape("s32", (8,))
    instructions = (
        Instruction(0, "x", "parameter", array, 0, parameter_number=0),
        Instruction(1, "sizes", "parameter", group_sizes, 0, parameter_number=1),
        Instruction(2, "kernel.1", "custom-call", array, 0, (0, 0), custom_call_target="tpu_custom_call"),
        Instruction(3, "kernel.2", "custom-call", array, 0, (0, 0), custom_call_target="tpu_custom_call"),
        Instruction(4, "pin", "custom-call", array, 0, (0,), custom_call_target="PinToDevice"),
        Instruction(5, "print", "custom-call", array, 0, (0,), custom_call_target="xla_ffi_python_cpu_callback"),
        Instruction(6, "rows", "ragged-dot", array, 0, (0, 0, 1), dot=DotDimensions((1,), (0,), lhs_ragged=(0,))),
        Instruction(7, "parts", "ragged-dot", array, 0, (0, 0, 1), dot=DotDimensions((1,), (0,), lhs_ragged=(1,))),
        Instruction(8, "dot", "dot", array, 0, (0, 0), dot=DotDimensions((1,), (0,))),
    )
    module = HloModule("m", "7", instructions, (Computation(0, "main", tuple(range(9)), 8),), 0)
    times = {"kernel.1": 100, "kernel.2": 25, "pin": 1, "print": 4, "rows": 20, "parts": 50, "dot": 300}
    rows = [(Op(each.name, "", 0, module, each), times[each.name]) for each in instructions[2:]]
    notes = of_severity(padding(profile_of(rows, kind="tpu")).findings, "note")
    assert [(each.code, dict(each.values)) for each in notes] == [
        ("products-left-out", {"reason": "custom-calls-unknown", "ops": 2, "share_ratio": 0.25}),
        ("products-left-out", {"reason": "groups-unknown", "ops": 1, "share_ratio": 0.1}),
        ("rows-as-one-block", {"ops": 1, "share_ratio": 0.04}),
    ]
    alone = of_severity(padding(profile_of([], modules=[module])).findings, "note")
    assert dict(alone[0].values) == {"reason": "custom-calls-unknown", "ops": 2, "share_ratio": None}


def test_the_convolution_of_a_library_is_held_against_the_unit(shared):
    record = padding(open_profile(shared / "mi300x-conv" / "tw003.xplane.pb"), target=V5E)
    (product,) = [row for row in record.rows if row.basis == "matrix-unit"]
    assert product.op == "cudnn-conv.1"
    # 16 channels at each position of the kernel; 5120 features fill the unit.
    assert [(each.size, each.padded) for each in product.dims[1:3]] == [(16, 128), (5120, 5120)]
    assert codes(record, "note") == []


def test_calls_in_a_circle_and_wide_tuples_end(profile_of):
    tiles = Layout((0,), ((128,),))
    shape = Shape("f32", (3,), layout=tiles)
    for _ in range(10):
        shape = Shape("tuple", tuple_shapes=(shape, shape))
    loop = Instruction(0, "loop", "fusion", shape, 0, (), (0,))
    call = Instruction(1, "call", "call", shape, 0, (), (0,))
    module = HloModule("m", "7", (loop, call), (Computation(0, "c", (0, 1), 0),), 0)
    record = padding(profile_of([(Op("loop", "", 0, module, loop), 10), (Op("call", "", 0, module, call), 10)]))
    assert 0 < len(record.rows) <= MOST_ROWS
