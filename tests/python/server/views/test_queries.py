"""The panel Query, over the wire: the schema, answers, sentences, and a query that is ended."""

import asyncio

import pytest

from scopelight.sql.shut_in import IS_POSSIBLE
from scopelight.sql.tables import TABLES

pytestmark = pytest.mark.asyncio

ANSWER = "scopelight/details/queryAnswer"


async def test_the_schema_and_its_examples(editor, captured):
    await editor.show(captured.run)
    record = (await editor.result("scopelight/view/query", {}))["record"]
    assert [each["name"] for each in record["tables"]] == [*TABLES]
    assert record["is_installed"]
    assert len(record["examples"]) >= 8
    for example in record["examples"]:
        outcome = await editor.result(ANSWER, {"query": example["query"]})
        assert outcome["sentence"] is None, example["question"]
        assert outcome["answer"]["columns"]


async def test_an_answer_agrees_with_the_panels_and_leads_to_lines(editor, captured):
    await editor.show(captured.run)
    statistics = (await editor.result("scopelight/view/ops", {}))["record"]
    outcome = await editor.result(ANSWER, {"query": "select sum(self_ps) as self_ps from ops"})
    assert outcome["answer"]["rows"] == [[statistics["op_time_ps"]]]
    assert outcome["answer"]["columns"] == [{"name": "self_ps", "kind": "integer", "unit": "ps"}]
    lines = await editor.result(ANSWER, {"query": "select path, line from lines order by self_ps desc", "rows": 1})
    assert (len(lines["answer"]["rows"]), lines["answer"]["is_cut"]) == (1, True)
    assert lines["files"] == {lines["answer"]["rows"][0][0]: str(captured.network)}


async def test_what_has_no_answer_is_data(editor, captured):
    await editor.show(captured.run)
    for query, why in (
        ("selec 1", "wrong"),
        ("copy lines to 'x'", "refused"),
        ("select * from read_csv('/etc/passwd')", "refused"),
        ("", "wrong"),
    ):
        outcome = await editor.result(ANSWER, {"query": query})
        assert (outcome["answer"], outcome["why"]) == (None, why)
        assert outcome["sentence"]


@pytest.mark.skipif(not IS_POSSIBLE, reason="the process of a query is of Linux")
async def test_an_endless_query_is_ended_by_who_asked(editor, captured):
    await editor.show(captured.run)
    query = {"query": "select count(*) from range(1000000000000)"}
    asked = [editor.begin(ANSWER, query) for _ in range(4)]
    await asyncio.sleep(0.3)
    for number, _ in asked:
        editor.notify("$/cancelRequest", {"id": number})
    for _, answer in asked:
        assert "error" in await asyncio.wait_for(answer, 15)
    # Both threads are free again long before the limit.
    outcome = await asyncio.wait_for(editor.result(ANSWER, {"query": "select 1 as a"}), 15)
    assert outcome["answer"]["rows"] == [[1]]
