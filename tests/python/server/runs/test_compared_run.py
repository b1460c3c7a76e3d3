"""The shown run beside another: what is compared is told once, and panels ask for it by what its rows are."""

import json
import shutil

import pytest
import pytest_asyncio

from made.predictions import SCAN, UNROLLED

pytestmark = pytest.mark.asyncio


def described(run, **fields):
    information = json.loads((run / "run.json").read_text()) | fields
    (run / "run.json").write_text(json.dumps(information))
    return run


def git(commit, *, dirty=False):
    return {"commit": commit, "branch": "main", "dirty": dirty}


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path):
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    return editor


@pytest.fixture
def runs(tmp_path):
    """Two predictions of one step: with a scan over its layers, and with a loop of Python's."""
    before, after = (shutil.copytree(each, tmp_path / ".scopelight" / each.name) for each in (SCAN, UNROLLED))
    described(before, created="2026-03-01T12:03:00+00:00", git=git("3f2a1b0c99"))
    described(after, created="2026-03-01T12:05:00+00:00", git=git("77aa1b0c99", dirty=True))
    return before, after


async def compare(editor, run, before=None):
    wish = {"run": str(run), "before": None if before is None else str(before)}
    return await editor.result("scopelight/compareWith", wish)


async def compared(editor, **options):
    return await editor.result("scopelight/details/compared", options)


async def test_what_is_compared_is_said_in_words(editor, runs):
    before, after = runs
    sides = await compare(editor, after, before)
    assert (sides["run"], sides["before"], sides["after"]) == (str(after), [str(before)], [str(after)])
    assert sides["since"] == "3f2a"
    assert (sides["before_revision"], sides["after_revision"]) == ("3f2a1b0c", "77aa1b0c*")
    assert "3f2a1b0c" in sides["before_title"]
    # What was changed since is told from the commit itself.
    described(after, git=git("3f2a1b0c99", dirty=True))
    assert (await compare(editor, after, before))["since"] == "3f2a"
    # Commits that are the same tell nothing: the time does.
    described(after, git=git("3f2a1b0c99"))
    since = (await compare(editor, after, before))["since"]
    assert len(since) == len("12:03") and since.endswith(":03")


async def test_rows_sum_to_what_they_were_and_are(editor, runs):
    before, after = runs
    await editor.show(after)
    await compare(editor, after, before)
    for by in ("line", "op", "scope", "step", "memory", "shape"):
        record = await compared(editor, by=by)
        assert record["by"] == by
        for row in record["rows"]:
            if row["change_ps"] is not None:
                assert (row["before_ps"] or 0) + row["change_ps"] == (row["after_ps"] or 0)
    lines = {each["key"] for each in (await editor.result("scopelight/view/lines", {}))["record"]["lines"]}
    rows = (await compared(editor))["rows"]
    # A line that stands there still, and has no time any more, is in no view of it.
    timed = {row["after_key"] for row in rows if row["kind"] == "line" and row["after_ps"]}
    assert timed
    assert timed <= lines
    view = await editor.result("scopelight/view/comparison", {"by": "op"})
    assert view["run"]["path"] == str(after)
    assert view["record"] == await compared(editor, by="op")


async def test_a_comparison_is_of_its_run_alone(editor, runs):
    before, after = runs
    await compare(editor, after, before)
    assert "No run is shown" in (await editor.error("scopelight/view/comparison", {}))[1]
    await editor.show(before)
    assert "not compared" in (await editor.error("scopelight/details/compared", {}))[1]
    await editor.show(after)
    assert await compared(editor)
    await editor.result("scopelight/stopComparing", {})
    assert "not compared" in (await editor.error("scopelight/details/compared", {}))[1]


async def test_nothing_is_compared_with_itself(editor, runs):
    _, after = runs
    wish = {"run": str(after), "before": str(after)}
    _, said = await editor.error("scopelight/compareWith", wish)
    assert said == f"{after.name} is that very run: choose another one to compare it with."


async def test_a_link_to_a_run_is_that_run(editor, runs, tmp_path):
    _, after = runs
    link = tmp_path / "latest"
    link.symlink_to(after)
    assert (
        "that very run" in (await editor.error("scopelight/compareWith", {"run": str(after), "before": str(link)}))[1]
    )


async def test_an_experiment_is_both_sides_with_all_rounds(editor, runs, tmp_path):
    before, after = runs
    folder = tmp_path / ".scopelight" / "against"
    for side, run in (("before", before), ("after", after)):
        for number in (1, 2):
            copy = shutil.copytree(run, folder / side / f"round-{number}")
            described(copy, created=f"2026-03-01T12:0{number}:00+00:00")
    sides = await compare(editor, folder)
    assert sides["run"] == str(folder / "after" / "round-1")
    assert sides["before"] == [str(folder / "before" / f"round-{number}") for number in (1, 2)]
    assert sides["experiment"] == str(folder)
    await editor.show(folder / "after" / "round-1")
    assert (await compared(editor))["rounds"] == 2


