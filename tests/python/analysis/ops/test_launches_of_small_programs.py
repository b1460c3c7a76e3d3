"""Small programs that were launched in turn: their runs, kernels and rates, against counts made another way."""

import json
import lzma
from collections import Counter

import pytest

from made.findings import codes, values
from made.recorded import DATA
from made.views import op_statistics
from scopelight.analysis.steps.program_sequence import program_sequence
from scopelight.analysis.steps.steps import find_steps
from scopelight.model.opening.profile import open_profile

FILES = {
    "mi300x-elementwise": "tw003.xplane.pb",
    "mi300x-conv": "tw003.xplane.pb",
    "mi355x-te-attention": "934987a2fc2f.xplane.pb",
}
GIB = 2**30
ROUND = ["add", "sin", "cos", "multiply", "relu", "_mean", "_std", "subtract", "add", "true_divide", "_reduce_sum"]
"""What one round of the script launches: two of them are called add, one of arrays and one of an array and a number."""


def opened(name):
    file = DATA / name / FILES[name]
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    return file, open_profile(file)


@pytest.fixture(scope="module", params=FILES)
def recorded(request):
    """The name of a folder of data, the file in it, and the profile."""
    return request.param, *opened(request.param)


@pytest.fixture(scope="module")
def elementwise():
    """The file of small programs in turn, and the profile."""
    return opened("mi300x-elementwise")


def launched(file):
    """Names of the programs that the host executed, in order of time, as jax's own reader has them."""
    profiler = pytest.importorskip("jax.profiler")
    data = profiler.ProfileData.from_file(str(file))
    (host,) = [plane for plane in data.planes if plane.name == "/host:CPU"]
    events = [event for line in host.lines for event in line.events if event.name == "GpuExecutable::ExecuteThunks"]
    return [dict(event.stats)["module_name"] for event in sorted(events, key=lambda event: event.start_ns)]


def test_there_are_as_many_runs_of_each_program_as_the_host_executed(recorded):
    name, file, profile = recorded
    programs = [profile.executions.programs[row].name for row in profile.runs.program.tolist()]
    assert Counter(programs) == Counter(launched(file))
    assert len(programs) == {"mi300x-elementwise": 55, "mi300x-conv": 40, "mi355x-te-attention": 5}[name]
    assert (profile.runs.launch_ps >= 0).all()


def test_runs_of_small_programs_are_in_the_order_of_their_launches(elementwise):
    file, profile = elementwise
    in_order = [f"jit_{each}" for each in ROUND] * 5
    assert launched(file) == in_order
    sequence = program_sequence(profile, 0)
    assert [sequence.kinds[kind].name for kind in sequence.kind.tolist()] == in_order


def test_four_of_the_five_rounds_are_complete_and_begin_with_their_first_program(elementwise):
    """The fifth has no round after it to end at."""
    _, profile = elementwise
    steps = find_steps(profile)
    assert (steps.source, steps.name, len(steps)) == ("repetition", "jit_add", 4)
    first_of_round = profile.runs.start_ps[:: len(ROUND)]
    assert steps.start_ps.tolist() == first_of_round[:4].tolist()
    assert (steps.start_ps + steps.duration_ps).tolist() == first_of_round[1:].tolist()


@pytest.mark.parametrize("name", ["mi300x-elementwise", "mi355x-te-attention"])
def test_occurrences_times_and_bytes_are_those_of_xprof(name):
    _, profile = opened(name)
    with lzma.open(DATA / name / "xprof" / "hlo_stats.json.xz") as file:
        table = json.load(file)
    columns = [column["id"] for column in table["cols"]]
    rows = {(row.program_id, row.name): row for row in op_statistics(profile, scope="window").rows}
    assert len(table["rows"]) == {"mi300x-elementwise": 13, "mi355x-te-attention": 20}[name]
    for cells in table["rows"]:
        theirs = dict(zip(columns, [cell and cell.get("v") for cell in cells["c"]], strict=True))
        ours = rows[theirs["program_id"], theirs["hlo_op_name"]]
        assert ours.executions == theirs["occurrences"], ours.name
        assert ours.self_ps / 1e6 == pytest.approx(theirs["total_self_time"], rel=0.01), ours.name
        if name == "mi300x-elementwise":
            rate = ours.bytes / (ours.self_ps / 1e12) / GIB
            assert rate == pytest.approx(theirs["measured_memory_bw"], rel=0.01), ours.name


def test_only_library_calls_take_several_kernels(recorded):
    """Of an attention with a gradient in two parts, as of a convolution, the calls of a library do."""
    name, _, profile = recorded
    record = op_statistics(profile, scope="window")
    noted = {
        row.name: values(row, "several-kernels")["kernels"] for row in record.rows if "several-kernels" in codes(row)
    }
    assert noted == {"mi300x-elementwise": {}, "mi300x-conv": {"cudnn-conv.1": 2}, "mi355x-te-attention": {}}[name]
    assert ("ops-of-several-kernels" in codes(record)) == (name == "mi300x-conv")
