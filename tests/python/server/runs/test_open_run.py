"""Opening a run: what is told, and that it is read once."""

import asyncio
import json
import re
import shutil

import pytest

from made.findings import codes

pytestmark = pytest.mark.asyncio


async def test_tells_the_run_and_its_hottest_line(editor, captured):
    opened = await editor.show(captured.run)
    assert opened["path"] == str(captured.run)
    assert opened["title"] == "train.py"
    assert opened["hottest"]["file"] in (str(captured.train), str(captured.network))
    assert not codes(opened, "empty")
    assert opened["never_ran"] is False
    assert opened["has"] == ["executions", "waiting", "programs", "memory", "traces"]
    assert not opened["memory_alone"]
    assert set(opened["files"]) >= {str(captured.network)}
    assert (await editor.next("scopelight/shownRun"))["run"] == opened


async def test_runs_of_scripts_of_one_name_are_told_apart(start_editor, captured, extension_options, tmp_path):
    folder = tmp_path.resolve()
    runs = [shutil.copytree(captured.run, folder / ".scopelight" / job) for job in ("one", "two")]
    for run in runs:
        information = json.loads((run / "run.json").read_text())
        information |= {"script": f"{run.name}/train.py", "cwd": str(folder)}
        (run / "run.json").write_text(json.dumps(information))
    editor = await start_editor()
    await editor.initialize(folder, options=extension_options)
    for run in runs:
        opened = await editor.show(run)
        assert opened["title"] == f"{run.name}/train.py"
        assert opened["summary"].startswith(f"{run.name}/train.py: ")


async def test_the_hottest_line_is_where_it_is_in_the_present_text(editor, captured):
    before = (await editor.show(captured.run))["hottest"]
    file = captured.network if before["file"] == str(captured.network) else captured.train
    editor.open(file, text=f"# first\n# second\n{file.read_text()}")
    await editor.result("scopelight/closeRun")
    assert (await editor.show(captured.run))["hottest"]["line"] == before["line"] + 2


async def test_the_hottest_line_is_one_that_is_on_this_machine(start_editor, captured, extension_options, tmp_path):
    folder = tmp_path.resolve() / "elsewhere"
    run = shutil.copytree(captured.run, folder / "run")
    shutil.rmtree(run / "sources")
    editor = await start_editor()
    await editor.initialize(captured.folder, options=extension_options)
    first = (await editor.show(run))["hottest"]
    file = captured.network if first["file"] == str(captured.network) else captured.train
    other = captured.train if file == captured.network else captured.network
    await editor.result("scopelight/closeRun")
    gone = file.rename(folder / file.name)
    try:
        opened = await editor.show(run)
    finally:
        gone.rename(file)
    assert opened["hottest"]["file"] == opened["hottest"]["recorded_file"] == str(other)
    # A line of the script that was run goes without its name.
    named = f"line {first['line']}" if file == captured.train else f"{file.name}:{first['line']}"
    assert f"{named}, which is not on this machine; " in opened["summary"]


async def test_reports_its_stages_under_the_clients_token(editor, captured):
    await editor.result("scopelight/openRun", {"path": str(captured.run), "workDoneToken": "opening"})
    values = [message["params"]["value"] for message in editor.received if message["method"] == "$/progress"]
    assert [value["kind"] for value in values] == ["begin", "report", "report", "end"]
    assert [value["message"] for value in values if value["kind"] == "report"] == ["reading", "analysing"]


async def test_says_that_the_reader_is_compiled_where_that_was_never_done(
    start_editor, captured, tmp_path, extension_options
):
    stages = []
    for _ in range(2):
        editor = await start_editor(NUMBA_CACHE_DIR=str(tmp_path))
        await editor.initialize(captured.folder, options=extension_options)
        await editor.result("scopelight/openRun", {"path": str(captured.run), "workDoneToken": "opening"})
        values = [message["params"]["value"] for message in editor.received if message["method"] == "$/progress"]
        stages.append([value["message"] for value in values if value["kind"] == "report"])
    assert stages == [["compiling the reader (once)", "analysing"], ["reading", "analysing"]]


async def profiles_read(editor):
    """How often profiles were computed, shared by requests at the same time, and reused."""
    information = (await editor.result("scopelight/debugInformation"))["text"]
    found = re.search(r"profiles read: computed (\d+), shared (\d+), reused (\d+)", information)
    return tuple(map(int, found.groups()))


