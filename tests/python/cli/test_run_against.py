"""``scopelight run --against``: options that go together, and what is refused before anything is run."""

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from scopelight.cli import against
from scopelight.cli.against import DETECTED
from scopelight.cli.main import main
from scopelight.model.run.experiment import Experiment
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


class Interrupted(against.ExperimentSource):
    """One that somebody ends, with so many rounds of three whole."""

    whole, is_kept = 0, True

    def capture(self, _spec):
        self.path = Path.cwd() / ".scopelight" / "rounds" if self.is_kept else None
        self._experiment = Experiment(rounds_planned=3)
        self.cancel(signal.SIGINT)
        return [Path("before")] * self.whole, [Path("after")] * self.whole


@pytest.mark.parametrize(
    ("whole", "is_kept", "sentence"),
    [
        (0, False, "interrupted before anything was captured: nothing is kept."),
        (0, True, "interrupted before a round was captured of both sides; what there is: .scopelight/rounds"),
        (1, True, "interrupted: 1 of 3 rounds counts."),
        (2, True, "interrupted: 2 of 3 rounds count."),
    ],
)
def test_what_an_interrupt_leaves_is_said_and_compared_only_where_it_can_be(
    whole, is_kept, sentence, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Interrupted, "whole", whole)
    monkeypatch.setattr(Interrupted, "is_kept", is_kept)
    monkeypatch.setattr(against, "ExperimentSource", Interrupted)
    monkeypatch.setattr(against, "print_comparison", lambda sides: print("compared", len(sides[0])))
    result = CliRunner().invoke(main, ["run", "--against", "HEAD", "train.py"])
    assert result.exit_code == 128 + signal.SIGINT
    assert sentence in result.output
    assert ("scopelight compare" in result.output) == bool(whole)
    assert (f"compared {whole}" in result.output) == bool(whole)


def test_edits_meanwhile_are_an_exit_code_beside_the_comparison(tmp_path, monkeypatch):
    class Edited(Interrupted):
        whole, was_edited = 2, True

        def cancel(self, _number):
            self.was_edited = True

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(against, "ExperimentSource", Edited)
    monkeypatch.setattr(against, "print_comparison", lambda sides: print("compared", len(sides[0])))
    result = CliRunner().invoke(main, ["run", "--against", "HEAD", "train.py"])
    assert result.exit_code == 77
    assert "2 of 3 rounds count, before files were edited." in result.output
    assert "compared 2" in result.output


def test_outside_of_a_repository_nothing_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("open('ran', 'w')\n")
    result = CliRunner().invoke(main, ["run", "--against", "HEAD", "train.py"])
    assert result.exit_code == 76
    assert "is in no git repository" in result.output
    assert not (tmp_path / "ran").exists()
