"""``scopelight export`` of the flame graph: what each format's file sums to is what the view shows, exactly."""

import gzip
import json
from decimal import Decimal

import pytest
from click.testing import CliRunner

from made.xspace import Line, plane, write
from scopelight.cli.main import main
from scopelight.formats.pprof import pprof_pb2

RECORDED = (
    ("mi300x-conv/tw003.xplane.pb", "op-time"),
    ("mi300x-elementwise/tw003.xplane.pb", "op-time"),
    ("mi355x-te-attention/934987a2fc2f.xplane.pb", "wall-time"),
    ("tpu-v6e-host-offload/tpu_inference_2.xplane.pb", "op-time"),
    ("v100-tensorflow/worker.xplane.pb", "op-time"),
    ("h100-maxtext-hlo/jit_train_step.hlo.pb.xz", "memory"),
    ("tpu-v6e-llama3-hlo-text/jit_train_step.after_optimizations.hlo.txt", "flops"),
    ("tpu-memory-pprof/memory.prof", "memory"),
)


def sum_of(kind, data, unit):
    """What the weights of a file sum to, in ps, FLOPs or bytes."""
    if kind == "collapsed":
        return sum(int(line.rpartition(" ")[2]) for line in data.decode().splitlines())
    if kind == "pprof":
        return sum(sample.value[0] for sample in pprof_pb2.Profile.FromString(gzip.decompress(data)).sample)
    file = json.loads(data, parse_float=Decimal, parse_int=Decimal)
    if kind == "speedscope":
        return sum(file["profiles"][0]["weights"]) * (1000 if unit == "ps" else 1)
    return sum(file["threads"][0]["samples"]["weight"]) * (10**9 if unit == "ps" else 1)


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture
def one_op(tmp_path):
    """A small profile of a log directory: one op without a source."""
    ops = Line("XLA Ops", (("dot.7", 100, 400),))
    return write(tmp_path / "log" / "plugins" / "profile" / "first" / "a.xplane.pb", plane("/device:TPU:0", ops))


@pytest.mark.parametrize("kind", ["speedscope", "pprof", "collapsed", "firefox"])
@pytest.mark.parametrize(("name", "measure"), RECORDED)
def test_the_sum_of_a_recorded_profile(shared_data, tmp_path, name, measure, kind):
    path, output = shared_data / name, tmp_path / "out"
    record = json.loads(run("show", "flame", path, "--measure", measure, "--json").stdout)
    result = run("export", path, "--format", kind, "--measure", measure, "--out", output)
    assert result.exit_code == 0, result.output
    assert sum_of(kind, output.read_bytes(), record["unit"]) == record["total"] > 0
    stacks = sum(1 for row in record["rows"] if row["self_value"])
    assert result.output.startswith(f"{stacks} stack{'s' if stacks > 1 else ''} in {output}\n")
    assert list(tmp_path.iterdir()) == [output]


def test_what_has_no_source_is_named(one_op):
    assert run("export", one_op, "--format", "collapsed", "--out", "-").stdout == "(without source) 400\n"


def test_options_of_the_other_formats_are_refused(one_op, tmp_path):
    of_timeline = run("export", one_op, "--format", "pprof", "--from", "1us", "--out", tmp_path / "out")
    assert (of_timeline.exit_code, "The format pprof has no such option." in of_timeline.output) == (2, True)
    of_flame = run("export", one_op, "--libraries", "--out", tmp_path / "out")
    assert (of_flame.exit_code, "'--libraries'" in of_flame.output) == (2, True)
    assert not (tmp_path / "out").exists()


def test_what_a_view_refuses_is_refused(one_op, tmp_path):
    result = run("export", one_op, "--format", "pprof", "--device", "gpu", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "Invalid value for '--device': No device called gpu" in result.output


def test_nothing_is_written_where_there_is_nothing(shared_data, tmp_path):
    path = shared_data / "h100-maxtext-hlo" / "jit_train_step.hlo.pb.xz"
    result = run("export", path, "--format", "speedscope", "--out", tmp_path / "out")
    assert result.exit_code != 0
    assert result.stderr.startswith("scopelight: ")
    assert not (tmp_path / "out").exists()


def test_the_profile_itself_is_not_written_over(one_op):
    before = one_op.read_bytes()
    result = run("export", one_op, "--format", "pprof", "--out", one_op)
    assert "is the profile itself" in result.stderr
    assert one_op.read_bytes() == before


def test_a_folder_that_is_not_there_is_told_in_a_sentence(one_op, tmp_path):
    result = run("export", one_op, "--format", "pprof", "--out", tmp_path / "absent" / "out")
    assert (
        result.stderr == f"scopelight: {tmp_path / 'absent' / 'out'} cannot be written (No such file or directory).\n"
    )
