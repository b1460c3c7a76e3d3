"""Profiles that others have made become runs: all hosts, what was recorded beside them, and where they are from."""

import pytest

from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.files.file_source import FileSource, FileSpec
from scopelight.model.run.names import RECORDING_SUFFIX
from scopelight.model.run.run_file import find_run_information


def test_the_newest_session_is_copied_and_stays_where_it_was(tmp_path):
    logs = tmp_path / "logs" / "plugins" / "profile" / "2026_01_02_03_04_05"
    logs.mkdir(parents=True)
    for host in ("host0", "host1"):
        (logs / f"{host}.xplane.pb").write_bytes(host.encode())
        (logs / f"{host}.xplane.pb{RECORDING_SUFFIX}").write_bytes(b"recorded")
    (logs / "host1.part2.xplane.pb").write_bytes(b"later")
    captured = FileSource(tmp_path / "logs").capture(FileSpec(tmp_path, tmp_path / "run"))
    assert captured.exit_code is None
    run = find_run_information(tmp_path / "run")
    assert (run.state, run.source.kind, run.window.kind) == ("captured", "file", "file")
    assert run.window.folder == str(tmp_path / "logs")
    copied = {each.name: each.read_bytes() for each in (tmp_path / "run" / run.window.session).iterdir()}
    assert copied == {each.name: each.read_bytes() for each in logs.iterdir()}


def test_what_is_no_profile_is_refused_in_a_sentence_and_makes_no_run(tmp_path):
    with pytest.raises(CaptureFailure, match="no profile") as failure:
        FileSource(tmp_path).capture(FileSpec(tmp_path, tmp_path / "run"))
    assert failure.value.exit_code == Exit.NO_ADDRESS
    assert not (tmp_path / "run").exists()
