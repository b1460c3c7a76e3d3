"""Where no run directory can be made that is said in a sentence, and the script runs without a capture."""

import os
from pathlib import Path

import pytest

from scopelight_agent import entrance
from scopelight_agent.joining import UnwritableError, new_run
from scopelight_agent.options import Options

as_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


@pytest.fixture
def file(tmp_path):
    """A file where a folder would have to be."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file"


@pytest.mark.parametrize("option", ["out", "output_path"])
@pytest.mark.parametrize("below", ["", "run"])
def test_what_cannot_be_written_is_named_with_the_reason(file, option, below):
    with pytest.raises(UnwritableError) as failure:
        new_run(Options(**{option: str(file / below)}), ["train.py"])
    said = str(failure.value)
    assert said.startswith(f"the run directory {file / below}")
    assert said.endswith((" cannot be written (Not a directory)", " cannot be written (File exists)"))
    assert "Errno" not in said


@as_root
def test_a_folder_that_is_not_ours_is_named(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(UnwritableError, match=r"cannot be written \(Permission denied\)"):
        new_run(Options(out=str(tmp_path / "run")), ["train.py"])


def test_of_a_capture_that_variables_ask_for_it_is_said_once(file, monkeypatch, capfd):
    monkeypatch.setattr(entrance, "_agent", None)
    monkeypatch.setattr(entrance, "running", lambda: None)
    monkeypatch.setattr("scopelight_agent.joining.meeting_folder", lambda: str(file.parent))
    entrance._begin_or_tell(Options(out=str(file)))
    (said,) = capfd.readouterr().err.splitlines()
    assert said == f"scopelight: the run directory {file} cannot be written (Not a directory): nothing is captured."


def test_a_log_that_cannot_be_written_is_said_so_too(tmp_path, monkeypatch, capfd):
    run = tmp_path / "run"
    (run / "conductor.log").mkdir(parents=True)
    monkeypatch.setattr(entrance, "running", lambda: None)
    monkeypatch.setattr("scopelight_agent.joining.meeting_folder", lambda: str(tmp_path))
    entrance._begin_or_tell(Options(out=str(run)))
    (said,) = capfd.readouterr().err.splitlines()
    assert said == f"scopelight: the run directory {run} cannot be written (Is a directory): nothing is captured."


def test_a_run_is_made_with_a_place_for_its_first_trace(tmp_path):
    run = Path(new_run(Options(out=str(tmp_path / "a" / "run")), ["train.py"]))
    assert (run / ".probes").is_dir()
