"""Advice on its line, for every editor, with quick fixes that the present text proves."""

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio

JIT = "@jax.jit"
DONATING = "functools.partial(jax.jit, donate_argnums=0)"
CALL = "    weights = train_step(weights, x)"
PREVIEW = {"workspace": {"workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}}}


async def opened(start_editor, padded, extension_options, **settings):
    editor = await start_editor()
    options = {**extension_options, "settings": settings}
    await editor.initialize(padded.folder, options=options, capabilities=PREVIEW)
    editor.open(padded.train)
    await editor.show(padded.run)
    return editor


async def advised(editor, file, matches=bool, version=1):
    """The diagnostics of a version of a file that are advice, by code, once they are as wanted."""

    def found(params):
        return {each["code"]: each for each in params["diagnostics"] if each["code"] != "padding"}

    params = await editor.next(
        "textDocument/publishDiagnostics",
        lambda params: params["uri"] == file.as_uri() and params["version"] == version and matches(found(params)),
    )
    return found(params)


async def fixes(editor, file, line):
    where = {"start": {"line": line - 1, "character": 0}, "end": {"line": line - 1, "character": 0}}
    params = {"textDocument": {"uri": file.as_uri()}, "range": where, "context": {"diagnostics": []}}
    return await editor.result("textDocument/codeAction", params)


def line_of(text, line):
    return text.split("\n").index(line) + 1


async def test_it_is_on_the_line_that_it_is_about(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    found = (await advised(editor, padded.train))["missing-donation"]
    line = line_of(padded.train.read_text(), JIT)
    assert found["range"]["start"] == {"line": line - 1, "character": 0}
    assert found["severity"] == types.DiagnosticSeverity.Warning.value
    assert "weights['in'], weights['out']" in found["message"]
    assert "At best" in found["message"]


async def test_a_quick_fix_donates_what_the_calls_rebind(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    await advised(editor, padded.train)
    line = line_of(padded.train.read_text(), JIT)
    (fix,) = await fixes(editor, padded.train, line)
    assert fix["title"] == "Donate the arguments of train_step that its calls replace"
    assert fix["diagnostics"][0]["code"] == "missing-donation"
    (change,) = fix["edit"]["documentChanges"]
    edits = {each["range"]["start"]["line"]: each for each in change["edits"]}
    assert edits[line - 1]["newText"] == DONATING
    assert edits[0]["newText"] == "import functools\n"
    assert all(fix["edit"]["changeAnnotations"][each["annotationId"]]["needsConfirmation"] for each in change["edits"])


async def test_what_is_not_proven_any_more_is_not_offered(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    await advised(editor, padded.train)
    text = padded.train.read_text()
    editor.change(padded.train, text.replace(CALL, f"    before = weights\n{CALL}"), 2)
    assert "missing-donation" in await advised(editor, padded.train, version=2)
    assert await fixes(editor, padded.train, line_of(text, JIT)) == []


async def test_it_goes_with_its_line_and_with_the_setting(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    before = await advised(editor, padded.train)
    # Of a quick machine the run says besides that its steps wait for their launches: on another line, where it stays.
    others = before.keys() - {"missing-donation"}
    text = padded.train.read_text()
    editor.change(padded.train, text.replace(JIT, "@jax.jit(inline=True)"), 2)
    gone = await advised(editor, padded.train, lambda found: "missing-donation" not in found, version=2)
    assert gone.keys() == others
    editor.change(padded.train, f"# first\n{text}", 3)
    assert (await advised(editor, padded.train, version=3)).keys() == others | {"missing-donation"}
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"advice": False}}})
    assert await advised(editor, padded.train, lambda found: not found, version=3) == {}