async def test_views_are_compared_node_by_node_as_they_are_asked_for(editor, runs):
    before, after = runs
    await editor.show(after)
    assert "not compared" in (await editor.error("scopelight/details/comparedProfile", {}))[1]
    await compare(editor, after, before)
    profile = (await editor.result("scopelight/view/op-profile", {"by": "line"}))["record"]
    record = await editor.result("scopelight/details/comparedProfile", {"by": "line"})
    assert {row["key"] for row in profile["rows"] if row["kind"] != "element"} <= {
        node["key"] for node in record["nodes"]
    }
    flame = (await editor.result("scopelight/view/flame", {"measure": "flops"}))["record"]
    record = await editor.result("scopelight/details/comparedFlame", {"measure": "flops"})
    assert (record["unit"], {row["key"] for row in flame["rows"]} <= {node["key"] for node in record["nodes"]}) == (
        "flops",
        True,
    )
    graph = await editor.result("scopelight/details/comparedGraph", {"level": "scopes"})
    for each in (record, graph):
        roots = [node for node in each["nodes"] if node["parent"] is None]
        assert sum(node["change"] for node in roots) == each["total_after"] - each["total_before"] != 0


async def test_a_program_that_is_not_there_is_said_in_a_sentence(editor, runs):
    before, after = runs
    await editor.show(after)
    await compare(editor, after, before)
    wish = {"level": "scopes", "program": "nothing"}
    assert "no program nothing" in (await editor.error("scopelight/details/comparedGraph", wish))[1]


async def test_the_text_around_a_line_is_that_of_both(editor, runs):
    before, after = runs
    stored = after / "sources" / "home/user/project/step.py"
    lines = stored.read_text().split("\n")
    lines[24:25] = ["    # above", lines[24].replace("gelu", "relu")]
    stored.write_text("\n".join(lines))
    await editor.show(after)
    await compare(editor, after, before)
    file = "/home/user/project/step.py"
    place = {"before_file": file, "before_line": 25, "after_file": file, "after_line": 26}
    found = (await editor.result("scopelight/details/comparedLines", place))["lines"]
    changed = [each for each in found if None in (each["before_line"], each["after_line"])]
    assert [(each["before_line"], each["after_line"]) for each in changed] == [(25, None), (None, 25), (None, 26)]
    assert all(each["after_line"] - each["before_line"] in (0, 1) for each in found if each not in changed)
    assert len(found) == 3 + 3 + 3
    nowhere = {"before_file": "/no/such.py", "before_line": 3}
    assert (await editor.result("scopelight/details/comparedLines", nowhere))["lines"] == []


async def test_both_copies_of_a_file_can_be_read_and_no_others(editor, runs, tmp_path):
    before, after = runs
    await editor.show(after)
    file = "/home/user/project/step.py"
    wish = {"run": str(before), "file": file}
    assert (await editor.result("scopelight/recordedSource", wish))["text"] is None
    await compare(editor, after, before)
    assert "def block" in (await editor.result("scopelight/recordedSource", wish))["text"]
    assert "def block" in (await editor.result("scopelight/recordedSource", {"run": str(after), "file": file}))["text"]
    other = shutil.copytree(SCAN, tmp_path / "other")
    assert (await editor.result("scopelight/recordedSource", {"run": str(other), "file": file}))["text"] is None


async def test_memory_is_that_of_both_with_its_peak(editor, runs):
    before, after = runs
    await editor.show(after)
    await compare(editor, after, before)
    found = await editor.result("scopelight/details/comparedMemory", {})
    for side in (found["before"], found["after"]):
        assert side["program"] == "jit_train_step"
        assert 0 < max(side["bytes"]) <= side["peak_bytes"]
    planned = {
        each["name"]: (each["before"], each["after"]) for each in (await compared(editor, by="memory"))["quantities"]
    }
    assert planned["planned-peak"] == (found["before"]["peak_bytes"], found["after"]["peak_bytes"])


async def test_buffers_are_compared_as_the_memory_viewer_has_them(editor, runs):
    before, after = runs
    await editor.show(after)
    assert "not compared" in (await editor.error("scopelight/details/comparedList", {"of": "buffers"}))[1]
    await compare(editor, after, before)
    view = (await editor.result("scopelight/view/memory-viewer", {}))["record"]
    record = await editor.result("scopelight/details/comparedList", {"of": "buffers", "program": view["program_id"]})
    assert [node["key"] for node in record["nodes"] if node["after"] is not None] == [
        buffer["key"] for buffer in view["buffers"]
    ]
    planned = await editor.result("scopelight/details/comparedMemory", {})
    assert record["total_after"] == view["peak_bytes"] == planned["after"]["peak_bytes"]
    assert record["total_before"] == planned["before"]["peak_bytes"]
    wish = {"of": "buffers", "program": "nothing"}
    assert "no program nothing" in (await editor.error("scopelight/details/comparedList", wish))[1]


async def test_tables_of_what_a_prediction_has_not_are_empty(editor, runs):
    before, after = runs
    await editor.show(after)
    await compare(editor, after, before)
    for of in ("snapshot", "stages", "variants"):
        assert (await editor.result("scopelight/details/comparedList", {"of": of}))["nodes"] == []
