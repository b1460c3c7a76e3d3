"""What the list of runs says of each."""

import json
import shutil

import pytest

from made.predictions import SCAN
from scopelight.model.run.listing import describe_run
from scopelight.model.run.names import PREDICTION_FILE, RUN_FILE


@pytest.fixture
def run(tmp_path):
    return shutil.copytree(SCAN, tmp_path / "run")


def _change(file, **fields):
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


def test_a_prediction_that_was_cancelled_is_told_from_a_whole_one(run):
    assert not describe_run(run).was_cancelled
    _change(run / PREDICTION_FILE, was_cancelled=True)
    described = describe_run(run)
    assert described.was_cancelled
    assert (described.state, described.predicted_for) == ("captured", "v5e-8")


def test_what_a_measured_run_has_beside_it_says_nothing_of_it(run):
    _change(run / PREDICTION_FILE, was_cancelled=True)
    _change(run / RUN_FILE, predicted_for=None)
    assert not describe_run(run).was_cancelled


@pytest.mark.parametrize("text", ["", "[]", "{", '{"was_cancelled": "yes"}', '{"was_cancelled": null}'])
def test_a_prediction_that_cannot_be_read_is_not_called_cancelled(run, text):
    (run / PREDICTION_FILE).write_text(text)
    assert not describe_run(run).was_cancelled


def test_a_prediction_that_left_nothing_is_described_all_the_same(run):
    (run / PREDICTION_FILE).unlink()
    assert describe_run(run).predicted_for == "v5e-8"
    assert not describe_run(run).was_cancelled
