import json

import pytest

from made.findings import codes, values
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources, is_user_file
from scopelight.findings import warning
from scopelight.formats.errors import FormatError
from scopelight.model.opening.paths import find_xspaces
from scopelight.model.run.information import RunInformation
from scopelight.model.run.run_file import find_run_information


def test_a_new_run_is_named_by_script_and_ignored_by_git(tmp_path):
    run = RunDirectory.create(None, tmp_path, "train me", RunInformation(state="running"))
    assert run.path.parent == tmp_path / ".scopelight"
    assert run.path.name.endswith("-train_me")
    assert (run.path / ".gitignore").read_text() == "*\n"
    again = RunDirectory.create(None, tmp_path, "train me", RunInformation(state="running"))
    assert again.path != run.path


def test_a_folder_with_other_files_is_added_to_and_stays_visible_to_git(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    run = RunDirectory.create(tmp_path, tmp_path, "train", RunInformation())
    assert run.path == tmp_path
    assert not (tmp_path / ".gitignore").exists()
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_run_description_of_somebody_elses_is_not_overwritten(tmp_path):
    (tmp_path / "run.json").write_text('{"user": "file"}')
    with pytest.raises(CaptureFailure, match="--out") as failure:
        RunDirectory.create(tmp_path, tmp_path, "train", RunInformation(state="running"))
    assert failure.value.exit_code == Exit.UNWRITABLE
    assert (tmp_path / "run.json").read_text() == '{"user": "file"}'


def test_what_was_written_is_read(tmp_path):
    run = RunDirectory.create(tmp_path / "run", tmp_path, "train", RunInformation(state="running"))
    run.update(state="captured")
    run.warn(warning("script-ended-early"))
    run.warn(warning("script-ended-early"))
    information = find_run_information(run.path)
    assert information == run.information
    assert information.state == "captured" and codes(information) == ["script-ended-early"]


def test_a_newer_format_is_refused(tmp_path):
    run = RunDirectory.create(tmp_path / "run", tmp_path, "train", RunInformation())
    (run.path / "run.json").write_text(json.dumps({"format_version": 99}))
    with pytest.raises(FormatError, match="newer"):
        find_run_information(run.path)


def test_the_trace_published_last_is_the_one_that_opens(tmp_path):
    run = RunDirectory.create(tmp_path / "run", tmp_path, "train", RunInformation())
    for number in range(3):
        trace = run.probes / f"{number}.xspace"
        trace.write_bytes(bytes([number]))
        session = run.add_profile({"host": [trace]})
        (published,) = find_xspaces(run.path)[0]
        assert published.parent == session
        assert published.read_bytes() == bytes([number])


def test_an_unwritable_folder_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CaptureFailure) as failure:
        RunDirectory.create(tmp_path / "file" / "run", tmp_path, "train", RunInformation())
    assert failure.value.exit_code == Exit.UNWRITABLE
    assert "--out" in failure.value.sentence


def test_sources_are_stored_as_they_were_first_read(tmp_path):
    run = RunDirectory.create(tmp_path / "run", tmp_path, "train", RunInformation())
    early, late = tmp_path / "early.py", tmp_path / "late.py"
    early.write_text("one\n")
    late.write_text("new\n")
    sources = Sources(tmp_path, started=0.0)
    sources.remember(["early.py"])
    early.write_text("two\n")
    warnings = sources.save(run, ["early.py", str(late), "absent.py"])
    index = json.loads((run.sources / "index.json").read_text())
    assert set(index) == {"early.py", str(late)}
    assert (run.sources / index["early.py"]["file"]).read_text() == "one\n"
    assert values(warnings, "source-edited-meanwhile") == {"path": str(late)}


def test_installed_and_standard_files_are_not_the_users(tmp_path):
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    assert not is_user_file(json.__file__)
    assert not is_user_file(pytest.__file__)
    assert not is_user_file(str(tmp_path / "env" / "lib" / "thing.py"))
    assert not is_user_file("<string>")
    assert is_user_file(str(tmp_path / "train.py"))
