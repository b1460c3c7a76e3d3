"""Quick fixes: the one number that is provably the size, replaced by one that fits."""

import pytest

pytestmark = pytest.mark.asyncio

INPUT = '    hidden = jnp.tanh(x @ weights["in"])'
SIZES = "BATCH, FEATURES, HIDDEN = 64, 100, 520"
PREVIEW = {"workspace": {"workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}}}


async def opened(start_editor, padded, extension_options, capabilities=PREVIEW):
    editor = await start_editor()
    options = {**extension_options, "settings": {"target": "TPU v5e", "padding_share_ratio": 0.001, "advice": False}}
    await editor.initialize(padded.folder, options=options, capabilities=capabilities)
    editor.open(padded.train)
    await editor.show(padded.run)
    await editor.next("textDocument/publishDiagnostics", lambda params: params["diagnostics"])
    return editor


async def fixes(editor, file, text, **context):
    """The quick fixes on a line, by their titles' beginnings."""
    line = text.split("\n").index(INPUT)
    where = {"start": {"line": line, "character": 4}, "end": {"line": line, "character": 4}}
    params = {
        "textDocument": {"uri": file.as_uri()},
        "range": where,
        "context": {"diagnostics": [], **context},
    }
    found = await editor.result("textDocument/codeAction", params)
    return {each["title"].partition(" from ")[0]: each for each in found}


async def test_the_size_is_changed_where_it_is_written_after_a_preview(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    text = padded.train.read_text()
    found = await fixes(editor, padded.train, text)
    fix = found["Pad HIDDEN"]
    assert fix["kind"] == "quickfix"
    assert fix["title"].startswith("Pad HIDDEN from 520 to 640 (")
    assert fix["diagnostics"][0]["code"] == "padding"
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": padded.train.as_uri(), "version": 1}
    (edit,) = change["edits"]
    line = text.split("\n").index(SIZES)
    assert edit["range"] == {
        "start": {"line": line, "character": SIZES.index("520")},
        "end": {"line": line, "character": len(SIZES)},
    }
    assert edit["newText"] == "640"
    assert fix["edit"]["changeAnnotations"][edit["annotationId"]]["needsConfirmation"] is True


async def test_a_client_without_a_preview_gets_a_plain_edit(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options, capabilities={})
    fix = (await fixes(editor, padded.train, padded.train.read_text()))["Pad HIDDEN"]
    (edit,) = fix["edit"]["changes"][padded.train.as_uri()]
    assert edit["newText"] == "640"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The number is there twice: which one is the size cannot be told.
        ("    hidden =", "    _ = 520\n    hidden ="),
        # It is written for another name than when it was measured.
        ("HIDDEN", "WIDTH"),
        # The name may be another number where the shape is made.
        ("x = jnp.ones(", "HIDDEN = len(weights)\nx = jnp.ones("),
        # It does not make the shape of an array.
        ('"in": jnp.ones((FEATURES, HIDDEN)), "out": jnp.ones((HIDDEN, 256))', '"in": load(), "out": load()'),
        # It is the number of steps too.
        ("for _ in range(1200)", "for _ in range(HIDDEN)"),
        # Its dimension is divided by what it is not written for.
        ("x = jnp.ones(", "parts = weights['in'].T.reshape(8, 65, -1)\nx = jnp.ones("),
        # In the middle of typing nothing is certain.
        ("x = jnp.ones(", "x = jnp.ones(("),
    ],
)
async def test_where_it_is_not_certain_there_is_none(start_editor, padded, extension_options, old, new):
    editor = await opened(start_editor, padded, extension_options)
    text = padded.train.read_text()
    assert old in text
    changed = text.replace(old, new)
    editor.change(padded.train, changed, 2)
    found = await fixes(editor, padded.train, changed)
    assert not {"Pad HIDDEN", "Pad WIDTH"} & set(found)


async def test_one_size_is_changed_after_the_other(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    text = padded.train.read_text()
    assert {"Pad HIDDEN", "Pad FEATURES"} <= set(await fixes(editor, padded.train, text))
    changed = text.replace(SIZES, SIZES.replace("520", "640"))
    assert changed != text
    editor.change(padded.train, changed, 2)
    await editor.next("textDocument/publishDiagnostics", lambda params: "Edited" in str(params["diagnostics"]))
    found = await fixes(editor, padded.train, changed)
    assert "Pad HIDDEN" not in found
    (change,) = found["Pad FEATURES"]["edit"]["documentChanges"]
    assert change["textDocument"]["version"] == 2
    assert change["edits"][0]["range"]["start"] == {
        "line": text.split("\n").index(SIZES),
        "character": SIZES.index("100"),
    }


async def test_a_size_of_several_lines_is_offered_once(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    params = {
        "textDocument": {"uri": padded.train.as_uri()},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}},
        "context": {"diagnostics": []},
    }
    found = await editor.result("textDocument/codeAction", params)
    names = [each["title"].partition(" (")[0] for each in found]
    assert "Pad HIDDEN from 520 to 640" in names
    assert len(names) == len(set(names))


async def test_only_quick_fixes_are_offered_and_only_where_padding_is(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    text = padded.train.read_text()
    assert not await fixes(editor, padded.train, text, only=["refactor"])
    assert await fixes(editor, padded.train, text, only=["quickfix"])
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"padding_waste_ratio": 1.0}}})
    assert not await fixes(editor, padded.train, text)
