"""Which tables a query makes, and what its answer is made of."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.predictions import SCAN
from made.queries import rows, subjects, value
from scopelight.sql import query as module
from scopelight.sql.answer import unit_of
from scopelight.sql.columns import column
from scopelight.sql.errors import QueryError
from scopelight.sql.limits import Limits
from scopelight.sql.query import ask
from scopelight.sql.schema import Table
from scopelight.sql.statement import parser, tables_named
from scopelight.sql.tables import TABLES


@pytest.fixture(scope="module")
def run():
    return subjects(SCAN)


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("select count(*) from executions", {"executions"}),
        ("select * from Steps_ms", {"steps"}),
        ("select * from lines l join ops using (run)", {"lines", "ops"}),
        ("select * from main.lines, memory.main.gaps", {"lines", "gaps"}),
        ("with lines as (select 1 as a) select a from lines", set()),
        ("with lines as (select * from lines) select * from lines", {"lines"}),
        ("select (select max(duration_ps) from gaps)", {"gaps"}),
        ("from query('select * from runs')", {"runs"}),
        ("select * from query_table('steps')", {"steps"}),
        ("pivot ops on phase using sum(self_ps)", {"ops"}),
        ("describe lines", {"lines"}),
        ("summarize steps", {"steps"}),
        ("show lines", {"lines"}),
        ("select 'memory' from runs", {"runs"}),
        ("show tables", set()),
        ("values (1)", set()),
        ("explain select * from buffers", {"buffers"}),
        ("select 1 where exists (select 1 from programs)", {"programs"}),
    ],
)
def test_only_tables_that_are_named_are_made(run, query, tables, monkeypatch):
    connection = parser()
    assert set(tables_named(connection, query)) - tables <= ({"lines"} if "with lines" in query else set())
    connection.close()
    made = []
    make = Table.make
    monkeypatch.setattr(Table, "make", lambda table, subject: (made.append(table.name), make(table, subject))[1])
    ask(run, query, Limits())
    assert tables <= set(made)


def test_a_table_that_is_not_found_in_the_query_never_seems_empty(run):
    hidden = "select * from json_execute_serialized_sql(json_serialize_sql('select count(*) from li' || 'nes'))"
    with pytest.raises(QueryError):
        rows(run, f"select * from ops, ({hidden})")


@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_asked_whole_and_in_milliseconds(run, name):
    count = value(run, f"select count(*) from {name}")
    assert len(rows(run, f"select * from {name}")) == count
    if TABLES[name].has_times:
        assert len(rows(run, f"select * from {name}_ms")) == count


def test_values_are_plain(run):
    answer = ask(
        run,
        "select null, true, 1, 1::hugeint << 70, 1.5, 2::decimal(10, 2), 'nan'::double, 'x', date '2020-01-02',"
        " [1, 2], {'a': 1}, 'ab'::blob, 1 as \"1\"",
        Limits(),
        in_this_process=True,
    )
    (row,) = answer.rows
    assert row[:8] == (None, True, 1, 1 << 70, 1.5, 2.0, None, "x")
    assert row[8:12] == ("2020-01-02", "[1, 2]", '{"a": 1}', "6162")
    names = [each.name for each in answer.columns]
    assert len(set(names)) == len(names)
    json.dumps(answer.rows, allow_nan=False)


def test_whole_numbers_stay_exact(run):
    largest = 2**63 - 1
    assert rows(
        run, f"select {largest}, {largest}::bigint + 0::hugeint, sum(v) from (values ({largest}), (1)) t(v)"
    ) == [(largest, largest, largest + 1)]


def test_what_is_not_known_is_null(run):
    assert value(run, "select count(*) from lines where collective_wait_ps = 0 and collective_wait_ps is null") == 0
    assert list(column([1, None, 3], "BIGINT").mask) == [False, True, False]
    assert list(column([None, "a\ud800"], "VARCHAR")) == [None, "a?"]
    assert list(column([1 << 80, 2], "BIGINT").mask) == [True, False]
    assert column([], "BIGINT").dtype == "int64"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("self_ps", "ps"),
        ("sum(self_ps)", "ps"),
        ("max(a.duration_ms)", "ms"),
        ("share_ratio", "ratio"),
        ("flops", "flops"),
        ("sum(flops)", "flops"),
        ("sum(model_flops)", "flops"),
        ("bytes", "bytes"),
        ("sum(bytes)", "bytes"),
        ("peak_bytes", "bytes"),
        ("name", None),
        ("steps", None),
        ("count(self_ps)", None),
        ("count_star()", None),
    ],
)
def test_the_unit_of_a_column_is_in_its_name(name, unit):
    assert unit_of(name) == unit


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "The query is empty"),
        ("  -- nothing", "The query is empty"),
        ("selec 1", 'syntax error at or near "selec"'),
        ("select nope from lines", '"nope" not found'),
        ("select * from line", "Did you mean"),
        ("select * from lines where", "syntax error"),
    ],
)
def test_what_is_wrong_is_one_sentence(run, query, said):
    with pytest.raises(QueryError) as failed:
        rows(run, query)
    assert said in str(failed.value)
    assert failed.value.why == "wrong"
    assert "\n" not in str(failed.value)


@given(st.text(max_size=60))
def test_any_text_has_an_answer_or_a_sentence(text):
    try:
        ask(subjects(SCAN), text, Limits(seconds=5, rows=5), in_this_process=True)
    except QueryError as error:
        assert str(error)


def test_the_answer_tells_how_long_it_took(run):
    assert ask(run, "select 1", Limits()).took_ms > 0
    assert module.IS_POSSIBLE in (True, False)
