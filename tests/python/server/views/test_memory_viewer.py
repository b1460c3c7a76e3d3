"""The memory viewer, annotations and hover cards of memory, over the wire."""

from types import SimpleNamespace

import pytest

from made.findings import codes
from made.findings import said as in_words
from scopelight.server.lines.hover import panel_links

pytestmark = pytest.mark.asyncio

REQUEST_FAILED = -32803


def product_line(text):
    return text.split("\n").index("    return jnp.tanh(x @ weights)") + 1


async def test_the_viewer_shows_the_program_with_the_largest_peak(editor, captured):
    await editor.show(captured.run)
    view = await editor.result("scopelight/view/memory-viewer", {})
    record = view["record"]
    assert view["run"]["path"] == str(captured.run)
    assert (record["module"], record["basis"], codes(record, "empty")) == ("jit_train_step", "assigned", [])
    assert sum(row["bytes"] for row in record["buffers"]) == record["peak_bytes"] == max(record["timeline"]["bytes"])
    assert record["modules"][0]["program_id"] == record["program_id"]
    line = product_line(captured.network.read_text())
    assert any((row["file"], row["line"]) == (str(captured.network), line) for row in record["buffers"])
    for module in record["modules"]:
        asked = {"program": module["program_id"], "memory_space": 0}
        other = (await editor.result("scopelight/view/memory-viewer", asked))["record"]
        assert (other["module"], other["peak_bytes"]) == (module["name"], module["peak_bytes"])


async def test_what_is_in_memory_at_a_position(editor, captured):
    await editor.show(captured.run)
    record = (await editor.result("scopelight/view/memory-viewer", {}))["record"]
    curve = record["timeline"]["bytes"]
    for position in (-1, record["peak_position"], len(curve) - 2):
        alive = await editor.result("scopelight/details/memoryAt", {"position": position})
        assert alive["bytes"] == curve[position + 1] == sum(row["bytes"] for row in alive["buffers"])
    code, message = await editor.error("scopelight/details/memoryAt", {"position": len(curve)})
    assert code == REQUEST_FAILED
    assert str(len(curve)) in message


async def test_what_is_missing_is_said(editor, captured):
    unknown = (REQUEST_FAILED, "No run is shown: open one first.")
    assert await editor.error("scopelight/view/memory-viewer", {}) == unknown
    await editor.show(captured.run)
    code, message = await editor.error("scopelight/view/memory-viewer", {"program": "no such"})
    assert code == REQUEST_FAILED
    assert "no such" in message
    code, message = await editor.error("scopelight/view/memory-viewer", {"memory_space": 5})
    assert code == REQUEST_FAILED
    assert "main memory" in message


async def test_a_program_that_did_not_run_is_shown_with_an_estimate(editor, never_ran):
    await editor.show(never_ran)
    record = (await editor.result("scopelight/view/memory-viewer", {}))["record"]
    assert (record["basis"], record["peak_bytes"]) == ("estimated", (8 * 16 + 16 * 4 + 8 * 4) * 4)
    assert "estimated" in in_words(record, "warning")


async def test_a_profile_without_programs_says_so(editor, shared_data):
    await editor.show(shared_data / "v100-tensorflow" / "worker.xplane.pb")
    record = (await editor.result("scopelight/view/memory-viewer", {}))["record"]
    assert (record["module"], record["peak_bytes"], record["modules"]) == (None, None, [])
    assert "compiled programs" in in_words(record, "empty")
    assert in_words(record, "empty")
    code, message = await editor.error("scopelight/details/memoryAt", {"position": 0})
    assert code == REQUEST_FAILED
    assert message.endswith(".")


async def said(editor, file, part):
    """The texts of the first annotations of a file in which any has ``part``."""
    found = await editor.next(
        "scopelight/annotations",
        lambda params: params["uri"] == file.as_uri() and any(part in each["text"] for each in params["annotations"]),
    )
    return {each["line"]: each for each in found["annotations"]}


async def test_annotations_say_what_lines_have_in_memory_at_the_peak(editor, captured):
    line = product_line(captured.network.read_text())
    settings = {"mode": "memory"}
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": settings}})
    editor.open(captured.network)
    await editor.show(captured.run)
    annotation = (await said(editor, captured.network, "at the peak"))[line]
    record = (await editor.result("scopelight/view/memory-viewer", {}))["record"]
    here = [row for row in record["buffers"] if (row["file"], row["line"]) == (str(captured.network), line)]
    assert annotation["share_ratio"] == pytest.approx(sum(row["bytes"] for row in here) / record["peak_bytes"])
    # Whole arrays of 192 x 192 numbers.
    arrays = sum(row["bytes"] for row in here) // (192 * 192 * 4)
    assert arrays >= 2
    assert f" {arrays * 144} KiB at the peak" in annotation["text"]
    assert annotation["heat"] == 5
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"mode": "time"}}})
    assert "at the peak" not in (await said(editor, captured.network, "/step"))[line]["text"]


async def test_the_card_says_what_lives_from_where_to_where(editor, captured):
    line = product_line(captured.network.read_text())
    editor.open(captured.network)
    await editor.show(captured.run)
    await editor.result("scopelight/view/memory-viewer", {})
    for _ in range(20):
        card = await editor.hover(captured.network, line)
        if "**Memory**" in card:
            break
    assert "at the peak" in card
    assert "`jit_train_step`" in card
    copied = (await editor.result("scopelight/copyAsMarkdown", {"file": str(captured.network), "line": line}))["text"]
    assert "| in memory at the peak |" in copied
    assert f"line {line} |" in copied
    assert "[Memory](command:scopelight.openMemoryViewer?" in card


@pytest.mark.parametrize("has_programs", [True, False])
async def test_the_card_leads_to_the_memory_of_programs_only_where_the_run_holds_them(has_programs):
    line = SimpleNamespace(file="/w/train.py", line=3, inclusive_ps=5, waiting_classes={})
    run = SimpleNamespace(record=SimpleNamespace(lines=[line]), has=("traces", *(["programs"] if has_programs else [])))
    ways = [each.split("]")[0][1:] for each in panel_links(run, 0)]
    assert ways == ["Hot Lines", "Timeline", "Op Profile", *(["Memory"] if has_programs else []), "Copy"]
