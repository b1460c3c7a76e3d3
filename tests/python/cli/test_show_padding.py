"""``scopelight show padding`` prints the record for people and programs alike."""

import json

import pytest
from click.testing import CliRunner

from made.findings import codes
from scopelight.cli.main import main

TEXT = """HloModule jit_step

ENTRY %main (x: f32[4,8192,1]) -> f32[4,8192,1] {
  %x = f32[4,8192,1]{2,1,0:T(8,128)} parameter(0)
  ROOT %y = f32[4,8192,1]{2,1,0:T(8,128)} negate(%x), metadata={op_name="jit(step)/neg" \
source_file="/w/t.py" source_line=7}
}
"""
UNTILED = TEXT.replace(":T(8,128)", "")


@pytest.fixture
def show(tmp_path):
    def run(text, *options):
        path = tmp_path / "step.txt"
        path.write_text(text)
        return CliRunner().invoke(main, ["show", "padding", str(path), *options])

    return run


def test_json_is_the_record(show):
    record = json.loads(show(TEXT, "--json").output)
    assert (record["target"], codes(record, "empty")) == (None, [])
    row = next(row for row in record["rows"] if row["op"] == "y")
    assert row["dims"] == [
        {"size": 4, "padded": 4, "tile": 1, "role": "batch"},
        {"size": 8192, "padded": 8192, "tile": 8, "role": "spatial"},
        {"size": 1, "padded": 128, "tile": 128, "role": "feature"},
    ]
    assert row["used_ratio"] == 1 / 128
    assert row["extra_bytes"] == 4 * 8192 * 127 * 4
    assert (row["path"], row["line"], row["basis"], row["predicted"]) == ("/w/t.py", 7, "layout", False)
    assert {"program", "op", "path", "line", "shape", "dims", "used_ratio", "extra_bytes", "basis", "predicted"} <= set(
        row
    )


def test_people_read_sums_sizes_and_places(show):
    output = show(TEXT).output
    assert "2 arrays in memory with 31.8 MiB of padding" in output
    assert "f32[4,8192,1]" in output
    assert "1 → 128 feature" in output
    assert "99.2 %" in output
    assert "/w/t.py:7" in output
    assert "1 of 2 rows" in show(TEXT, "--limit", "1").output


def test_without_tiles_it_says_what_to_do_and_predicts_for_a_target(show):
    empty = show(UNTILED)
    assert empty.exit_code == 0
    assert "--target" in empty.output
    # Its compiler would lay 8192 along the lanes.
    assert "fits the tiles of TPU v5e" in show(UNTILED, "--target", "v5e").output
    predicted = show(UNTILED.replace("8192", "130"), "--target", "v5e")
    assert "predicted for TPU v5e" in predicted.output
    assert "130 → 256 spatial" in predicted.output


def test_an_unknown_target_is_refused_with_those_that_are_known(show):
    result = show(TEXT, "--target", "v9")
    assert result.exit_code == 2
    assert "TPU v6e" in result.output


def test_broken_text_ends_in_one_sentence(show):
    result = show(TEXT.replace("negate(%x)", "negate(%z)"))
    assert result.exit_code == 1
    assert "in line 5 there is no instruction 'z'" in result.output
    assert "Traceback" not in result.output
