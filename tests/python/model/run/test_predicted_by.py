"""What was predicted of a run that was measured."""

import json
import os

import pytest

from scopelight.model.run.information import RecordedDevice, RunInformation
from scopelight.model.run.predicted_by import prediction_of

MEASURED = {"script": "train.py", "args": ("--steps", "9"), "cwd": "/w"}


@pytest.fixture
def add(tmp_path):
    def add(name, modified, predicted_for="v5e-8", **fields):
        described = {"format_version": 1, "state": "captured", "predicted_for": predicted_for, **MEASURED}
        (tmp_path / name).mkdir()
        file = tmp_path / name / "run.json"
        file.write_text(json.dumps(described | fields))
        os.utime(file, (modified, modified))

    return add


def devices(kind, number=8):
    return [{"platform": "tpu", "kind": kind}] * number


def measured_on(kind, number=8, **fields):
    return RunInformation(devices=(RecordedDevice(platform="tpu", kind=kind),) * number, **MEASURED, **fields)


def test_it_is_for_the_same_kind_of_device(add, tmp_path):
    """jax and the predictions call one kind by two names."""
    measured = measured_on("TPU v5 lite")
    add("measured", 9, predicted_for=None, devices=devices("TPU v5 lite"))
    add("other kind", 8, "v6e-8", devices=devices("TPU v6e"))
    add("other arguments", 7, devices=devices("TPU v5e"), args=[])
    add("failed", 6, devices=devices("TPU v5e"), state="failed")
    assert prediction_of(tmp_path, measured) is None
    add("for more", 5, "v5e-16", devices=devices("TPU v5e", 16))
    assert prediction_of(tmp_path, measured) == tmp_path / "for more"
    add("old", 2, devices=devices("TPU v5e"))
    add("newer", 4, devices=devices("TPU v5e"))
    assert prediction_of(tmp_path, measured) == tmp_path / "newer"


def test_nothing_was_predicted_of_a_prediction_or_of_what_ran_on_no_tpu(add, tmp_path):
    add("for v5e", 1, devices=devices("TPU v5e"))
    assert prediction_of(tmp_path, measured_on("cpu")) is None
    assert prediction_of(tmp_path, measured_on("NVIDIA H100 80GB HBM3")) is None
    assert prediction_of(tmp_path, RunInformation(**MEASURED)) is None
    assert prediction_of(tmp_path, measured_on("TPU v5e", predicted_for="v5e-8")) is None
    assert prediction_of(tmp_path, measured_on("TPU v5 lite")) == tmp_path / "for v5e"
