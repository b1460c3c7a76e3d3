"""``scopelight run --against``: options that go together, and what is refused before anything is run."""

import pytest
from click.testing import CliRunner

from scopelight.cli.against import DETECTED
from scopelight.cli.main import main
from scopelight.views.detecting import STEADIEST_FIRST


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rounds", "3"], "--rounds is about rounds of two revisions"),
        (["--detect", "5%"], "--detect is about rounds of two revisions"),
        (["--against", "HEAD", "--rounds", "3", "--detect", "5%"], "exclude each other"),
        (["--against", "HEAD", "--detect", "0"], "is no share of the time"),
    ],
)
def test_options_without_effect_are_refused(arguments, sentence):
    result = CliRunner().invoke(main, ["run", *arguments, "train.py"])
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())


def test_the_help_says_what_a_change_is_detected_in():
    printed = " ".join(CliRunner().invoke(main, ["run", "--help"]).output.split())
    assert "such a change in the CPU time of a step or, on an accelerator, in the time of its ops" in printed


def test_every_quantity_that_is_looked_for_has_a_name():
    assert set(DETECTED) == set(STEADIEST_FIRST)


def test_outside_of_a_repository_nothing_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("open('ran', 'w')\n")
    result = CliRunner().invoke(main, ["run", "--against", "HEAD", "train.py"])
    assert result.exit_code == 76
    assert "is in no git repository" in result.output
    assert not (tmp_path / "ran").exists()
