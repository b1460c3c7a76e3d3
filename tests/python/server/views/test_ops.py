"""The panels of ops, over the wire: the same ops in all of them, and sentences where something is missing."""

import asyncio

import pytest

from made.findings import codes, said

pytestmark = pytest.mark.asyncio

VIEWS = ("ops", "op-profile", "flops", "roofline")
REQUEST_FAILED = -32803


async def test_panels_have_the_same_ops(editor, captured):
    await editor.show(captured.run)
    statistics = await editor.result("scopelight/view/ops", {})
    rows = {row["key"]: row for row in statistics["record"]["rows"]}
    assert sum(row["self_ps"] for row in rows.values()) == statistics["record"]["op_time_ps"] > 0
    assert statistics["devices"] == ["/device:CPU:0"]
    for grouping in ("category", "program", "scope", "line"):
        profile = (await editor.result("scopelight/view/op-profile", {"by": grouping}))["record"]
        assert profile["grouping"] == grouping
        ops = [row for row in profile["rows"] if row["kind"] == "op"]
        assert {row["op_key"] for row in ops} == set(rows)
        assert sum(row["self_ps"] for row in ops) == profile["op_time_ps"]
    flops = (await editor.result("scopelight/view/flops", {}))["record"]
    assert {row["key"] for row in flops["rows"] if row["kind"] == "op"} <= set(rows)
    roofline = (await editor.result("scopelight/view/roofline", {}))["record"]
    assert {row["op_key"] for row in roofline["rows"] if row["kind"] == "op"} <= set(rows)
    product = next(row for row in rows.values() if row["primitive"] == "dot_general")
    card = await editor.result("scopelight/details/opCard", {"key": product["key"]})
    assert card["op"] == product
    assert card["expression"].startswith(f"%{product['name']} = ")
    assert card["stack"][0]["file"] == str(captured.network)


async def test_one_device(editor, captured):
    await editor.show(captured.run)
    of_all = await editor.result("scopelight/view/ops", {})
    of_one = await editor.result("scopelight/view/ops", {"device": "/device:CPU:0"})
    assert of_one["record"]["device"] == "/device:CPU:0"
    assert of_one["record"]["rows"] == of_all["record"]["rows"]
    code, message = await editor.error("scopelight/view/flops", {"device": "/device:TPU:9"})
    assert code == REQUEST_FAILED
    assert "/device:TPU:9" in message
    assert "/device:CPU:0" in message


async def test_what_is_missing_is_said(editor, captured):
    for view in VIEWS:
        assert await editor.error(f"scopelight/view/{view}", {}) == (
            REQUEST_FAILED,
            "No run is shown: open one first.",
        )
    await editor.show(captured.run)
    code, message = await editor.error("scopelight/details/opCard", {"key": "no/such"})
    assert code == REQUEST_FAILED
    assert "no/such" in message


async def test_own_peaks_are_what_rates_are_held_against(editor, captured):
    await editor.show(captured.run)
    change = {"settings": {"scopelight": {"peak_flops_per_s": {"f32": 1e12}, "peak_bytes_per_s": 1e11}}}
    editor.notify("workspace/didChangeConfiguration", change)
    record = (await editor.result("scopelight/view/ops", {}))["record"]
    assert "utilisation-unknown" not in codes(record)
    (peak,) = record["peaks"]
    assert (peak["basis"], peak["flops_per_s"]["f32"], peak["bytes_per_s"]["main"]) == ("setting", 1e12, 1e11)
    product = next(row for row in record["rows"] if row["primitive"] == "dot_general")
    rate = product["flops"] / product["wall_ps"] * 1e12
    assert product["flop_utilisation_ratio"] == pytest.approx(min(1, rate / 1e12))
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"peak_flops_per_s": {"f32": 2e12}}}})
    changed = (await editor.result("scopelight/view/ops", {}))["record"]
    again = next(row for row in changed["rows"] if row["key"] == product["key"])
    assert again["flop_utilisation_ratio"] == pytest.approx(product["flop_utilisation_ratio"] / 2)


async def test_panels_are_told_when_settings_make_their_records_others(editor, captured):
    await editor.show(captured.run)
    for change in ({"threshold_ratio": 0.5}, {"peak_flops_per_s": {"f32": 1e12}}, {"target": "TPU v5e"}):
        editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": change}})
    # Answers come after what was told before them.
    await editor.result("scopelight/view/ops", {})
    assert sum(message["method"] == "scopelight/recordsChanged" for message in editor.received) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"peak_flops_per_s": {"bf61": 1e12, "f32": 1e12}}, ("scopelight.peakFlops", "bf61", "bf16")),
        ({"peak_flops_per_s": {"bf16": 0.0, "f32": 1e12}}, ("scopelight.peakFlops", "bf16", "positive")),
        ({"peak_bytes_per_s": -1.0, "peak_flops_per_s": {"f32": 1e12}}, ("scopelight.peakBandwidth", "positive")),
        ({"target": "banana", "peak_flops_per_s": {"f32": 1e12}}, ("scopelight.target", "banana", "TPU v5e")),
    ],
)
async def test_a_setting_that_means_nothing_is_said_once_and_counts_for_nothing(editor, captured, change, words):
    await editor.show(captured.run)
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": change}})
    told = await editor.next("window/showMessage")
    assert told["type"] == 2
    assert told["message"].count(".\n") == 0
    for word in words:
        assert word in told["message"]
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"threshold_ratio": 0.5}}})
    record = (await editor.result("scopelight/view/ops", {}))["record"]
    (peak,) = record["peaks"]
    assert peak["flops_per_s"]["f32"] == 1e12
    assert "bf61" not in {*peak["flops_per_s"], *said(peak["sources"]).split()}
    assert all(rate > 0 for rate in (*peak["flops_per_s"].values(), *peak["bytes_per_s"].values()))
    assert not any(message["method"] == "window/showMessage" for message in editor.received)


async def test_a_program_that_did_not_run_is_shown_without_time(editor, never_ran):
    opened = await editor.show(never_ran)
    assert (opened["never_ran"], opened["has"]) == (True, ["programs"])
    view = await editor.result("scopelight/view/ops", {})
    (row,) = view["record"]["rows"]
    assert (row["name"], row["executions"], row["self_ps"], row["flops"]) == ("dot.1", 0, 0, 2 * 8 * 16 * 4)
    assert view["devices"] == []
    flops = await editor.result("scopelight/view/flops", {})
    assert flops["record"]["rows"][0]["flops"] == 2 * 8 * 16 * 4
    card = await editor.result("scopelight/details/opCard", {"key": row["key"]})
    assert card["expression"].startswith("%dot.1 = f32[8,4]{1,0} dot(")
    for view in ("op-profile", "roofline"):
        record = (await editor.result(f"scopelight/view/{view}", {}))["record"]
        assert record["rows"] == []
        assert codes(record, "empty")


async def test_requests_at_once_share_the_work(editor, captured):
    await editor.show(captured.run)
    asked = [editor.begin(f"scopelight/view/{view}", {})[1] for view in VIEWS for _ in range(5)]
    answers = await asyncio.gather(*asked)
    assert all("result" in answer for answer in answers)
    for place in range(0, len(answers), 5):
        same = answers[place : place + 5]
        assert all(answer["result"]["record"] == same[0]["result"]["record"] for answer in same)
