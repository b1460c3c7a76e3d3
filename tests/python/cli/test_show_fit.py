"""``scopelight show fit`` says first whether a run fits, then which lines take it and what would help."""

import json

from click.testing import CliRunner

from made.predictions import NO_ROOM, SCAN
from scopelight.cli.main import main


def show(*arguments):
    return CliRunner().invoke(main, ["show", *map(str, arguments)], catch_exceptions=False).output


def test_what_does_not_fit_is_said_first():
    output = show("fit", NO_ROOM)
    predicted, verdict = output.splitlines()[:2]
    assert predicted.startswith("Predicted for TPU v5e (v5e-8)")
    assert verdict == "Does not fit: 25 of 15.75 GiB of TPU v5e (v5e-8), for jit_step."
    assert "without_room.py:12" in output
    assert "argument weights" in output
    assert (
        "  At best 8 GiB less memory: what the compiler's plan has there at its peak. step() makes new arrays" in output
    )
    assert "Each of these is by itself: together they may save less.\n" in output
    assert show("overview", NO_ROOM).splitlines()[1] == verdict


def test_what_fits_says_of_how_much():
    output = show("fit", SCAN)
    verdict = output.splitlines()[1]
    assert verdict == "Fits: 2.21 of 15.75 GiB of TPU v5e (v5e-8), for jit_train_step."
    assert "At best" not in output
    assert show("overview", SCAN).splitlines()[1] == verdict


def test_the_record_is_the_same_as_json():
    record = json.loads(show("fit", NO_ROOM, "--json"))
    assert [(each["name"], each["fits"]) for each in record["programs"]] == [("jit_step", False), ("jit__lambda", True)]
    assert any(each["text"].startswith("Does not fit: 25 of 15.75 GiB") for each in record["findings"])
    assert {"text", "remedy", "saving", "saving_bytes", "line"} <= set(record["savings"][0])


def test_a_program_may_be_named():
    assert "jit__lambda: 8 GiB at the peak" in show("fit", NO_ROOM, "--module", "jit__lambda")


def test_the_memory_viewer_shows_what_does_not_fit():
    output = show("memory-viewer", NO_ROOM)
    assert "\njit_step: peak 25 of 15.75 GiB (the compiler's limit) in main memory" in output
