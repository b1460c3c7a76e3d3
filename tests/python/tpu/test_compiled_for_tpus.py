"""What is said of a program for a TPU is what the compiler says that made it, on every kind of TPU."""

import math
from pathlib import Path

import pytest

from made import scripts
from made.one_pass import one_pass_flops
from made.views import memory_lines, memory_viewer
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.table import op_table
from scopelight.analysis.padding.padding import padding
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.opening.profile import open_profile

TOPOLOGIES = ("v4:2x2x1", "v5e:2x2", "v5p:2x2x1", "v6e:2x2", "tpu7x:2x2x1")
PAGE_BYTES = 16 << 10
BLOCKS = 6
"""Passes of the loops of the step."""
HERE = Path(scripts.__file__).parent
OPTIONS = LineOptions(roots=(str(HERE),))


@pytest.fixture(params=TOPOLOGIES)
def step(request, compiled_step):
    return compiled_step(request.param)


def test_totals_are_the_compilers_own(step):
    record = memory_viewer(open_profile(step.program), OPTIONS)
    assert record.basis == "assigned"
    totals = record.totals
    found = (totals.argument_bytes, totals.output_bytes, totals.alias_bytes)
    assert found == tuple(step.said[f"{each}_bytes"] for each in ("argument", "output", "alias"))
    # The compiler states temporaries in whole pages.
    assert math.ceil(totals.temporary_bytes / PAGE_BYTES) * PAGE_BYTES == step.said["temporary_bytes"]
    assert 0 < record.peak_unpadded_bytes < record.peak_bytes


def test_the_peak_of_each_memory_space_is_the_compilers_own(step):
    """It states one number: what is there throughout, and the most that any memory space takes besides."""
    record = memory_viewer(open_profile(step.program), OPTIONS)
    totals = record.totals
    assert record.peak_bytes == totals.indefinite_bytes + totals.temporary_without_fragmentation_bytes
    others = [space.peak_bytes for space in record.modules[0].memory_spaces if space.number != 0]
    most_bytes = max(totals.temporary_without_fragmentation_bytes, *others)
    assert totals.indefinite_bytes + most_bytes == step.said["peak_bytes"]


def test_lines_and_what_is_on_none_are_the_peak(step):
    record = memory_lines(open_profile(step.program), OPTIONS)
    assert sum(line.bytes for line in record.lines) + record.unattributed_bytes == record.peak_bytes
    assert {line.path for line in record.lines} == {"compile_step.py"}


def test_flops_are_those_of_the_compilers_cost_analysis(step):
    table = op_table(open_profile(step.program), OPTIONS)
    # The compiler states them in single precision.
    assert one_pass_flops(table) == pytest.approx(step.said["flops"], rel=1e-6)
    # The condition of a loop is asked once more than its body runs.
    assert {entry.runs for entry in table.entries} == {1, BLOCKS, BLOCKS + 1}
    whole = flops_record(table).rows[0]
    assert whole.flops == sum(entry.row.flops for entry in table.entries)
    assert whole.padded_flops > whole.flops > whole.model_flops


def test_sizes_that_fit_no_tile_are_found(step):
    record = padding(open_profile(step.program), OPTIONS)
    text = (HERE / "compile_step.py").read_text().split("\n")
    logits = next(number for number, line in enumerate(text, 1) if "# line: logits" in line)
    assert any(row.line == logits for row in record.rows)
