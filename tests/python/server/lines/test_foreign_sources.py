"""Lines whose files are not here: the run's own copies of them, and folders that the user says they are in."""

import json
import shutil
from pathlib import Path
from urllib.parse import quote

import attrs
import pytest

pytestmark = pytest.mark.asyncio

PRODUCT = 5
"""The line of network.py that computes."""


@attrs.frozen
class Foreign:
    """A run that was copied here without the files that its frames name. ``there`` is where those were."""

    run: object
    there: object
    sources: object

    def without_copies(self):
        shutil.rmtree(self.run / "sources")
        return self


@pytest.fixture
def foreign(captured, tmp_path):
    """The captured run as another machine has it: every path in it is of one that is not here."""
    run = tmp_path / "downloads" / "first"
    captured.copy_of_one_profile(run)
    here, there = str(captured.folder), str(captured.folder.with_name("e" * len(captured.folder.name)))
    for file in (*run.rglob("*.xplane.pb"), *run.glob("*.json"), run / "sources" / "index.json"):
        # As long as before, for lengths are written in front of names.
        file.write_bytes(file.read_bytes().replace(here.encode(), there.encode()))
    return Foreign(run, there, captured.folder)


def asked(foreign, name="network.py", line=PRODUCT):
    return {"file": f"{foreign.there}/{name}", "line": line}


def copy_of(foreign, name="network.py"):
    """The document that the extension opens."""
    file = f"{foreign.there}/{name}"
    query = quote(json.dumps({"run": str(foreign.run), "file": file}))
    return f"scopelight-source:{file}?{query}"


def open_copy(editor, uri, text):
    item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    editor.notify("textDocument/didOpen", {"textDocument": item})


@pytest.fixture
def in_no_folder(start_editor, extension_options):
    """An editor that has no folder open."""

    async def start():
        editor = await start_editor()
        await editor.initialize(options=extension_options)
        return editor

    return start


async def test_a_line_whose_file_is_not_here_is_in_the_runs_own_copy(in_no_folder, foreign):
    editor = await in_no_folder()
    await editor.show(foreign.run)
    found = await editor.result("scopelight/locateLine", asked(foreign))
    assert found == {
        **asked(foreign),
        "state": "current",
        "source": "copy",
        "run": str(foreign.run),
        "reason": None,
        "cell": None,
    }
    wanted = {"run": found["run"], "file": found["file"]}
    answer = await editor.result("scopelight/recordedSource", wanted)
    assert answer["text"] == (foreign.sources / "network.py").read_text()


@pytest.fixture
def present(foreign):
    """The file of the line, which is here after all."""
    there = Path(foreign.there)
    there.mkdir()
    yield Path(shutil.copy(foreign.sources / "network.py", there))
    shutil.rmtree(there)


async def test_a_file_that_is_deleted_while_it_is_open_gives_way_to_the_copy(in_no_folder, foreign, present):
    editor = await in_no_folder()
    editor.open(present)
    await editor.show(foreign.run)
    assert (await editor.result("scopelight/locateLine", asked(foreign)))["source"] == "file"
    present.unlink()
    found = await editor.result("scopelight/locateLine", asked(foreign))
    assert (found["source"], found["line"]) == ("copy", PRODUCT)


@pytest.mark.parametrize("left", ["", "\n\n"])
async def test_a_file_of_which_nothing_is_left_gives_way_to_the_copy(in_no_folder, foreign, present, left):
    editor = await in_no_folder()
    await editor.show(foreign.run)
    present.write_text(left)
    found = await editor.result("scopelight/locateLine", asked(foreign))
    assert (found["source"], found["line"]) == ("copy", PRODUCT)


async def test_without_a_copy_what_is_left_is_shown(in_no_folder, foreign, present):
    foreign.without_copies()
    editor = await in_no_folder()
    editor.open(present)
    await editor.show(foreign.run)
    present.unlink()
    assert (await editor.result("scopelight/locateLine", asked(foreign)))["source"] == "file"


async def test_the_copy_carries_what_the_file_would(in_no_folder, foreign):
    editor = await in_no_folder()
    uri = copy_of(foreign)
    open_copy(editor, uri, (foreign.sources / "network.py").read_text())
    await editor.show(foreign.run)
    told = await editor.next("scopelight/annotations", lambda params: params["uri"] == uri)
    assert [(each["line"], each["state"]) for each in told["annotations"]] == [(PRODUCT, "current")]
    place = {"textDocument": {"uri": uri}, "position": {"line": PRODUCT - 1, "character": 1}}
    card = await editor.result("textDocument/hover", place)
    assert "of the " in card["contents"]["value"]
    # It is no text of the file, which is still not here.
    assert (await editor.result("scopelight/locateLine", asked(foreign)))["source"] == "copy"
    line = {"file": f"{foreign.there}/network.py", "line": PRODUCT}
    assert "x @ weights" in (await editor.result("scopelight/copyAsMarkdown", line))["text"]


