"""``scopelight show ops``, ``op-profile``, ``flops`` and ``roofline``."""

import json

import jax
import jax.numpy as jnp
import pytest
from click.testing import CliRunner

from made.findings import codes, said
from made.recorded import DATA
from scopelight.cli.main import main
from scopelight.formats.hlo import hlo_pb2

VIEWS = ("ops", "op-profile", "flops", "roofline")
OP_KEYS = {
    *("program", "name", "category", "opcode", "op_name", "path", "line", "executions", "self_ps", "mean_ps"),
    *("flops", "model_flops", "padded_flops", "bytes", "flop_utilisation_ratio", "bound_by"),
}


@pytest.fixture(scope="module")
def capture():
    """A real capture of eight GPUs."""
    file = DATA / "mi300x-conv" / "tw003.xplane.pb"
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    return file


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A compiled program that did not run, serialized and as text."""

    def step(w, x):
        with jax.named_scope("layer"):
            return jnp.tanh(x @ w)

    compiled = jax.jit(step).lower(jnp.ones((128, 128)), jnp.ones((32, 128))).compile()
    (module,) = compiled.runtime_executable().hlo_modules()
    proto = hlo_pb2.HloProto()
    proto.hlo_module.ParseFromString(module.as_serialized_hlo_module_proto())
    folder = tmp_path_factory.mktemp("programs")
    (folder / "step.hlo.pb").write_bytes(proto.SerializeToString())
    (folder / "step.txt").write_text(compiled.as_text())
    return folder


def shown(*arguments):
    result = CliRunner().invoke(main, ["show", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.output


def record(view, path, *options):
    return json.loads(shown(view, path, "--json", *options))


@pytest.mark.parametrize("view", VIEWS)
def test_json_is_the_record(capture, view):
    made = record(view, capture)
    assert made["rows"]
    assert not codes(made, "empty")


def test_rows_of_ops_have_what_scripts_look_for(capture):
    made = record("ops", capture)
    assert all(set(row) >= OP_KEYS for row in made["rows"])
    assert sum(row["self_ps"] for row in made["rows"]) == made["op_time_ps"]


def test_people_read_names_times_rates_and_lines(capture):
    text = shown("ops", capture, "--scope", "window")
    assert "28.1 ms of op time on 8 devices" in text
    row = next(line for line in text.splitlines() if "cudnn-conv.1" in line)
    assert row.split()[:4] == ["conv_general_dilated", "·", "generate_conv_trace.py:23", "cudnn-conv.1"]
    for part in ("44.5 %", "79", "206 TFLOP/s", "custom-call", "generate_conv_trace.py:23"):
        assert part in row
    assert "Peak of each of 8 × AMD Instinct MI300X" in text


def test_the_tree_is_by_what_is_asked_for(capture):
    for grouping, group in (
        ("category", "input fusion"),
        ("program", "jit_forward_3d_conv"),
        ("line", "generate_conv_trace.py:23"),
    ):
        lines = shown("op-profile", capture, "--by", grouping).splitlines()
        assert any(group in line for line in lines)
        assert any(line.startswith("total ") and "100.0 %" in line for line in lines)
    assert record("op-profile", capture, "--by", "scope")["grouping"] == "scope"


def test_no_more_rows_than_asked_for_and_the_longest_ones(capture):
    lines = shown("op-profile", capture, "--limit", 3).splitlines()
    rows = [line for line in lines if "▰" in line]
    assert [row.split("  ")[0 if row.startswith("total") else 1].strip() for row in rows][:2] == [
        "total",
        "input fusion",
    ]
    assert len(rows) == 3
    assert sum("▰" in line for line in shown("ops", capture, "--limit", 1).splitlines()) == 1
    assert len(record("ops", capture, "--limit", "1")["rows"]) > 1


def test_every_view_says_what_it_is_over(capture):
    assert "22.5 ms of op time on 8 devices over 4 complete steps\n" in shown("ops", capture)
    assert "28.1 ms of op time on 8 devices over the whole window, " in shown("ops", capture, "--scope", "window")
    assert "op time on 8 devices over the time outside of complete" in shown("ops", capture, "--scope", "outside")
    assert "of op time by category over 4 complete steps; " in shown("op-profile", capture)
    flops_over = "FLOPs per step, rates against the wall clock of 4 complete steps"
    assert f"{flops_over}; FLOPs of 8 devices together, rates of each\n" in shown("flops", capture)
    assert "FLOPs, bytes and time over 4 complete steps" in shown("roofline", capture)
    wall = record("op-profile", capture)["wall"]
    idle = f"{wall['idle_ps'] / wall['wall_ps'] * 100:.1f} %"
    assert f"of the wall clock idle ({idle})" in shown("op-profile", capture)


def test_one_device(capture):
    whole, one = record("ops", capture), record("ops", capture, "--device", "/device:GPU:3")
    assert 0 < one["op_time_ps"] < whole["op_time_ps"]
    result = CliRunner().invoke(main, ["show", "flops", str(capture), "--device", "GPU:77"])
    assert result.exit_code == 2
    assert "No device called GPU:77" in result.output
    assert "/device:GPU:3" in result.output


@pytest.mark.parametrize("file", ["step.hlo.pb", "step.txt"])
def test_a_program_that_did_not_run(program, file):
    made = record("ops", program / file)
    assert sum(row["flops"] or 0 for row in made["rows"]) >= 2 * 32 * 128 * 128
    assert {row["executions"] for row in made["rows"]} == {0}
    flops = record("flops", program / file)
    assert [row["label"] for row in flops["rows"][:2]] == ["model", "layer"]
    assert flops["rows"][0]["flops"] == sum(row["flops"] or 0 for row in made["rows"])
    text = shown("ops", program / file)
    assert "Nothing of the program ran" in text
    assert "MFLOP" in text
    for view in ("op-profile", "roofline"):
        empty = record(view, program / file)
        assert empty["rows"] == []
        assert "nothing of them ran" in said(empty, "empty")
        assert empty["findings"][0]["remedy"] in shown(view, program / file)


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_no_profile_is_refused_in_a_sentence(view, tmp_path):
    (tmp_path / "train.py").write_text("print()\n")
    result = CliRunner().invoke(main, ["show", view, str(tmp_path / "train.py")])
    assert result.exit_code == 1
    assert result.output.startswith("scopelight: ")
    assert "Traceback" not in result.output


@pytest.mark.parametrize("view", ["ops", "flops"])
def test_padding_is_predicted_for_a_chosen_target(program, view):
    assert "Padding" not in shown(view, program / "step.txt")
    assert "Padding predicted for TPU v5e, the target, with a matrix unit of 128 x 128" in shown(
        view, program / "step.txt", "--target", "TPU v5e"
    )
    made = record(view, program / "step.txt", "--target", "TPU v6e")
    assert made["matrix_unit"] == {"rows": 256, "columns": 256, "device": "TPU v6e", "basis": "predicted"}
    # Half of the unit's rows and half of its columns.
    row = next(row for row in made["rows"] if row["flops"])
    assert row["padded_flops"] > 1.9 * row["flops"]
