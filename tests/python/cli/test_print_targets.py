"""Predicted runs side by side in the terminal."""

import json
import shutil

import pytest
from click.testing import CliRunner

from made.predictions import KERNELS, NO_ROOM, PARTS, SCAN, UNROLLED
from scopelight.cli.main import main
from scopelight.cli.targets import print_prediction, print_targets


def test_each_run_is_a_row_and_each_line_has_columns_of_each(capsys):
    print_targets([("v5e-8", SCAN), ("v6e-8", KERNELS), ("large", NO_ROOM)])
    output = capsys.readouterr().out
    heads = output.splitlines()[:4]
    assert heads[0].split() == [
        *("target", "needs", "peak", "of", "it", "padding", "per", "step", "of", "it", "padding"),
        *("without", "estimate", "program"),
    ]
    assert heads[1].split()[:2] == ["v5e-8", "fits"]
    assert "2.21 of 15.75 GiB" in heads[1]
    assert "≈120 ms" in heads[1]
    assert heads[3].split()[:8] == ["large", "does", "not", "fit", "25", "of", "15.75", "GiB"]
    assert (
        "Of large no time of a step is told: a program of it does not fit, was refused, or was not compiled." in output
    )
    assert "between kinds they compare roughly" in output


def test_rows_may_be_limited_and_the_record_be_had_as_json(capsys):
    print_targets([("v5e-8", SCAN)], limit=2)
    assert "\n2 of " in capsys.readouterr().out
    print_targets([("v5e-8", SCAN)], as_json=True)
    assert json.loads(capsys.readouterr().out)["runs"][0]["target"] == "v5e-8"


def test_runs_that_are_there_are_compared_by_their_paths():
    said = CliRunner().invoke(main, ["show", "targets", str(SCAN), str(UNROLLED), "--limit", "3"])
    assert said.exit_code == 0
    assert "\n3 of " in said.stdout
    as_json = CliRunner().invoke(main, ["show", "targets", str(SCAN), str(UNROLLED), "--json"])
    runs = json.loads(as_json.stdout)["runs"]
    assert [each["run"] for each in runs] == [str(SCAN), str(UNROLLED)]
    assert len({each["name"] for each in runs}) == 2
    assert CliRunner().invoke(main, ["show", "targets"]).exit_code == 2
    assert "targets" in CliRunner().invoke(main, ["show", "--help"]).stdout


@pytest.mark.parametrize("run", [SCAN, NO_ROOM, PARTS], ids=lambda run: run.name)
def test_what_a_prediction_is_worth_is_said_once(run, capsys):
    print_prediction(run)
    output = capsys.readouterr().out
    assert output.count("promises no milliseconds") == 1
    assert output.count("have no estimate and count as nothing") <= 1


def test_a_command_that_is_named_shows_the_run_that_it_is_said_of(capsys, tmp_path):
    run = shutil.copytree(NO_ROOM, tmp_path / "with a space")
    print_prediction(run)
    assert f"`scopelight show fit '{run}'`" in capsys.readouterr().out
    shown = CliRunner().invoke(main, ["show", "lines", str(run)])
    assert f"`scopelight show fit '{run}'`" in shown.stdout
    assert "`scopelight show fit`" not in shown.stdout


def test_a_job_can_ask_the_record_whether_all_fits_and_was_compiled(capsys, tmp_path):
    """As the command's help has it."""
    refused = shutil.copytree(SCAN, tmp_path / "refused")
    file = refused / "prediction.json"
    prediction = json.loads(file.read_text())
    step = next(each for each in prediction["programs"] if "step" in each["name"])
    step |= {"outcome": "refused", "file": None, "memory": None}
    file.write_text(json.dumps(prediction))
    print_targets([("good", SCAN), ("refused", refused), ("large", NO_ROOM)], as_json=True)
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [bool(each["fits"] and each["step_ps"] is not None) for each in runs] == [True, False, False]
