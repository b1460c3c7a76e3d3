"""Profiles that others have made become runs: all hosts, what was recorded beside them, and where they are from."""

import json

import pytest
from click.testing import CliRunner

from made.xspace import Line, plane, write
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.files.file_source import FileSource, FileSpec
from scopelight.cli.main import main
from scopelight.model.run.names import RECORDING_SUFFIX
from scopelight.model.run.run_file import find_run_information
from scopelight.summaries.beside import SUMMARY_SUFFIX

TRACE = plane("/host:CPU", Line("worker", (("work", 0, 1000),)))


def test_the_newest_session_is_copied_and_stays_where_it_was(tmp_path):
    logs = tmp_path / "logs" / "plugins" / "profile" / "2026_01_02_03_04_05"
    logs.mkdir(parents=True)
    for host in ("host0", "host1"):
        write(logs / f"{host}.xplane.pb", plane(f"/host:{host}", Line("worker", (("work", 0, 1000),))))
        (logs / f"{host}.xplane.pb{RECORDING_SUFFIX}").write_bytes(b"recorded")
    write(logs / "host1.part2.xplane.pb", TRACE)
    captured = FileSource(tmp_path / "logs").capture(FileSpec(tmp_path, tmp_path / "run"))
    assert captured.exit_code is None
    run = find_run_information(tmp_path / "run")
    assert (run.state, run.source.kind, run.window.kind) == ("captured", "file", "file")
    assert run.window.folder == str(tmp_path / "logs")
    copied = {each.name: each.read_bytes() for each in (tmp_path / "run" / run.window.session).iterdir()}
    # Of several hosts, what is needed to compare them is beside each; beside the originals nothing is.
    summaries = {name for name in copied if name.endswith(SUMMARY_SUFFIX)}
    assert {name.partition(".")[0] for name in summaries} == {"host0", "host1"}
    assert len(summaries) == 2
    assert {name: copied[name] for name in copied.keys() - summaries} == {
        each.name: each.read_bytes() for each in logs.iterdir()
    }


def test_what_is_no_profile_is_refused_in_a_sentence_and_makes_no_run(tmp_path):
    with pytest.raises(CaptureFailure, match="no profile") as failure:
        FileSource(tmp_path).capture(FileSpec(tmp_path, tmp_path / "run"))
    assert failure.value.exit_code == Exit.NO_ADDRESS
    assert not (tmp_path / "run").exists()


def taken(path, folder, monkeypatch):
    monkeypatch.chdir(folder)
    return CliRunner().invoke(main, ["capture", "--file", str(path)])


@pytest.mark.parametrize(
    "content", [b"print('hello')\n", b"\x00" * 100, b"{}", bytes(range(256))], ids=["text", "zeros", "json", "bytes"]
)
@pytest.mark.parametrize("is_in_session", [False, True])
def test_a_file_that_is_no_profile_is_refused_before_a_run_is_made(tmp_path, monkeypatch, content, is_in_session):
    logs = tmp_path / "logs"
    session = logs / "plugins" / "profile" / "2026"
    session.mkdir(parents=True)
    file = session / "host.xplane.pb"
    file.write_bytes(content)
    ended = taken(logs if is_in_session else file, tmp_path, monkeypatch)
    assert ended.exit_code == Exit.NO_ADDRESS
    assert "is not a readable profile: " in ended.output
    assert not (tmp_path / ".scopelight").exists()


def test_a_compiled_program_alone_is_no_profile_of_a_run(tmp_path, monkeypatch, shared_hlo):
    (tmp_path / "program.pb").write_bytes(shared_hlo("h100-maxtext-hlo/jit_train_step.hlo.pb.xz").SerializeToString())
    ended = taken("program.pb", tmp_path, monkeypatch)
    assert ended.exit_code == Exit.NO_ADDRESS
    assert "a compiled program" in ended.output
    assert not (tmp_path / ".scopelight").exists()


def test_a_path_without_anything_is_refused_in_one_sentence(tmp_path, monkeypatch):
    ended = taken(tmp_path / "absent", tmp_path, monkeypatch)
    assert ended.exit_code == Exit.NO_ADDRESS
    assert ended.output.endswith("there is no such file or directory.\n")


@pytest.mark.parametrize(
    "below", ["", "plugins/profile", "plugins/profile/2026", "plugins/profile/2026/host.xplane.pb"]
)
def test_what_a_run_had_left_out_is_said_of_what_is_taken_from_it(tmp_path, below):
    run = tmp_path / "run"
    session = run / "plugins" / "profile" / "2026"
    session.mkdir(parents=True)
    write(session / "host.xplane.pb", TRACE)
    left_out = {"code": "limit-reached", "severity": "warning", "values": {"complete": 3, "asked": 10, "left_out": 7}}
    cut = {"code": "steps-cut", "severity": "note", "values": {"before": 2, "after": 1}}
    other = {"code": "process-not-captured", "severity": "warning", "values": {"process": "host_1", "why": "it left"}}
    said = {"format_version": 1, "state": "captured", "findings": [other, left_out, cut]}
    (run / "run.json").write_text(json.dumps(said))
    captured = FileSource(run / below).capture(FileSpec(tmp_path, tmp_path / "taken"))
    findings = find_run_information(captured.run.path).findings
    assert [(each.code, each.severity, dict(each.values)) for each in findings] == [
        (each["code"], each["severity"], each["values"]) for each in (left_out, cut)
    ]
