"""The lines of programs of which nothing ran: all of them, without time, with the ops that would be theirs."""

import pytest

from made.findings import said
from scopelight.analysis.lines.static import static_lines
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.opening.profile import open_profile
from scopelight.source.workspace import line_options

TEXT = """HloModule jit_step

ENTRY %main (x: f32[8,16]) -> f32[8,4] {
  %x = f32[8,16]{1,0} parameter(0)
  %table = f32[16,4]{1,0} constant({...}), metadata={op_name="jit(step)/table" source_file="/w/net.py" source_line=3}
  ROOT %dot.1 = f32[8,4]{1,0} dot(%x, %table), lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
metadata={op_name="jit(step)/mlp/dot_general" source_file="/w/net.py" source_line=9}
}
"""


@pytest.fixture
def profile(tmp_path):
    (tmp_path / "step.txt").write_text(TEXT)
    return open_profile(tmp_path / "step.txt")


def test_every_line_of_the_program_is_there_and_none_has_time(profile):
    record = static_lines(profile, LineOptions(roots=("/w",)))
    assert [(line.path, line.file, line.line) for line in record.lines] == [
        ("net.py", "/w/net.py", 9),
        ("net.py", "/w/net.py", 3),
    ]
    assert {(line.self_ps, line.inclusive_ps, line.executions) for line in record.lines} == {(0, 0, 0)}
    (op,) = record.lines[0].ops
    assert (op.name, op.shape, op.executions, op.self_ps) == ("dot.1", "f32[8,4]", 0, 0)
    assert record.lines[1].ops == ()


def test_the_record_still_says_that_nothing_ran(profile):
    record = static_lines(profile, LineOptions(roots=("/w",)))
    assert (record.op_time_ps, record.devices, record.stacks, record.functions) == (0, (), (), ())
    assert "nothing of them ran" in said(record, "empty")
    assert said(record, "empty")


def test_its_files_are_found_where_the_workspace_has_them(profile, tmp_path):
    folder = tmp_path / "checkout" / "w"
    folder.mkdir(parents=True)
    (folder / "net.py").write_text("\n" * 9)
    record = static_lines(profile, line_options(profile, tmp_path / "checkout"))
    assert {line.file for line in record.lines} == {str(folder / "net.py")}
