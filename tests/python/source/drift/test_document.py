import json

import attrs
import pytest

from scopelight.analysis.records import LineRecord
from scopelight.source.drift.document import RunDrift
from scopelight.source.drift.drift import Place
from scopelight.source.reading import split_lines
from scopelight.source.recorded import RecordedSources

TEXT = """\
import jax

def norm(x):
    return x * jax.lax.rsqrt(x)

def step(params, x):
    y = x @ params
    return norm(y)
"""
LINES = split_lines(TEXT)


def line(file, number, function=""):
    """A record of which only the place matters."""
    unimportant = {field.name: None for field in attrs.fields(LineRecord) if field.default is attrs.NOTHING}
    return LineRecord(**(unimportant | {"file": file, "line": number, "function": function}))


@pytest.fixture
def sources(tmp_path):
    """A run's copies of files, by recorded path and text."""

    def make(texts, **options):
        folder = tmp_path / "run" / "sources"
        folder.mkdir(parents=True)
        index = {}
        for number, (recorded, text) in enumerate(texts.items()):
            (folder / f"{number}.py").write_bytes(text.encode())
            index[recorded] = {"file": f"{number}.py"}
        (folder / "index.json").write_text(json.dumps(index))
        return RecordedSources(folder, **options)

    return make


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "train.py"
    file.write_text(TEXT)
    return file


def test_rows_are_placed_in_the_text_that_is_open_and_found_by_their_place(script, sources):
    run = RunDrift(
        [line(str(script), 7), line("/elsewhere/b.py", 1), line(str(script), 4)], sources({str(script): TEXT})
    )
    drift = run.follow(str(script), ["# unsaved", *LINES])
    assert [(each.row, each.place) for each in drift.rows] == [(0, Place(8, "current")), (2, Place(5, "current"))]
    assert (drift.at(8), drift.at(5), drift.at(1)) == (0, 2, None)
    assert run.locate(str(script), 3, ["", *LINES]) == Place(4, "current")
    assert run.follow("/elsewhere/c.py", LINES) is None


def test_the_copy_of_the_run_counts_and_not_the_file_on_the_disk(script, sources):
    run = RunDrift([line(str(script), 7)], sources({str(script): TEXT.replace("\n", "\r\n")}))
    script.write_text("changed = 1\n" * 20)
    assert run.follow(str(script), LINES).rows[0].place == Place(7, "current")
    assert run.follow(str(script), split_lines(script.read_text())).rows[0].place.state == "gone"


def test_a_path_is_the_same_by_detours_and_links_but_not_in_another_case(script, sources, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    run = RunDrift([line(str(script), 7)], sources({str(script): TEXT}))
    for path in (f"{tmp_path}/x/../train.py", f"{tmp_path}/link/train.py"):
        assert run.follow(path, LINES).at(7) == 0
    assert run.files_of(f"{tmp_path}/Train.py") == ()
    linked = f"{tmp_path}/link/train.py"
    both = RunDrift([line(str(script), 7), line(linked, 8)], RecordedSources())
    assert both.files_of(str(script)) == (str(script), linked)
    assert [each.row for each in both.follow(str(script), LINES).rows] == [0, 1]


def test_paths_that_are_none(sources):
    run = RunDrift([line("<string>", 1), line("bad\0name", 1), line(None, 3)], RecordedSources())
    assert run.files_of("<string>") == ("<string>",)
    assert run.files_of("bad\0name", LINES) == ("bad\0name",)
    assert run.follow("/x\0y", LINES) is None


def test_a_renamed_file_is_the_recorded_one_and_a_copy_of_it_is_not(script, sources, tmp_path):
    run = RunDrift([line(str(script), 7)], sources({str(script): TEXT}))
    renamed = tmp_path / "renamed.py"
    assert run.follow(str(renamed), LINES) is None
    script.rename(renamed)
    edited = [*LINES[:3], "    typed = 1", *LINES[3:]]
    assert run.follow(str(renamed), edited).rows[0].place == Place(8, "current")
    assert run.path_of(str(script)) == str(renamed)
    # It has become this one file: what looks like it beside it is a copy.
    assert run.follow(str(tmp_path / "copy.py"), LINES) is None
    script.write_text(TEXT)
    assert run.follow(str(renamed), LINES) is None
    assert run.path_of(str(script)) == str(script)


@pytest.mark.parametrize("other", [["import jax"], LINES[::-1], LINES[:4], [*LINES, *LINES]])
def test_a_text_that_is_not_mostly_the_recorded_one_is_another_file(script, sources, other):
    run = RunDrift([line(str(script), 7)], sources({str(script): TEXT}))
    script.unlink()
    assert run.follow("/w/other.py", other) is None


def test_without_a_copy_a_line_outside_of_its_function_is_stale(script):
    rows = [line(str(script), 7, "step"), line(str(script), 4, "step"), line(str(script), 99, "norm")]
    run = RunDrift(rows, RecordedSources())
    assert [each.place.state for each in run.follow(str(script), LINES).rows] == ["current", "stale", "gone"]
    edited = ["# typed", *LINES]
    assert run.follow(str(script), edited).rows[0].place == Place(8, "current")
    assert run.follow(str(script), edited).rows[1].place == Place(5, "stale")
    changed = [text.replace("x @ params", "x @ weights") for text in edited]
    assert run.follow(str(script), changed).rows[0].place == Place(8, "stale")


def test_without_a_copy_lines_follow_from_the_text_seen_first_even_while_it_cannot_be_parsed(script):
    rows = [line(str(script), 7, "step"), line(str(script), 4, "step")]
    run = RunDrift(rows, RecordedSources())
    broken = [*LINES, "def f(:"]
    assert [each.place.state for each in run.follow(str(script), broken).rows] == ["current", "current"]
    assert [each.place.state for each in run.follow(str(script), ["", *LINES]).rows] == ["current", "stale"]
    assert run.follow(str(script), ["def f(:", *LINES]).rows[0].place == Place(8, "current")


def test_without_a_copy_the_version_in_which_all_lines_are_in_their_functions_is_followed(script):
    run = RunDrift([line(str(script), 7, "step"), line(str(script), 4, "norm")], RecordedSources())
    older = [*(f"note_{number} = 1" for number in range(5)), *LINES]
    assert [each.place.state for each in run.follow(str(script), older).rows] == ["stale", "stale"]
    assert [each.place for each in run.follow(str(script), LINES).rows] == [Place(7, "current"), Place(4, "current")]


def test_a_file_recorded_elsewhere_is_followed_from_its_copy(script, sources):
    recorded = "/ml/job/train.py"
    copies = sources({recorded: TEXT, "relative.py": "a = 1"}, cwd="/ml", renamed={recorded: str(script)})
    assert copies.lines(str(script)) == LINES
    assert copies.lines("/ml/relative.py") == ["a = 1"]
    assert copies.lines(recorded) is None
    run = RunDrift([line(str(script), 7)], copies)
    assert run.follow(str(script), ["# typed", *LINES]).at(8) == 0


def test_a_run_that_does_not_know_a_file_takes_it_as_it_is():
    run = RunDrift([], RecordedSources())
    assert run.locate("/w/a.py", 2, LINES) == Place(2, "current")
    assert run.locate("/w/a.py", 200, LINES) == Place(len(LINES), "gone")
