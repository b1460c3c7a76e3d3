"""A query has the tables and nothing else, and ends."""

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from made.predictions import SCAN
from made.queries import rows, subjects, value
from scopelight.sql.errors import QueryError
from scopelight.sql.limits import Limits
from scopelight.sql.query import ask
from scopelight.sql.shut_in import IS_POSSIBLE

linux = pytest.mark.skipif(not IS_POSSIBLE, reason="the process of a query is of Linux")


@pytest.fixture(scope="module")
def run():
    return subjects(SCAN)


@pytest.fixture(params=[pytest.param(False, marks=linux), True], ids=["own process", "this process"])
def here(request):
    return request.param


def why(run, query, **limits):
    with pytest.raises(QueryError) as failed:
        ask(run, query, Limits(**limits), in_this_process=limits.pop("here", False))
    assert str(failed.value).endswith((".", "'", ")", "?", "them", "lines"))
    assert "\n" not in str(failed.value)
    return failed.value.why


STATEMENTS = (
    "copy lines to '{file}'",
    "copy (select 1) to '{file}' (format parquet)",
    "attach '{file}' as other",
    "install httpfs",
    "load httpfs",
    "force install httpfs from 'http://localhost'",
    "set enable_external_access = true",
    "reset memory_limit",
    "pragma memory_limit = '1TB'",
    "pragma database_list",
    "call pragma_version()",
    "create table x as select 1",
    "create secret (type s3)",
    "create or replace view lines as select 1",
    "create macro f(a) as a",
    "insert into lines values (1)",
    "update lines set run = 2",
    "delete from lines",
    "drop view lines",
    "export database '{file}'",
    "import database '{file}'",
    "detach memory",
    "use memory",
    "begin",
    "prepare p as select 1",
    "execute p",
    "vacuum",
    "checkpoint",
    "update extensions",
    "select 1; select 2",
    "select 1; copy lines to '{file}'",
)
FUNCTIONS = (
    "select * from read_csv('{file}')",
    "select * from read_text('{file}')",
    "select * from read_blob('{file}')",
    "select * from read_json('{file}')",
    "select * from read_parquet('{file}')",
    "select * from sniff_csv('{file}')",
    "select * from parquet_metadata('{file}')",
    "select * from glob('/etc/*')",
    "select * from 'https://example.com/a.parquet'",
    "select * from read_csv('https://example.com/a.csv')",
    "select * from read_parquet('s3://bucket/a')",
    "select * from duckdb_secrets()",
    "describe select * from read_csv('{file}')",
    "with a as (select * from read_text('{file}')) select * from a",
)
ABSENT = (
    "select * from '{file}'",
    'select * from "{file}"',
    "select getenv('HOME')",
    "select * from query('copy lines to ''{file}''')",
    "select * from query_table('{file}')",
    "select * from secret",
    "select nextval('x')",
)

secret = {"a": [1]}
"""What DuckDB would find by its name in who calls it."""


@pytest.mark.parametrize("query", STATEMENTS)
def test_what_does_not_read_is_refused(run, query, tmp_path):
    assert why(run, query.format(file=tmp_path / "x")) == "refused"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("query", FUNCTIONS)
def test_files_and_addresses_are_refused(run, query, tmp_path, here):
    (tmp_path / "x").write_text("a\n1\n")
    with pytest.raises(QueryError) as failed:
        ask(run, query.format(file=tmp_path / "x"), Limits(), in_this_process=here)
    assert failed.value.why == "refused"
    assert "no files, no addresses" in str(failed.value)


@pytest.mark.parametrize(
    "query",
    [
        "select * from sqlite_scan('{file}', 'a')",
        "select * from iceberg_scan('{file}')",
        "select st_point(1, 2)",
        "select sqlite_scan('{file}')",
        "select 1::inet",
        "explain select * from st_read('{file}')",
    ],
)
def test_extensions_are_refused_and_not_advised(run, query, tmp_path, here):
    with pytest.raises(QueryError, match="of an extension of DuckDB") as failed:
        ask(run, query.format(file=tmp_path / "x"), Limits(), in_this_process=here)
    assert failed.value.why == "refused"
    for advice in ("INSTALL", "LOAD", "SET", "installing"):
        assert advice not in str(failed.value)


