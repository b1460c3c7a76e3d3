"""The run of the same script that a new one follows."""

import json
import os

import attrs
import pytest

from scopelight.model.run.earlier import earlier_run
from scopelight.model.run.information import RunInformation

NEW = RunInformation(script="train.py", args=("--steps", "9"), cwd="/w")


@pytest.fixture
def add(tmp_path):
    def add(name, modified, **fields):
        described = {
            "format_version": 1,
            "state": "captured",
            "script": "train.py",
            "args": ["--steps", "9"],
            "cwd": "/w",
        }
        (tmp_path / name).mkdir()
        file = tmp_path / name / "run.json"
        file.write_text(json.dumps(described | fields))
        os.utime(file, (modified, modified))

    return add


def test_it_is_the_newest_of_the_same_script_and_arguments(add, tmp_path):
    add("one", 1)
    add("two", 2)
    add("other arguments", 3, args=[])
    add("other folder", 4, cwd="/elsewhere")
    add("a module", 5, is_module=True)
    assert earlier_run(tmp_path, NEW) == "two"


def test_what_was_not_captured_or_cannot_be_read_is_none(add, tmp_path):
    assert earlier_run(tmp_path / "nowhere", NEW) is None
    add("failed", 2, state="failed")
    add("running", 3, state="running")
    add("newer format", 4, format_version=99)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{")
    assert earlier_run(tmp_path, NEW) is None
    add("good", 1)
    assert earlier_run(tmp_path, NEW) == "good"


def test_what_was_measured_follows_no_prediction_nor_the_other_way_round(add, tmp_path):
    add("measured", 1)
    add("for v6e", 2, predicted_for="v6e-8")
    add("for v5e", 3, predicted_for="v5e-8")
    assert earlier_run(tmp_path, NEW) == "measured"
    assert earlier_run(tmp_path, attrs.evolve(NEW, predicted_for="v6e-8")) == "for v6e"
    assert earlier_run(tmp_path, attrs.evolve(NEW, predicted_for="v4-8")) is None
