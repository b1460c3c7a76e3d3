"""``scopelight show memory-viewer`` and ``memory-lines`` print the records for people and programs alike."""

import json

import pytest
from click.testing import CliRunner

from scopelight.cli.main import main
from scopelight.formats.hlo_text.reader import parse_hlo_text

TEXT = """HloModule jit_step

ENTRY %main (x: f32[1048576]) -> f32[4] {
  %x = f32[1048576]{0} parameter(0)
  %y = f32[1048576]{0} custom-call(%x), custom_call_target="f", metadata={op_name="jit(step)/jvp(f)/f" \
source_file="/w/t.py" source_line=7}
  ROOT %z = f32[4]{0} custom-call(%y), custom_call_target="g", metadata={op_name="jit(step)/transpose(jvp(f))/g" \
source_file="/w/t.py" source_line=9}
}
"""
MIB = 1 << 20


@pytest.fixture
def show(tmp_path):
    def run(view, *options, text=TEXT):
        path = tmp_path / "step.txt"
        path.write_text(text)
        return CliRunner().invoke(main, ["show", view, str(path), *options])

    return run


def test_json_of_the_viewer_is_the_record(show):
    record = json.loads(show("memory-viewer", "--json").output)
    assert {
        *("module", "modules", "memory_space", "peak_bytes", "peak_unpadded_bytes", "peak_position", "timeline"),
        *("buffers", "totals", "execution", "lifetimes", "findings", "basis"),
    } <= set(record)
    assert (record["module"], record["memory_space"], record["basis"]) == ("jit_step", 0, "estimated")
    assert record["peak_bytes"] == 8 * MIB + 16
    assert record["timeline"]["bytes"] == [4 * MIB + 16, 8 * MIB + 16, 4 * MIB + 16]
    row = next(row for row in record["buffers"] if row["name"] == "y")
    assert {"name", "category", "bytes", "unpadded_bytes", "shape", "op_name", "path", "line", "start", "end"} <= set(
        row
    )
    assert (row["category"], row["bytes"], row["shape"]) == ("temporary", 4 * MIB, "f32[1048576]{0}")
    assert (row["path"], row["line"], row["start"], row["end"], row["is_residual"]) == ("/w/t.py", 7, 0, 1, True)


def test_json_of_the_lines_is_the_record(show):
    record = json.loads(show("memory-lines", "--json").output)
    assert (record["module"], record["memory_space"], record["peak_bytes"]) == ("jit_step", 0, 8 * MIB + 16)
    assert record["unattributed_bytes"] == 4 * MIB
    seventh, ninth = record["lines"]
    assert (seventh["path"], seventh["line"], seventh["bytes"], seventh["residual_bytes"]) == (
        *("/w/t.py", 7),
        *(4 * MIB, 4 * MIB),
    )
    assert (ninth["line"], ninth["bytes"], ninth["basis"]) == (9, 16, "static")


def test_people_read_peaks_buffers_and_lines(show):
    viewer = show("memory-viewer").output
    assert "jit_step: peak ≈8 MiB in main memory at position 0." in viewer
    assert "temporary, for the backward pass" in viewer
    assert "/w/t.py:7" in viewer
    assert "warning: The file does not say which buffers the compiler assigned" in viewer
    lines = show("memory-lines").output
    assert "jit_step: ≈8 MiB at the peak, 4 MiB of no line." in lines
    assert "/w/t.py:7" in lines
    only = show("memory-lines", "--limit", "1").output
    assert "/w/t.py:9" not in only
    assert "1 of 2 lines" in only


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--module", "jit_other"), "no program jit_other: there is jit_step"),
        (("--memory-space", "3"), "nothing in memory space 3"),
    ],
)
@pytest.mark.parametrize("view", ["memory-viewer", "memory-lines"])
def test_what_is_not_there_is_a_mistake_in_the_command(show, view, options, said):
    result = show(view, *options)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


@pytest.fixture
def show_three(tmp_path):
    """Three programs, two of one name: the smaller one is known by a number behind it."""
    for number, (name, elements) in enumerate((("jit_step", 1 << 20), ("jit_step", 1 << 10), ("jit_init", 1 << 8))):
        text = TEXT.replace("jit_step", name, 1).replace("1048576", str(elements))
        program = parse_hlo_text(text, where="made").SerializeToString()
        (tmp_path / f"module_000{number}.{name}.after_optimizations.hlo.pb").write_bytes(program)
    return lambda view, *options: CliRunner().invoke(main, ["show", view, str(tmp_path), *options])


@pytest.mark.parametrize("view", ["memory-viewer", "memory-lines"])
def test_a_program_is_found_by_its_name_its_id_and_as_it_is_printed(show_three, view):
    def chosen(*options):
        result = show_three(view, *options, "--json")
        assert result.exit_code == 0, result.output
        record = json.loads(result.output)
        return record["module"], record["program_id"]

    assert chosen() == ("jit_step", "jit_step")
    assert chosen("--module", "jit_init") == ("jit_init", "jit_init")
    assert chosen("--module", "jit_step") == ("jit_step", "jit_step")
    assert chosen("--module", "jit_step #2") == ("jit_step", "jit_step #2")
    assert chosen("--module", "jit_step (jit_step #2)") == ("jit_step", "jit_step #2")
    assert "Other programs (--module): jit_step (jit_step #2), jit_init." in show_three("memory-viewer").output


def test_a_program_that_is_not_there_is_answered_by_what_can_be_passed(show_three):
    result = show_three("memory-viewer", "--module", "jit_ste")
    assert result.exit_code == 2
    said = "The profile holds no program jit_ste: there is jit_step, jit_step (jit_step #2), jit_init."
    assert said in " ".join(result.output.split())


def test_what_cannot_be_read_ends_in_a_sentence(tmp_path):
    path = tmp_path / "broken.hlo.pb"
    path.write_bytes(b"\xff" * 64)
    result = CliRunner().invoke(main, ["show", "memory-viewer", str(path)])
    assert result.exit_code == 1
    assert "is not a readable HLO module" in result.output
