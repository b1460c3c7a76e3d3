"""``scopelight runs`` lists what was captured."""

import json

from click.testing import CliRunner

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
