"""Tools of language models through the daemon: about the run that is shown, and only what a person agreed to."""

import json

import pytest


async def called(editor, name, agreed=False, **arguments):
    params = {"name": name, "arguments": json.dumps(arguments), "agreed": agreed}
    return await editor.result("scopelight/callTool", params)


@pytest.mark.asyncio
async def test_a_tool_answers_about_the_workspace(editor, captured):
    answer = await called(editor, "hot_lines")
    assert not answer["is_error"]
    assert "network.py:5" in answer["text"]
    assert answer["view"] == "lines"
    assert answer["run"] == str(captured.run)


@pytest.mark.asyncio
async def test_the_run_that_is_shown_is_meant_wherever_it_is(start_editor, extension_options, captured, tmp_path):
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    assert (await called(editor, "summary"))["is_error"]
    await editor.show(captured.run)
    answer = await called(editor, "line_detail", line="network.py:5")
    assert not answer["is_error"], answer["text"]
    assert (answer["file"], answer["line"]) == (str(captured.network), 5)
    # What is named is inside, or it is not read.
    assert "outside of the workspace" in (await called(editor, "summary", run=str(captured.folder)))["text"]


@pytest.mark.asyncio
async def test_no_script_runs_that_the_person_did_not_agree_to(editor, captured):
    answer = await called(editor, "profile_script", script="train.py", confirmed=True)
    assert answer["is_error"]
    assert "did not agree" in answer["text"]


@pytest.mark.asyncio
async def test_a_call_of_no_tool_is_an_answer_and_no_object_is_refused(editor, captured):
    assert "hot_lines" in (await called(editor, "nothing"))["text"]
    _, sentence = await editor.error("scopelight/callTool", {"name": "summary", "arguments": "[]"})
    assert "object" in sentence


@pytest.mark.asyncio
async def test_without_a_folder_nothing_is_read(start_editor, extension_options):
    editor = await start_editor()
    await editor.initialize(options=extension_options)
    _, sentence = await editor.error("scopelight/callTool", {"name": "summary", "arguments": "{}"})
    assert "Open a folder" in sentence
