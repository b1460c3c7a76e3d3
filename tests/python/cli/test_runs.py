"""``scopelight runs`` lists what was captured."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from made.servers import s3_server
from made.xspace import Line, plane, write
from scopelight.cli.main import main


def made_run(folder, name, **fields):
    path = folder / ".scopelight" / name
    path.mkdir(parents=True)
    information = {"format_version": 1, "script": "train.py", "args": ["--fast"], "state": "captured", **fields}
    (path / "run.json").write_text(json.dumps(information))
    return path


def test_runs_are_listed_newest_first(tmp_path):
    made_run(tmp_path, "a", created="2026-01-01T10:00:00+00:00", backend="cpu", devices=[{}, {}])
    made_run(tmp_path, "b", created="2026-01-02T10:00:00+00:00", exit_code=3)
    result = CliRunner().invoke(main, ["runs", str(tmp_path), "--json"])
    assert result.exit_code == 0
    listed = json.loads(result.output)
    assert [run["path"].rpartition("/")[2] for run in listed] == ["b", "a"]
    assert listed[0]["exit_code"] == 3
    assert (listed[1]["backend"], listed[1]["devices"]) == ("cpu", 2)
    assert listed[1]["size_bytes"] == (tmp_path / ".scopelight" / "a" / "run.json").stat().st_size
    printed = CliRunner().invoke(main, ["runs", str(tmp_path)]).output
    assert "train.py --fast" in printed
    assert "exit code 3" in printed


def test_a_run_of_a_newer_format_is_listed_with_its_problem(tmp_path):
    made_run(tmp_path, "new", format_version=99)
    (run,) = json.loads(CliRunner().invoke(main, ["runs", str(tmp_path), "--json"]).output)
    assert "format version 99" in run["problem"]


def test_rounds_of_two_revisions_are_one_line(tmp_path):
    folder = ".scopelight/20260101-train-against-aaaaaaaa"
    for side, number in (("before", 1), ("after", 1), ("before", 2)):
        path = tmp_path / folder / side / f"round-{number}"
        path.mkdir(parents=True)
        (path / "run.json").write_text(json.dumps({"format_version": 1, "state": "captured"}))
    told = {
        "format_version": 1,
        "state": "interrupted",
        "script": "train.py",
        "args": ["--fast"],
        "before": {"commit": "a" * 40, "subject": "Begin"},
        "after": {"commit": "b" * 40, "subject": "Go on", "dirty": True},
        "rounds_planned": 5,
    }
    (tmp_path / folder / "comparison.json").write_text(json.dumps(told))
    printed = CliRunner().invoke(main, ["runs", str(tmp_path)]).output
    assert printed == (
        f"{tmp_path / folder}: train.py --fast, aaaaaaaa \N{RIGHTWARDS ARROW} bbbbbbbb*, 1 of 5 rounds, interrupted\n"
    )
    (listed,) = json.loads(CliRunner().invoke(main, ["runs", str(tmp_path), "--json"]).output)
    assert (listed["kind"], listed["rounds"]) == ("experiment", 1)
    (tmp_path / folder / "comparison.json").write_text('{"format_version": 9}')
    assert "newer than this Scopelight reads" in CliRunner().invoke(main, ["runs", str(tmp_path)]).output


def test_names_of_folders_stay_on_their_lines(tmp_path):
    """A name may have a newline in it, and what a terminal obeys."""
    made_run(tmp_path, "a\nb\x1b[2J", args=["\x1b[2J\n"])
    session(tmp_path / "logs\x1b[2J", "2025_11_19_04_47_36", "one\x1b[2J", "two")
    folder = tmp_path / ".scopelight" / "c\nd"
    folder.mkdir()
    (folder / "comparison.json").write_text(json.dumps({"format_version": 1, "script": "a\x1b[2J.py"}))
    printed = CliRunner().invoke(main, ["runs", str(tmp_path)]).output
    assert "\x1b" not in printed
    assert len(printed.splitlines()) == 2 + 1 + 4
    assert "a\N{REPLACEMENT CHARACTER}b" in printed
    assert "c\N{REPLACEMENT CHARACTER}d: " in printed


def test_a_folder_without_runs_says_how_to_make_one(tmp_path):
    result = CliRunner().invoke(main, ["runs", str(tmp_path)])
    assert result.exit_code == 0
    assert "scopelight run" in result.output


def test_a_missing_folder_is_an_error(tmp_path):
    result = CliRunner().invoke(main, ["runs", str(tmp_path / "absent")])
    assert result.exit_code == 1
    assert "not a folder" in result.output


def test_arguments_are_listed_as_one_types_them(tmp_path):
    made_run(tmp_path, "a", args=["--name", "two words"])
    assert "train.py --name 'two words'" in CliRunner().invoke(main, ["runs", str(tmp_path)]).output


def session(root, name, *hosts):
    folder = root / "plugins" / "profile" / name
    folder.mkdir(parents=True)
    for host in hosts:
        write(folder / f"{host}.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", (("dot.0", 0, 100),))))
    return folder


def test_sessions_and_hosts_of_a_run_are_listed(tmp_path):
    run = made_run(tmp_path, "a")
    session(run, "2025_11_19_04_47_36", "one")
    session(run, "2025_11_20_04_47_36", "one")
    newest = session(run, "2025_11_20_04_47_38", "two")
    (listed,) = json.loads(CliRunner().invoke(main, ["runs", str(tmp_path), "--json"]).output)
    assert [(each["name"], each["folders"]) for each in listed["sessions"]] == [
        ("2025_11_20_04_47_38", 2),
        ("2025_11_19_04_47_36", 1),
    ]
    assert [host["name"] for host in listed["sessions"][0]["hosts"]] == ["one", "two"]
    assert listed["sessions"][0]["path"] == str(newest)
    printed = CliRunner().invoke(main, ["runs", str(tmp_path)]).output
    assert f"{newest}  2 hosts in 2 folders" in printed
    assert str(newest / "two.xplane.pb") in printed


def test_log_directories_that_are_no_runs_are_listed_from_deep_below(tmp_path):
    deep = tmp_path / "logs" / "exp1" / "train"
    session(deep, "2025_11_20_04_47_36", "one", "one.part2")
    session(tmp_path / "node_modules", "2025_11_20_04_47_36", "one")
    session(made_run(tmp_path, "a"), "2025_11_20_04_47_36", "one")
    listed = json.loads(CliRunner().invoke(main, ["runs", str(tmp_path), "--json"]).output)
    assert [(each["kind"], each["path"]) for each in listed[1:]] == [("log-directory", str(deep))]
    ((host,),) = [each["hosts"] for each in listed[1]["sessions"]]
    assert (host["name"], host["path"]) == ("one", None)
    assert f"{deep}: 1 session" in CliRunner().invoke(main, ["runs", str(tmp_path)]).output


def test_a_log_directory_on_a_server_is_shown_reported_exported_and_listed(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    session(tmp_path / "logs", "2025_11_20_04_47_36", "one")
    with s3_server(monkeypatch) as server:
        address = server.put(tmp_path / "logs", "deep/exp1")
        first = CliRunner().invoke(main, ["show", "lines", address, "--json"])
        assert "downloaded from s3://logs/deep/exp1" in first.stderr
        assert json.loads(first.stdout)["op_time_ps"] == 100
        again = CliRunner().invoke(main, ["show", "lines", "s3://logs", "--json"])
        assert again.stderr == ""
        assert again.stdout == first.stdout
        assert "s3://logs/deep/exp1: 1 session" in CliRunner().invoke(main, ["runs", "s3://logs"]).stdout
        for command in (["report", address], ["export", address, "--out", str(tmp_path / "trace.json")]):
            result = CliRunner().invoke(main, command)
            assert (result.exit_code, result.stderr) == (0, "")
        assert (tmp_path / "trace.json").stat().st_size


@pytest.mark.parametrize("command", [["show", "lines"], ["runs"], ["report"]])
def test_an_address_that_cannot_be_read_is_one_sentence(tmp_path, monkeypatch, command):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    result = CliRunner().invoke(main, [*command, "http://127.0.0.1:9/logs"])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "the server cannot be reached" in result.stderr


def test_a_run_whose_process_is_gone_does_not_run(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    made_run(tmp_path, "a", state="running", predicted_for="v5e-8", progress={"stage": "predicting", "pid": ended.pid})
    made_run(tmp_path, "b", state="running", progress={"stage": "compiling", "pid": os.getpid()})
    (gone, other) = json.loads(CliRunner().invoke(main, ["runs", str(tmp_path), "--json"]).output)[::-1]
    assert (gone["state"], other["state"]) == ("failed", "running")
    assert gone["failure"] == "The capture was ended before it had saved a profile."
