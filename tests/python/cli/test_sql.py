"""Queries on the command line."""

import csv
import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from made.predictions import SCAN
from made.until import until
from scopelight.cli.main import main
from scopelight.sql.shut_in import IS_POSSIBLE
from scopelight.sql.tables import TABLES


def said(*arguments, **options):
    return CliRunner().invoke(main, ["sql", *map(str, arguments)], **options)


def test_an_answer_is_a_table_with_units():
    answer = said(SCAN, "select path, line, self_ps, share_ratio from lines order by self_ps desc", "--limit", 2)
    assert answer.exit_code == 0
    head, *lines = answer.stdout.splitlines()
    assert head.split() == ["path", "line", "self_ps", "share_ratio"]
    assert lines[0].split()[-1] == "%"
    assert lines[0].split()[-3].endswith("s")
    assert "2 of " in lines[2]
    assert "were left out." in lines[2]


def test_it_can_be_had_as_json_and_csv():
    query = "select key, self_ps from lines order by self_ps desc, key"
    answer = json.loads(said(SCAN, query, "--json").stdout)
    assert answer["columns"][1] == {"name": "self_ps", "kind": "integer", "unit": "ps"}
    assert answer["left_out"] == 0
    table = list(csv.DictReader(io.StringIO(said(SCAN, query, "--csv").stdout)))
    assert [(each["key"], int(each["self_ps"])) for each in table] == [
        (each["key"], each["self_ps"]) for each in answer["rows"]
    ]
    cut = said(SCAN, query, "--csv", "--limit", 1)
    assert "left out" in cut.stderr
    assert len(cut.stdout.splitlines()) == 2


def test_columns_without_values_are_shown():
    answer = said(SCAN, "select null as nothing, '' as empty, 1.5 as number")
    assert [line.split() for line in answer.stdout.splitlines()] == [
        ["nothing", "empty", "number"],
        ["–", "''", "1.5"],
    ]
    assert "The query has no rows." in said(SCAN, "select 1 where false").stdout


def test_several_runs_and_standard_input():
    answer = said(SCAN, SCAN, "-", input="select run, count(*) as n from steps group by run order by run")
    assert [each.split()[0] for each in answer.stdout.splitlines()[1:]] == ["1", "2"]


def test_the_schema_is_printed_without_duckdb(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    whole = said(SCAN, ".schema").stdout
    for table in TABLES.values():
        assert f"\n{table.name}: " in f"\n{whole}"
    lines = said(SCAN, ".schema", "lines").stdout
    assert "self_ps" in lines
    assert "\nops: " not in lines
    assert [each["name"] for each in json.loads(said(".schema", "--json").stdout)["tables"]] == [*TABLES]
    assert said(SCAN, ".schema", "nope").exit_code == 2
    missing = said(SCAN, "select 1")
    assert missing.exit_code == 1
    assert "pip install 'scopelight[sql]'" in missing.stderr


def test_every_run_is_looked_at_whatever_is_asked(tmp_path):
    (tmp_path / "empty").mkdir()
    for runs, sentence in (
        (("/no/such/run",), "there is no such file or directory"),
        ((SCAN, tmp_path / "empty"), "holds no profile"),
    ):
        answer = said(*runs, "select 1")
        assert (answer.exit_code, answer.stdout) == (1, "")
        assert sentence in answer.stderr
    schema = said(SCAN, "/no/such/run", ".schema")
    assert (schema.exit_code, schema.stdout) == (1, "")
    assert "there is no such file or directory" in schema.stderr


def test_the_schema_can_be_asked_for_in_one_argument_and_of_views_in_milliseconds():
    apart = said(SCAN, ".schema", "lines")
    assert said(SCAN, ".schema lines").stdout == apart.stdout
    assert said(SCAN, "-", input=".schema lines;\n").stdout == apart.stdout
    both = said(SCAN, "  .schema  lines ops ").stdout
    assert "\nops: " in both
    of_view = said(SCAN, ".schema", "lines_ms")
    assert of_view.exit_code == 0
    assert of_view.stdout.startswith("lines_ms: ")
    assert "self_ms" in of_view.stdout
    assert "_ps" not in of_view.stdout
    assert "devices_ms" in said(SCAN, ".schema", "devices_ms").stderr


def test_two_forms_of_an_answer_exclude_each_other():
    answer = said(SCAN, "select 1", "--csv", "--json")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "--json and --csv are two forms of an answer: give one of them." in answer.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        ((SCAN, "copy lines to 'x'"), "COPY is refused", 1),
        ((SCAN, "select nope from lines"), '"nope" not found', 1),
        ((SCAN, "select count(*) from range(1000000000000)", "--timeout", "0.3"), "ended after 0.3 s", 1),
        (("/no/such/run", "select 1 from lines"), "there is no such file or directory", 1),
        ((SCAN,), "Give a run, then the query", 2),
        ((), "Missing argument", 2),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(arguments, sentence, code):
    answer = said(*arguments)
    assert answer.exit_code == code
    assert sentence in answer.stderr
    assert answer.stdout == ""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
@pytest.mark.skipif(not IS_POSSIBLE, reason="the process of a query is of Linux")
def test_what_ends_the_command_ends_the_process_of_its_query(number, code):
    endless = "select count(*) from range(1000000000000)"
    asking = subprocess.Popen(
        [sys.executable, "-m", "scopelight.cli.main", "sql", str(SCAN), endless],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    children = Path(f"/proc/{asking.pid}/task/{asking.pid}/children")
    until(lambda: children.read_text().split())
    asking.send_signal(number)
    # The process of the query has the same standard output: this ends when it does.
    output, errors = asking.communicate(timeout=20)
    assert (asking.returncode, output, errors) == (code, "", "")


def test_hostile_names_do_not_move_the_cursor():
    answer = said(SCAN, "select chr(27) || '[2J' as a, 'x' || chr(10) || 'y' as b")
    assert "\x1b" not in answer.stdout
    assert len(answer.stdout.splitlines()) == 2
