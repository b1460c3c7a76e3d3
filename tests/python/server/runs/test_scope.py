"""What of the run is looked at is set once, and everything follows: records, annotations, headline."""

import pytest

pytestmark = pytest.mark.asyncio


async def view_of(editor, view, **params):
    return await editor.result(f"scopelight/view/{view}", params)


async def shown(editor, run):
    opened = await editor.show(run)
    await editor.next("scopelight/shownRun")
    return opened


async def set_scope(editor, scope):
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"scope": scope}}})
    await editor.next("scopelight/shownRun", lambda params: params["run"] is not None)


async def test_one_choice_is_that_of_all_views_and_lines(editor, captured):
    editor.open(captured.network)
    steps = await shown(editor, captured.run)
    assert steps["short"].split(" · ")[0].endswith("/step")
    totals = {}
    for scope in ("steps", "window", "outside"):
        if scope != "steps":
            await set_scope(editor, scope)
        lines = (await view_of(editor, "lines"))["record"]
        ops = (await view_of(editor, "ops"))["record"]
        assert lines["extent"] == ops["extent"]
        assert lines["extent"]["kind"] == scope
        assert lines["op_time_ps"] == ops["op_time_ps"] == sum(row["self_ps"] for row in ops["rows"])
        totals[scope] = lines["op_time_ps"]
    assert totals["steps"] + totals["outside"] == totals["window"]
    # What a view is asked for by name counts more than what is set.
    asked = (await view_of(editor, "ops", scope="steps"))["record"]
    assert (asked["extent"]["kind"], asked["op_time_ps"]) == ("steps", totals["steps"])


async def test_annotations_are_of_the_scope(editor, captured):
    editor.open(captured.network)
    await shown(editor, captured.run)
    assert any("/step" in each["text"] for each in (await editor.annotations(captured.network, 1)).values())
    await set_scope(editor, "window")
    params = await editor.next(
        "scopelight/annotations",
        lambda params: params["annotations"] and not any("/step" in each["text"] for each in params["annotations"]),
    )
    assert params["uri"] == captured.network.as_uri()
