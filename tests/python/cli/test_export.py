"""``scopelight export`` writes a file for other viewers and says what it left out."""

import json
import os
import threading

import pytest
from click.testing import CliRunner

from made.predictions import SCAN
from made.recorded import DATA
from made.xspace import Line, plane, write
from scopelight.cli.main import main


@pytest.fixture
def profile():
    if not DATA.is_dir():
        pytest.skip("../shared/data is absent")
    return DATA / "tpu-v6e-host-offload"


@pytest.fixture
def made(tmp_path):
    """A small profile of a log directory: one op."""
    ops = Line("XLA Ops", (("dot.7", 100, 400),))
    return write(tmp_path / "log" / "plugins" / "profile" / "first" / "a.xplane.pb", plane("/device:TPU:0", ops))


def export(*arguments):
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


def test_a_file_for_chrome(profile, tmp_path):
    output = tmp_path / "trace.json"
    result = export(profile, "--format", "chrome", "--out", output)
    assert result.exit_code == 0
    events = [event for event in json.loads(output.read_text())["traceEvents"] if event["ph"] in "XC"]
    assert result.output.startswith(f"{len(events):,} events in {output}\n")
    assert "left out: 6\N{NARROW NO-BREAK SPACE}613 arguments that are bytes\n" in result.output
    assert list(tmp_path.iterdir()) == [output]


def test_one_event_is_told_as_one(made, tmp_path):
    output = tmp_path / "trace.json"
    assert export(made, "--format", "chrome", "--out", output).output == f"1 event in {output}\n"


def test_a_span(profile, tmp_path):
    output = tmp_path / "trace.json"
    result = export(profile, "--from", "40s", "--to", "40500.5ms", "--out", output)
    times = [
        (event["ts"], event["ts"] + event["dur"])
        for event in json.loads(output.read_text())["traceEvents"]
        if event["ph"] == "X"
    ]
    assert times
    assert all(start < 40_500_500 and end >= 40_000_000 for start, end in times)
    assert "events outside the time" in result.output


def test_times_beyond_all_time(profile, tmp_path):
    output = tmp_path / "trace.json"
    whole = export(profile, "--out", output).output.splitlines()[0]
    assert export(profile, "--from", "0s", "--to", "999999999999999999s", "--out", output).output.startswith(whole)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--from", "999999999999999999s"), "The profile is only 98.2 s long."),
        (("--from", "5ms", "--to", "1ms"), "The window must end after it begins."),
        (("--to", "0s"), "The window must end after it begins."),
    ],
)
def test_spans_without_a_time_are_refused(profile, tmp_path, options, sentence):
    output = tmp_path / "trace.json"
    result = export(profile, *options, "--out", output)
    assert result.exit_code == 2
    assert sentence in result.output
    assert not output.exists()


@pytest.mark.parametrize("time", ["5", "5 minutes", "-1s", "1e3ms", "s"])
def test_times_need_units(profile, tmp_path, time):
    result = export(profile, f"--from={time}", "--out", tmp_path / "trace.json")
    assert result.exit_code == 2
    assert "no time with a unit" in result.output


def test_what_cannot_be_read_or_written_is_said(profile, tmp_path):
    result = export(tmp_path / "nothing", "--out", tmp_path / "trace.json")
    assert result.exit_code == 1
    assert "there is no such file" in result.output
    result = export(profile, "--out", tmp_path / "no folder" / "trace.json")
    assert result.exit_code == 1
    assert "cannot be written" in result.output
    program = tmp_path / "step.txt"
    program.write_text("HloModule m\n\nENTRY %main (x: f32[]) -> f32[] {\n  ROOT %x = f32[] parameter(0)\n}\n")
    result = export(program, "--out", tmp_path / "trace.json")
    assert result.exit_code == 1
    assert "compiled program" in result.output
    assert not (tmp_path / "trace.json").exists()


def slices(text):
    return [event["name"] for event in json.loads(text)["traceEvents"] if event["ph"] == "X"]


