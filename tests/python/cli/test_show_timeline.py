"""``scopelight show timeline`` prints what the panel draws, decoded, for programs and people."""

import json

import pytest
from click.testing import CliRunner

from made.findings import said, values
from made.xspace import Line, plane, write
from scopelight.cli.main import main
from scopelight.formats.errors import FormatError


@pytest.fixture
def file(tmp_path):
    return write(
        tmp_path / "a.xplane.pb",
        plane(
            "/device:TPU:0",
            Line("XLA Ops", (("%while.1 = () while()", 0, 1_000), ("%dot.7 = f32[] dot()", 100, 400))),
            Line("_counters_", (("power (W)", 0, 0, 3.0), ("power (W)", 500, 0, 8.0))),
        ),
        plane("/host:CPU", Line("python", (("$train.py:1 main", 0, 2_000), ("\x1b[31mred", 50, 10)))),
    )


def show(file, *options):
    return CliRunner().invoke(main, ["show", "timeline", str(file), *options])


def test_json_has_the_columns_decoded(file):
    listing = json.loads(show(file, "--json").output)
    assert listing["timeline"]["duration_ps"] == 2_000
    assert listing["timeline"]["complete"]
    window = listing["window"]
    assert (window["start_ps"], window["end_ps"], window["width_px"], window["merged_px"]) == (0, 2_000, 1_000, 1)
    ops = next(track for track in window["tracks"] if track["id"] == "device:/device:TPU:0/XLA Ops")
    assert (ops["section"], ops["depths"], ops["busy_ps"]) == ("device:/device:TPU:0", 2, 1_400)
    boxes = [
        (row["depth"], box["start_ps"], box["busy_ps"], box["name"]) for row in ops["rows"] for box in row["boxes"]
    ]
    assert boxes == [(0, 0, 1_000, "while.1"), (1, 100, 400, "dot.7")]
    counter = window["counters"][0]
    assert (counter["unit"], counter["least"], counter["greatest"]) == ("W", 3, 8)
    assert [(point["start_ps"], point["greatest"]) for point in counter["points"]] == [(0, 3), (500, 8)]


def test_a_window_is_cut_out(file):
    window = json.loads(show(file, "--json", "--from", "200ps", "--to", "0.3ns", "--width", "1").output)["window"]
    ops = next(track for track in window["tracks"] if track["name"] == "XLA Ops")
    assert (ops["busy_ps"], ops["events"]) == (200, 2)
    assert [(point["start_ps"], point["least"]) for point in window["counters"][0]["points"]] == [(0, 3)]


def test_events_are_those_of_the_window(file):
    window = json.loads(show(file, "--json", "--from", "600ps").output)["window"]
    assert [(track["name"], track["events"]) for track in window["tracks"] if track["section"].startswith("device")][
        -1
    ] == ("XLA Ops", 1)


def test_people_see_how_busy_each_track_was(file):
    output = show(file, "--width", "10").output
    assert output.startswith("2.00 ns from 0 ps on, of 2.00 ns with 6 events. A cell is 200 ps.")
    line = next(line for line in output.splitlines() if line.startswith("XLA Ops"))
    assert line.split() == ["XLA", "Ops", "2", "2", "1.40", "ns", "50.0", "%", "█████"]
    assert "power (W): 3 to 8 W" in output
    assert "\x1b" not in output


def test_one_event_is_told_as_one(tmp_path):
    alone = write(tmp_path / "b.xplane.pb", plane("/host:CPU", Line("python", (("f", 0, 100),))))
    assert show(alone, "--width", "10").output.startswith("100 ps from 0 ps on, of 100 ps with 1 event. A cell")


def test_what_cannot_be_shown_is_a_sentence(file, tmp_path):
    assert "must end after it begins" in show(file, "--from", "1ns", "--to", "1ns").output
    assert "The profile is only 2.00 ns long." in show(file, "--from", "3s", "--to", "4s").output
    absent = show(tmp_path / "absent")
    assert absent.exit_code == 1
    program = tmp_path / "step.txt"
    program.write_text("HloModule m\n\nENTRY %main () -> f32[] {\n  ROOT %c = f32[] constant(1)\n}\n")
    assert "compiled program" in show(program).output
    assert json.loads(show(program, "--json").output)["window"] is None


def test_more_tracks_than_one_window_has_rows_are_all_drawn(tmp_path):
    lines = (
        Line(f"thread {number}", (("outer", number, 10), ("inner", number + 2, 5)), id=number + 1)
        for number in range(2_500)
    )
    counted = Line("_counters_", (("power (W)", 0, 0, 3.0),), id=9_000)
    file = write(tmp_path / "many.xplane.pb", plane("/host:CPU", *lines), plane("/device:TPU:0", counted))
    window = json.loads(show(file, "--json").output)["window"]
    threads = [track for track in window["tracks"] if track["kind"] == "thread"]
    assert [track["name"] for track in threads] == [f"thread {number}" for number in range(2_500)]
    assert {track["busy_ps"] for track in threads} == {15}
    assert all(
        sum(box["busy_ps"] for row in track["rows"] for box in row["boxes"]) == track["busy_ps"] for track in threads
    )
    assert len(window["counters"]) == 1


def test_a_counter_that_is_no_number_for_a_while(tmp_path):
    values = (("power (W)", 0, 0, 3.0), ("power (W)", 400, 0, float("nan")), ("power (W)", 800, 0, -2.0))
    file = write(
        tmp_path / "a.xplane.pb",
        plane("/device:TPU:0", Line("XLA Ops", (("dot.7", 0, 1_000),)), Line("_counters_", values)),
    )
    counter = json.loads(show(file, "--json").output)["window"]["counters"][0]
    assert [(point["start_ps"], point["least"], point["greatest"]) for point in counter["points"]] == [
        (0, 3, 3),
        (400, None, None),
        (800, -2, -2),
    ]
    assert (counter["least"], counter["greatest"]) == (-2, 3)
    assert "power (W): -2 to 3 W" in show(file).output


def test_a_profile_that_cannot_be_read_in_full_shows_what_can(file, monkeypatch):
    def refuse(path):
        raise FormatError("a field has the wire type 3", path=path, offset=12)

    monkeypatch.setattr("scopelight.views.opening.open_profile", refuse)
    result = show(file, "--json")
    assert result.exit_code == 0
    listing = json.loads(result.stdout)
    assert {track["name"]: track["busy_ps"] for track in listing["window"]["tracks"]} == {
        "XLA Ops": 1_400,
        "python": 2_010,
    }
    assert values(listing["timeline"], "timeline-incomplete")["offset"] == 12
    assert "at byte 12, a field has the wire type 3." in said(listing["timeline"], "warning")
    assert "warning: Steps" in show(file).output