async def test_the_copy_of_another_run_carries_nothing(editor, captured, foreign):
    uri = copy_of(foreign)
    open_copy(editor, uri, captured.network.read_text())
    editor.open(captured.network)
    await editor.show(captured.run)
    await editor.annotations(captured.network, 1)
    place = {"textDocument": {"uri": uri}, "position": {"line": PRODUCT - 1, "character": 1}}
    assert await editor.result("textDocument/hover", place) is None
    text = await editor.result("scopelight/recordedSource", {"run": str(foreign.run), "file": asked(foreign)["file"]})
    assert text == {"text": None}


@pytest.mark.parametrize("file", ["/etc/passwd", "../../secret.py", "sources/../../../secret.py", "index.json", ""])
async def test_no_other_file_is_served_as_a_copy(editor, captured, file):
    await editor.show(captured.run)
    answer = await editor.result("scopelight/recordedSource", {"run": str(captured.run), "file": file})
    assert answer == {"text": None}


async def test_without_a_copy_a_sentence_says_so(in_no_folder, foreign):
    foreign.without_copies()
    editor = await in_no_folder()
    await editor.show(foreign.run)
    found = await editor.result("scopelight/locateLine", asked(foreign))
    assert found["source"] == "absent"
    assert found["reason"] == "network.py of the run is not on this machine, and the run keeps no copy of it."


@pytest.mark.parametrize(
    ("file", "source", "said"),
    [
        ("train.py", "absent", "train.py of the run is not"),
        ("experimental/users/me/train.py", "absent", "train.py of the run is not"),
        ("C:\\x\\y.py", "absent", "y.py of the run is not"),
        ("/opt/env/lib/python3.12/site-packages/flax/module.py", "absent", "module.py of the run is not"),
        ("<stdin>", "fileless", "<stdin> was typed into an interpreter"),
        ("<ipython-input-3>", "fileless", "<ipython-input-3> was typed into an interpreter"),
        ("/tmp/ipykernel_123/456.py", "fileless", "a cell of a notebook"),
        ("<frozen importlib._bootstrap>", "fileless", "<frozen importlib._bootstrap> is built into"),
    ],
)
async def test_a_path_of_any_kind_is_answered(editor, captured, file, source, said):
    found = await editor.result("scopelight/locateLine", {"file": file, "line": 3})
    assert found["source"] == source
    await editor.show(captured.run)
    found = await editor.result("scopelight/locateLine", {"file": file, "line": 3})
    assert (found["source"], found["file"], found["line"]) == (source, file, 3)
    assert said in found["reason"]
    _, sentence = await editor.error("scopelight/copyAsMarkdown", {"file": file, "line": 3})
    assert "no time" in sentence


async def test_a_located_folder_has_all_files_of_the_run(in_no_folder, foreign):
    foreign.without_copies()
    editor = await in_no_folder()
    await editor.show(foreign.run)
    wanted = {"file": asked(foreign)["file"], "folder": str(foreign.sources)}
    located = await editor.result("scopelight/locateFolder", wanted)
    assert located == {"recorded": foreign.there, "folder": str(foreign.sources), "reason": None}
    folders = {located["recorded"]: located["folder"]}
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"source_folders": folders}}})
    # The line can be opened at once, by the name that whoever asks still has for it.
    for name in ("network.py", "train.py"):
        found = await editor.result("scopelight/locateLine", asked(foreign, name))
        assert (found["source"], found["file"], found["line"]) == ("file", str(foreign.sources / name), PRODUCT)
    network = foreign.sources / "network.py"
    editor.open(network)
    assert PRODUCT in await editor.annotations(network, 1)
    await editor.next("scopelight/shownRun", lambda params: params["run"]["files"][0].startswith(str(foreign.sources)))
    found = await editor.result("scopelight/locateLine", asked(foreign))
    assert (found["source"], found["file"]) == ("file", str(network))
    # It holds until it is taken back.
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"source_folders": None}}})
    uri = network.as_uri()
    await editor.next("scopelight/annotations", lambda told: (told["uri"], told["annotations"]) == (uri, []))


async def test_a_folder_without_the_file_is_told_of(editor, captured, tmp_path):
    wanted = {"file": "/job/absent.py", "folder": str(captured.folder)}
    located = await editor.result("scopelight/locateFolder", wanted)
    assert (located["recorded"], located["folder"]) == (None, None)
    assert (
        located["reason"]
        == f"{captured.folder} holds no file that absent.py of the run must be: choose another folder."
    )


async def test_a_folder_here_is_a_whole_path(editor, captured):
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"source_folders": {"/job": "src"}}}})
    message = await editor.next("window/showMessage")
    assert "scopelight.sourceFolders “src” is left out" in message["message"]
