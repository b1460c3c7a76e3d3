"""A compiled program that was opened and never ran: its lines in the text, by memory and by padding."""

import attrs
import pytest
import pytest_asyncio

from made.findings import said

TEXT = """HloModule jit_step, is_scheduled=true

ENTRY %main (x: f32[64,100], w: f32[100,520]) -> f32[64,8] {
  %x = f32[64,100]{1,0:T(8,128)} parameter(0), metadata={op_name="x"}
  %w = f32[100,520]{1,0:T(8,128)} parameter(1), metadata={op_name="w"}
  %hidden = f32[64,520]{1,0:T(8,128)} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
metadata={op_name="jit(step)/jvp(loss)/dot_general" source_file="/home/them/project/model.py" source_line=5}
  %kept = f32[64,520]{1,0:T(8,128)} tanh(%hidden), \
metadata={op_name="jit(step)/jvp(loss)/tanh" source_file="/home/them/project/model.py" source_line=6}
  ROOT %out = f32[64,8]{1,0:T(8,128)} custom-call(%hidden, %kept), custom_call_target="f", \
metadata={op_name="jit(step)/transpose(jvp(loss))/f" source_file="/home/them/project/model.py" source_line=7}
}
"""
MODEL = """import jax.numpy as jnp


def loss(weights, x):
    hidden = x @ weights
    kept = jnp.tanh(hidden)
    return kept.sum()
"""
FIRST, SECOND, LAST = 5, 6, 7


pytestmark = pytest.mark.asyncio


@attrs.frozen
class Static:
    """A workspace with the source of a compiled program, and an editor that has it open."""

    editor: object
    model: object
    program: object


@pytest_asyncio.fixture
async def static(start_editor, tmp_path, extension_options):
    """The program was compiled elsewhere: its source lies in a folder of another name."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "model.py").write_text(MODEL)
    (tmp_path / "step.txt").write_text(TEXT)

    async def start(**settings):
        editor = await start_editor()
        await editor.initialize(folder, options={**extension_options, "settings": settings})
        editor.open(folder / "model.py")
        return Static(editor, folder / "model.py", tmp_path / "step.txt")

    return start


async def test_lines_carry_what_the_program_keeps_in_memory(static):
    at = await static(mode="memory")
    opened = await at.editor.show(at.program)
    assert (opened["never_ran"], opened["lines"], opened["hottest"]) == (True, 0, None)
    assert opened["files"] == [str(at.model)]
    annotations = await at.editor.annotations(at.model, 1)
    record = (await at.editor.result("scopelight/view/memory-viewer", {}))["record"]
    # While the last op runs both are there: 64 rows of 520 numbers, which take 640.
    size = 64 * 640 * 4
    assert [row["bytes"] for row in record["buffers"] if row["category"] == "temporary"] == [size, size]
    assert set(annotations) == {FIRST, SECOND, LAST}
    assert annotations[FIRST]["share_ratio"] == pytest.approx(size / record["peak_bytes"])
    assert "≈160 KiB at the peak · 160 KiB kept for the backward pass" in annotations[FIRST]["text"]
    assert annotations[FIRST]["state"] == "current"


async def test_the_card_of_a_line_says_that_nothing_ran_and_what_is_known(static):
    at = await static(mode="memory")
    await at.editor.show(at.program)
    await at.editor.annotations(at.model, 1)
    card = await at.editor.hover(at.model, FIRST)
    assert card.startswith("Nothing of it ran")
    assert "**Memory**: ≈160 KiB at the peak" in card
    assert "f32[64,520]" in card
    assert "of the step" not in card
    assert "of line" not in card
    assert await at.editor.hover(at.model, 1) is None


async def test_padding_is_on_the_lines_and_among_the_problems(static):
    at = await static(mode="padding")
    await at.editor.show(at.program)
    annotations = await at.editor.annotations(at.model, 1)
    assert {FIRST, SECOND, LAST} >= set(annotations) >= {FIRST, SECOND}
    assert "padded" in annotations[FIRST]["text"]
    uri = at.model.as_uri()
    problems = await at.editor.next(
        "textDocument/publishDiagnostics", lambda told: told["uri"] == uri and told["diagnostics"]
    )
    found = {each["range"]["start"]["line"] + 1: each for each in problems["diagnostics"]}
    assert {FIRST, SECOND} <= set(found)
    assert "520 is padded to 640" in found[SECOND]["message"]
    assert found[SECOND]["code"] == "padding"


async def test_what_moves_few_bytes_is_no_problem(static):
    at = await static(mode="padding", padding_share_ratio=0.2)
    await at.editor.show(at.program)
    uri = at.model.as_uri()
    problems = await at.editor.next(
        "textDocument/publishDiagnostics", lambda told: told["uri"] == uri and told["diagnostics"]
    )
    # The result is padded the most, from 8 numbers to 128, and is small beside the others.
    lines = {each["range"]["start"]["line"] + 1: each["message"] for each in problems["diagnostics"]}
    assert FIRST in lines
    assert not any("8 is padded to 128" in message for message in lines.values())


async def test_panels_of_time_say_why_there_are_no_lines(static):
    at = await static(mode="time")
    await at.editor.show(at.program)
    view = await at.editor.result("scopelight/view/lines", {})
    assert (view["record"]["lines"], view["sources"], view["places"]) == ([], [], [])
    assert "nothing of them ran" in said(view["record"], "empty")


async def test_the_real_program_of_a_tpu_is_found_in_its_script(start_editor, tmp_path, shared_data, extension_options):
    of_tpu = shared_data / "tpu-v5e-awkward"
    script = tmp_path / "awkward.py"
    script.write_text((of_tpu / "awkward.py").read_text())
    editor = await start_editor()
    await editor.initialize(tmp_path, options={**extension_options, "settings": {"mode": "memory"}})
    editor.open(script)
    await editor.show(of_tpu / "after_optimizations.hlo.pb.xz")
    annotations = await editor.annotations(script, 1)
    record = (await editor.result("scopelight/view/memory-viewer", {}))["record"]
    largest = max((row for row in record["buffers"] if row["line"] is not None), key=lambda row: row["bytes"])
    assert largest["file"] == str(script)
    assert "at the peak" in annotations[largest["line"]]["text"]
    problems = await editor.next("textDocument/publishDiagnostics", lambda told: told["diagnostics"])
    lines = script.read_text().split("\n")
    contracting = {
        lines[each["range"]["start"]["line"]].strip(): each["message"]
        for each in problems["diagnostics"]
        if "the contracting dimension 200" in each["message"]
    }
    (head,) = [each for each in contracting if each.endswith('params["embed"].T')]
    assert "is padded to 256" in contracting[head]
