"""``scopelight show compatibility`` says which share of the ops a TPU computes, and of each other one why not."""

import json
import shutil

from click.testing import CliRunner

from made.predictions import PARTS, SCAN
from scopelight.cli.main import main


def show(*arguments):
    return CliRunner().invoke(main, ["show", "compatibility", *map(str, arguments)], catch_exceptions=False).output


def test_the_share_of_valid_ops_is_first():
    output = show(PARTS)
    assert output.splitlines()[1] == "87.0 % of 23 ops are valid on v5e-8; 3 refused, 1 on the host, 13 emulated."
    assert "model/outside        ▰▰▰▰▱   66.7 %    3  1 refused, 1 on the host" in output


def test_ops_are_on_their_lines_with_the_words_of_the_compiler():
    output = show(PARTS)
    table = output.partition("on the TPU")[2]
    refused = [line for line in table.splitlines() if " refused  " in line]
    assert [line.split()[0] for line in refused] == ["dot_general", "eig", "ffi_call"]
    assert "Custom emitter for made_up_target not found" in refused[2]
    assert "15 of 15 kinds of ops on a line that are not native." in output


def test_what_helps_is_said():
    output = show(PARTS)
    assert "jax has no eig for a TPU. Compute it on the host with jax.pure_callback" in output
    assert "12 ops compute with float64, int64, which a TPU does not have" in output


def test_few_are_listed_where_one_asks_for_few():
    output = show(PARTS, "--limit", "2")
    assert "2 of 15 kinds of ops" in output
    assert "2 of 8 scopes." in output


def test_a_run_that_told_nothing_says_so(tmp_path):
    run = shutil.copytree(SCAN, tmp_path / "run", ignore=shutil.ignore_patterns("compatibility.json"))
    assert "What the TPU would do with single ops is not known of this run" in show(run)


def test_the_record_is_the_same_as_json():
    record = json.loads(show(PARTS, "--json"))
    assert record["target"] == "v5e-8"
    assert [each["cause"] for each in record["ops"][:3]] == ["dot-algorithm", "decomposition", "custom-call"]
    assert {each["name"]: each["valid_ratio"] for each in record["scopes"]}["model/dense"] == 0.75
    assert any(each["text"] == "jax has no eig for a TPU." for each in record["findings"])
