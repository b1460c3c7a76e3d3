"""What a TPU refuses is a warning on its line, what it emulates or leaves to the host is information there."""

import json
import shutil

import pytest
from lsprotocol import types

from made.predictions import PARTS

pytestmark = pytest.mark.asyncio

EIG = "return lax.linalg.eig(lax.neg(x), compute_left_eigenvectors=False, compute_right_eigenvectors=False)"

WARNING = types.DiagnosticSeverity.Warning.value
INFORMATION = types.DiagnosticSeverity.Information.value


@pytest.fixture
def parts(tmp_path):
    """The recorded run as if its script lay here; the script."""
    folder = tmp_path / "project"
    folder.mkdir()
    run = tmp_path / "run"
    shutil.copytree(PARTS, run)
    recorded = run / "sources" / "home" / "user" / "project"
    script = folder / "parts.py"
    shutil.copy(recorded / "parts.py", script)
    place = run / "sources" / folder.relative_to("/")
    place.parent.mkdir(parents=True)
    recorded.rename(place)
    for file in run.rglob("*.json"):
        file.write_text(file.read_text().replace("home/user/project", str(folder).removeprefix("/")))
    return run, script


async def opened(start_editor, parts, extension_options):
    run, script = parts
    editor = await start_editor()
    await editor.initialize(script.parent, options=extension_options)
    editor.open(script)
    await editor.show(run)
    return editor


async def diagnostics(editor, script, matches):
    """Those of ops by the text of their line, once they are as wanted."""
    params = await editor.next(
        "textDocument/publishDiagnostics",
        lambda params: params["uri"] == script.as_uri() and matches(of_ops(params["diagnostics"])),
    )
    lines = script.read_text().split("\n")
    found = {}
    for each in of_ops(params["diagnostics"]):
        found.setdefault(lines[each["range"]["start"]["line"]].strip(), []).append(each)
    return found


def of_ops(diagnostics):
    return [each for each in diagnostics if each["code"].startswith(("refused-", "emulated-", "on-host-", "unjudged-"))]


async def test_ops_that_are_not_native_are_on_their_lines(start_editor, parts, extension_options):
    editor = await opened(start_editor, parts, extension_options)
    found = await diagnostics(editor, parts[1], bool)
    said = {line: [(each["code"], each["severity"]) for each in of_line] for line, of_line in found.items()}
    assert said == {
        "return lax.add(x, lax.dot(x, x, precision=lax.DotAlgorithmPreset.TF32_TF32_F32))": [
            ("refused-dot-algorithm", WARNING)
        ],
        "wide = lax.convert_element_type(x, np.float64)": [("emulated-wide", INFORMATION)],
        "wide = lax.add(lax.sin(wide), wide)": [("emulated-wide", INFORMATION)],
        "numbers = lax.convert_element_type(x, np.int64)": [("emulated-wide", INFORMATION)],
        "numbers = lax.mul(numbers, numbers)": [("emulated-wide", INFORMATION)],
        "wide = lax.add(wide, lax.convert_element_type(numbers, np.float64))": [("emulated-wide", INFORMATION)],
        "return lax.convert_element_type(wide, np.float32)": [("emulated-wide", INFORMATION)],
        EIG: [("refused-decomposition", WARNING)],
        "return lax.complex(x, x)": [("emulated-complex", INFORMATION)],
        "return lax.cos(x), lax.sin(lax.convert_element_type(x, np.float64))": [("emulated-wide", INFORMATION)],
        "x = jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)": [("on-host-callback", INFORMATION)],
        'return lax.neg(jax.ffi.ffi_call("made_up_target", jax.ShapeDtypeStruct(x.shape, x.dtype))(x))': [
            ("refused-custom-call", WARNING)
        ],
    }
    (eig,) = found[
        "return lax.linalg.eig(lax.neg(x), compute_left_eigenvectors=False, compute_right_eigenvectors=False)"
    ]
    assert eig["message"] == (
        "jax has no eig for a TPU. Compute it on the host with jax.pure_callback, or use eigh where the matrix is"
        " symmetric. (MLIR translation rule for primitive 'eig' not found for platform tpu)"
    )
    assert eig["source"] == "Scopelight"
    assert [each["message"].partition(",")[0] for each in found["wide = lax.add(lax.sin(wide), wide)"]] == [
        "4 ops compute with float64"
    ]


async def test_a_line_that_was_edited_says_nothing_any_more(start_editor, parts, extension_options):
    editor = await opened(start_editor, parts, extension_options)
    run, script = parts
    assert await diagnostics(editor, script, bool)
    text = script.read_text().replace("lax.complex(x, x)", "lax.mul(x, x)")
    editor.change(script, text, 2)
    found = await diagnostics(editor, script, lambda each: not any(of["code"] == "emulated-complex" for of in each))
    assert len(found) == 11
    assert run.is_dir()


async def test_a_file_of_which_nothing_was_compiled_has_them_too(start_editor, parts, extension_options):
    """The one program that compiles is gone: no line of the script took any time."""
    run, script = parts
    prediction = json.loads((run / "prediction.json").read_text())
    prediction["programs"] = [each for each in prediction["programs"] if each["file"] is None]
    (run / "prediction.json").write_text(json.dumps(prediction))
    editor = await opened(start_editor, parts, extension_options)
    assert len(await diagnostics(editor, script, bool)) == 12