async def test_two_requests_for_one_run_read_it_once(editor, captured):
    first = editor.begin("scopelight/openRun", {"path": str(captured.run)})[1]
    second = editor.begin("scopelight/openRun", {"path": str(captured.run)})[1]
    assert (await first)["result"] == (await second)["result"]
    # What works beside the requests may find the profile read, too.
    computed, shared, reused = await profiles_read(editor)
    assert computed == 1
    assert shared >= 1
    await editor.show(captured.run)
    computed, _, reused_since = await profiles_read(editor)
    assert computed == 1
    assert reused_since > reused


async def test_a_run_whose_files_changed_is_read_again(start_editor, captured, tmp_path, extension_options):
    run = tmp_path / "run"
    shutil.copytree(captured.run, run)
    editor = await start_editor()
    await editor.initialize(captured.folder, options=extension_options)
    await editor.show(run)
    (run / "run.json").write_text((run / "run.json").read_text() + "\n")
    await editor.show(run)
    assert "profiles read: computed 2" in (await editor.result("scopelight/debugInformation"))["text"]


@pytest.fixture
def long_run(captured, tmp_path):
    """A run that takes seconds to read: of many hosts, each with the same profile."""
    run = tmp_path / "long"
    shutil.copytree(captured.run, run)
    profile = captured.largest_profile(run)
    for number in range(60):
        (profile.parent / f"host{number}.xplane.pb").symlink_to(profile)
    return run


async def test_cancelling_leaves_the_shown_run_as_it_was(editor, captured, long_run):
    shown = await editor.show(captured.run)
    number, answer = editor.begin("scopelight/openRun", {"path": str(long_run), "workDoneToken": 1})
    await editor.next("$/progress", lambda params: params["value"]["kind"] == "begin")
    editor.notify("$/cancelRequest", {"id": number})
    assert (await answer)["error"]["code"] == -32800
    assert (await editor.result("scopelight/view/lines"))["run"] == shown


async def test_cancelling_the_progress_cancels_the_request(editor, long_run):
    _, answer = editor.begin("scopelight/openRun", {"path": str(long_run), "workDoneToken": "mine"})
    await editor.next("$/progress", lambda params: params["value"]["kind"] == "begin")
    editor.notify("window/workDoneProgress/cancel", {"token": "mine"})
    assert (await answer)["error"]["code"] == -32800


async def test_of_two_runs_the_one_that_was_asked_for_last_is_shown(editor, captured, long_run):
    first = editor.begin("scopelight/openRun", {"path": str(long_run)})[1]
    second = editor.begin("scopelight/openRun", {"path": str(captured.run)})[1]
    answers = await asyncio.gather(first, second)
    assert answers[0]["error"]["code"] == -32800
    assert answers[1]["result"]["path"] == str(captured.run)
    assert (await editor.result("scopelight/view/lines"))["run"]["path"] == str(captured.run)


async def test_other_requests_are_answered_while_a_run_is_read(editor, captured, long_run):
    await editor.show(captured.run)
    editor.open(captured.network)
    opening = editor.begin("scopelight/openRun", {"path": str(long_run), "workDoneToken": 1})[1]
    await editor.next("$/progress", lambda params: params["value"]["kind"] == "begin")
    assert await editor.hover(captured.network, 5)
    assert not opening.done()
    assert "result" in await opening


async def test_a_path_without_a_profile_gets_a_sentence(editor, tmp_path):
    code, sentence = await editor.error("scopelight/openRun", {"path": str(tmp_path)})
    assert code == -32803
    assert "holds no profile" in sentence


async def test_a_damaged_profile_gets_a_sentence_and_the_shown_run_stays(editor, captured, tmp_path):
    shown = await editor.show(captured.run)
    damaged = tmp_path / "damaged"
    profile = captured.copy_of_one_profile(damaged)
    profile.write_bytes(profile.read_bytes()[:5000])
    code, sentence = await editor.error("scopelight/openRun", {"path": str(damaged)})
    assert code == -32803
    assert str(profile) in sentence
    assert (await editor.result("scopelight/view/lines"))["run"] == shown


async def test_a_relative_path_is_refused(editor):
    code, sentence = await editor.error("scopelight/openRun", {"path": "runs/first"})
    assert code == -32602
    assert "not absolute" in sentence


async def test_a_profile_that_was_captured_elsewhere_opens(editor, shared_data):
    opened = await editor.show(shared_data / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb")
    assert opened["title"] == "tpu_inference_2.xplane.pb"
    view = await editor.result("scopelight/view/lines")
    assert len(view["places"]) == len(view["sources"]) == len(view["record"]["lines"]) > 0
    assert all(place is None for place in view["places"])