@pytest.mark.parametrize("query", ABSENT)
def test_there_is_nothing_else_to_name(run, query, tmp_path, here):
    (tmp_path / "x").write_text("a\n1\n")
    with pytest.raises(QueryError) as failed:
        ask(run, query.format(file=tmp_path / "x"), Limits(), in_this_process=here)
    assert failed.value.why in ("wrong", "refused")


@pytest.mark.parametrize(
    "query",
    [
        "select count(*) from range(1000000000000)",
        "with recursive r as (select 1 i union all select i + 1 from r) select count(*) from r",
        "select sum(hash(a.range + b.range)) from range(1000000) a, range(1000000) b",
    ],
)
def test_an_endless_query_is_ended(run, query, here):
    with pytest.raises(QueryError, match=r"ended after 0\.5 s, which is its limit") as failed:
        ask(run, query, Limits(seconds=0.5), in_this_process=here)
    assert failed.value.why == "time"


@linux
def test_a_function_that_looks_at_no_interrupt_is_ended(run):
    assert why(run, "select length(lpad('x', 2000000000, 'y'))", seconds=0.5) == "time"


@linux
@pytest.mark.parametrize(
    "query",
    [
        "select length(repeat('x', 4000000000))",
        "select repeat(repeat('x', 100000), 10000) from range(100000)",
        "select list_resize([1], 1000000000)[3]",
        "select array_agg(repeat('x', 100000)) from range(100000)",
        "select length(format('{:>1000000000}', 'a'))",
        "select length(a || a || a || a) from (select b || b || b || b a from (select repeat('x', 100000000) b))",
    ],
)
def test_a_query_has_no_more_memory_than_it_may(run, query):
    with pytest.raises(QueryError, match="more memory than the 100 MiB that it may have") as failed:
        ask(run, query, Limits(memory_bytes=100 << 20, seconds=20))
    assert failed.value.why == "memory"
    assert value(run, "select 1") == 1


@linux
def test_it_is_ended_by_who_asked(run):
    before = _children()
    asked = threading.Event()
    ended = []

    def ask_it():
        with pytest.raises(QueryError) as failed:
            ask(run, "select count(*) from range(1000000000000)", Limits(), asked.is_set)
        ended.append(failed.value.why)

    thread = threading.Thread(target=ask_it)
    thread.start()
    time.sleep(0.2)
    asked.set()
    thread.join(timeout=10)
    assert ended == ["cancelled"]
    assert _children() <= before


@linux
def test_no_process_is_left(run):
    # Tests before this one, in the same process, may have left some of their own.
    before = _children()
    value(run, "select count(*) from lines")
    assert _children() <= before


def _children():
    """Those of every thread of this process."""
    found = set()
    for each in Path("/proc/self/task").glob("*/children"):
        # A thread may end meanwhile.
        with contextlib.suppress(OSError):
            found.update(each.read_text().split())
    return found


def test_limits_cannot_be_changed_from_inside(run, here):
    (limit,) = rows(run, "select current_setting('lock_configuration')", in_this_process=here)
    assert limit == (True,)


def test_rows_that_are_left_out_are_counted(run, here):
    answer = ask(run, "select * from range(1000) order by 1", Limits(rows=10), in_this_process=here)
    assert (len(answer.rows), answer.is_cut, answer.left_out) == (10, True, 990)
    whole = ask(run, "select * from range(10)", Limits(rows=10), in_this_process=here)
    assert (len(whole.rows), whole.is_cut, whole.left_out) == (10, False, 0)
    endless = ask(run, "select * from range(1000000000000)", Limits(rows=1, seconds=0.5), in_this_process=here)
    assert (endless.rows, endless.is_cut) == (((0,),), True)


def test_without_duckdb_its_extra_is_named(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(QueryError, match=r"pip install 'scopelight\[sql\]'") as failed:
        ask(run, "select 1", Limits())
    assert failed.value.why == "missing"


def test_it_does_not_change_the_folder_or_the_environment(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ)
    value(run, "select count(*) from lines")
    assert dict(os.environ) == before
    assert list(tmp_path.iterdir()) == []