def test_the_profile_itself_is_never_replaced(made, tmp_path):
    before = made.read_bytes()
    link, twin = tmp_path / "link.json", tmp_path / "twin.json"
    link.symlink_to(made)
    twin.hardlink_to(made)
    for path in (made, tmp_path / "log", link):
        for output in (made, link, twin):
            result = export(path, "--out", output)
            assert result.exit_code == 1
            assert "is the profile itself" in result.stderr
    assert made.read_bytes() == twin.read_bytes() == before
    assert link.is_symlink()


def test_files_of_the_run_are_never_replaced(made, tmp_path):
    run = tmp_path / "log"
    (run / "memory").mkdir()
    for kept in (run / "run.json", run / "memory" / "end.pprof"):
        kept.write_text("{}")
    for kept in (run / "run.json", run / "memory" / "end.pprof"):
        result = export(made, "--out", kept)
        assert result.exit_code == 1
        assert "is a file of the run itself" in result.stderr
        assert kept.read_text() == "{}"
    # An export may lie beside them, and take the place of an earlier one.
    for _ in range(2):
        assert export(made, "--out", run / "trace.json").exit_code == 0


def test_a_link_stays_and_its_target_is_written(made, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for target in (folder / "there.json", folder / "new.json"):
        link = tmp_path / f"to {target.name}"
        link.symlink_to(target)
        if target.name == "there.json":
            target.write_text("old")
        assert export(made, "--out", link).exit_code == 0
        assert link.is_symlink()
        assert slices(target.read_text()) == ["dot.7"]
    assert sorted(folder.iterdir()) == [folder / "new.json", folder / "there.json"]


def test_what_is_no_file_is_written_to_and_not_replaced(made, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    texts = []
    reader = threading.Thread(target=lambda: texts.append(pipe.read_text()), daemon=True)
    reader.start()
    result = export(made, "--out", pipe)
    reader.join(timeout=30)
    assert result.exit_code == 0
    assert pipe.is_fifo()
    assert slices(texts[0]) == ["dot.7"]


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_standard_output_holds_the_trace_and_nothing_else(made, tmp_path, monkeypatch, output):
    monkeypatch.chdir(tmp_path)
    result = export(made, "--out", output)
    assert result.exit_code == 0
    assert slices(result.stdout) == ["dot.7"]
    assert "1 event in standard output" in result.stderr
    assert not (tmp_path / "-").exists()


def test_warnings_are_said_and_written(made, tmp_path):
    newer = write(
        tmp_path / "log" / "plugins" / "profile" / "second" / "a.xplane.pb",
        plane("/device:TPU:0", Line("XLA Ops", (("add.2", 0, 10),))),
    )
    newer.write_bytes(newer.read_bytes() + b"\x0a\x7f")
    output = tmp_path / "trace.json"
    said = export(tmp_path / "log", "--out", output)
    shown = CliRunner().invoke(main, ["show", "timeline", str(tmp_path / "log"), "--json"])
    findings = json.loads(shown.stdout)["timeline"]["findings"]
    assert [each["code"] for each in findings] == ["several-sessions", "file-cut-off"]
    warnings = [" ".join(filter(None, (each["text"], each["remedy"]))) for each in findings]
    assert all(f"warning: {each}\n" in said.output for each in warnings)
    notes = json.loads(output.read_text())["otherData"]
    assert [text for name, text in notes.items() if name.startswith("warning")] == warnings


def test_a_prediction_has_no_timeline_and_a_flame_graph(tmp_path):
    said = export(SCAN, "--out", tmp_path / "trace.json")
    assert said.exit_code == 1
    assert "It has no timeline" in said.stderr
    assert f"`scopelight show lines {SCAN}`" in said.stderr
    assert not (tmp_path / "trace.json").exists()
    assert export(SCAN, "--format", "collapsed", "--out", tmp_path / "stacks.txt").exit_code == 0
