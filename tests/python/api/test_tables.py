"""Records and columns as tables of other libraries, and in notebooks."""

import subprocess
import sys
import warnings
from html.parser import HTMLParser
from typing import ClassVar

import attrs
import numpy as np
import polars
import pytest

import scopelight
from made.predictions import SCAN
from scopelight.analysis.tabular import Tabular
from scopelight.views.table import VIEWS


@attrs.frozen
class Row:
    name: str | None
    self_ps: int | None
    share_ratio: float | None
    is_shared: bool | None
    parts: tuple[int, ...] = ()
    flops: int | None = None


@attrs.frozen
class Made(Tabular):
    ROWS: ClassVar = "rows"
    rows: tuple[Row, ...] = ()


MADE = Made(
    (
        Row("a", 1, 0.5, True, (1, 2), 1 << 70),
        Row(None, None, None, None),
        Row("ü\ud800<script>alert(1)</script>\x1b[2J\n", 3, float("nan"), False, (), 7),
    )
)
NOTHING = Made()


def interchanged(table):
    """What pandas makes of it by the protocol."""
    from pandas.api.interchange import from_dataframe  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return from_dataframe(table)


@pytest.fixture(scope="module")
def run():
    return scopelight.open(SCAN)


def test_polars_has_what_pandas_has(run):
    for view in VIEWS.values():
        record = getattr(run, view.id.replace("-", "_"))()
        in_pandas, in_polars = record.to_pandas(), record.to_polars()
        assert [*in_polars.columns] == [*in_pandas.columns], view.id
        assert len(in_polars) == len(in_pandas)
        for name, dtype in in_polars.schema.items():
            if dtype == polars.Int64:
                assert in_polars[name].sum() == int(in_pandas[name].sum()), name


def test_what_is_not_known_is_null_everywhere():
    in_polars = MADE.to_polars()
    assert in_polars["self_ps"].to_list() == [1, None, 3]
    assert in_polars["is_shared"].to_list() == [True, None, False]
    assert in_polars["flops"].to_list() == [1 << 70, None, 7]
    arrays = MADE.to_numpy()
    assert arrays["self_ps"].tolist() == [1, None, 3]
    assert arrays["share_ratio"].tolist() == [0.5, None, None]
    assert arrays["name"].tolist()[1] is None
    assert arrays["parts"].tolist()[0] == (1, 2)


def test_the_interchange_protocol_gives_the_same_values(run):
    table = interchanged(MADE)
    assert [*table.columns] == ["name", "self_ps", "share_ratio", "is_shared", "flops"]
    assert table.name[0] == "a"
    # What pandas reads of booleans that are not known is False.
    assert table.isna().sum().tolist() == [1, 1, 2, 0, 2]
    assert MADE.__dataframe__().get_column_by_name("is_shared").null_count == 1
    assert table.self_ps.sum() == 4
    executions = run.executions
    exchanged = interchanged(executions)
    assert exchanged.self_ps.sum() == executions.self_ps.sum()
    assert exchanged.op.tolist() == executions.op.tolist()


def test_the_interchange_protocol_copies_no_numbers(run):
    executions = run.executions
    table = executions.__dataframe__()
    (buffer, (kind, bits, *_)) = table.get_column_by_name("self_ps").get_buffers()["data"]
    assert (buffer.ptr, buffer.bufsize) == (executions.self_ps.ctypes.data, executions.self_ps.nbytes)
    assert (kind, bits) == (0, 64)
    with pytest.raises(RuntimeError, match="without a copy"):
        executions.__dataframe__(allow_copy=False)


def test_the_interchange_protocol_is_whole():
    table = MADE.__dataframe__()
    assert table.__dataframe__() is table
    assert (table.num_columns(), table.num_rows(), table.num_chunks()) == (5, 3, 1)
    assert list(table.select_columns([1, 0]).column_names()) == ["self_ps", "name"]
    assert [each.size() for each in table.get_columns()] == [3] * 5
    column = table.get_column(0)
    assert column.null_count == 1
    assert list(column.get_chunks()) == [column]
    with pytest.raises(TypeError):
        _ = column.describe_categorical
    empty = NOTHING.__dataframe__()
    assert (empty.num_rows(), len(interchanged(NOTHING))) == (0, 0)


class Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.cells = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag in ("td", "th"):
            self.cells.append([tag, dict(attributes)["style"], ""])

    def handle_data(self, data):
        if self.cells and self.tags[-1] in ("td", "th"):
            self.cells[-1][2] += data


def html_of(table):
    parser = Cells()
    parser.feed(table._repr_html_())
    return parser


def test_notebooks_show_the_first_rows_with_units(run):
    lines = run.lines()
    page = html_of(lines)
    heads = [text for tag, _, text in page.cells if tag == "th"]
    assert heads[:2] == ["path", "line"]
    rows = [text for tag, _, text in page.cells if tag == "td"]
    assert len(rows) == len(heads) * min(10, len(lines.lines))
    assert " of " in lines._repr_html_()
    assert "more columns" in lines._repr_html_()
    style = {text: style for tag, style, text in page.cells if tag == "th"}
    assert "right" in style["self_ps"]
    assert "left" in style["path"]


def heads_of(table):
    return [text for tag, _, text in html_of(table).cells if tag == "th"]


def test_a_comparison_shows_its_verdicts_before_what_they_are_about(run):
    for by, unit in (("line", "ps"), ("op", "ps"), ("memory", "bytes")):
        heads = heads_of(run.compare(SCAN, by=by))
        first = [each for each in ("label", "path", "line") if each in heads]
        assert heads[: len(first) + 4] == [
            *first,
            *(f"{each}_{unit}" for each in ("before", "change", "after")),
            "verdict",
        ]
        assert heads.index("verdict") < heads.index("change_ratio")


def test_what_a_row_is_and_how_sure_its_figures_are_does_not_fall_off(run):
    for record, names in (
        (run.op_profile(), {"label", "self_ps"}),
        (run.flops(), {"label", "flops"}),
        (run.roofline(), {"label", "bound_by"}),
        (run.compatibility(), {"primitive", "verdict"}),
        (run.ops(), {"name", "path", "self_ps", "share_ratio", "bound_by", "basis"}),
    ):
        has_values = {name for name, (values, _) in record.table_columns().items() if any(each for each in values)}
        assert names & has_values <= set(heads_of(record)), type(record)
        assert len(heads_of(record)) <= 14


def test_hostile_names_are_text(run):
    page = html_of(MADE)
    assert set(page.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    shown = " ".join(text for _, _, text in page.cells)
    assert "<script>" in shown
    assert not {"\x1b", "\n", "\ud800"} & set(shown)
    assert "There are no rows." in NOTHING._repr_html_()
    queried = run.sql("select '<img src=x onerror=1>' as a, '</td>' as \"<b>\"")
    assert set(html_of(queried).tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}


def test_every_view_can_be_shown(run):
    for view in VIEWS.values():
        assert getattr(run, view.id.replace("-", "_"))()._repr_html_().startswith("<table>")


def test_a_query_is_a_table(run):
    found = run.sql("select key, self_ps, collective_wait_ps from lines order by self_ps desc", limit=2)
    assert (len(found), found.left_out) == (2, len(run.lines().lines) - 2)
    assert found.to_polars().schema == {
        "key": polars.String,
        "self_ps": polars.Int64,
        "collective_wait_ps": polars.Int64,
    }
    assert found.to_pandas().self_ps.sum() == sum(found["self_ps"])
    assert found.to_numpy()["self_ps"].dtype == np.int64
    assert f"2 of {len(run.lines().lines)} rows" in found._repr_html_()
    assert repr(found) == "<2 rows: key, self_ps, collective_wait_ps>"
    with pytest.raises(scopelight.QueryError, match="COPY is refused"):
        run.sql("copy lines to 'x'")
    with pytest.raises(scopelight.QueryError, match=r"ended after 0\.3 s"):
        run.sql("select count(*) from range(1000000000000)", timeout_s=0.3)
    assert len(run.sql("select * from lines where false")) == 0


def test_the_rows_of_an_answer_can_be_gone_through(run):
    found = run.sql("select 1 as x, 'a' as y union all select 2, null order by x")
    assert list(found) == [{"x": 1, "y": "a"}, {"x": 2, "y": None}]
    assert [list(run.sql("select * from lines where false")), len(found)] == [[], 2]
    with pytest.raises(KeyError, match=r"'z'.*x, y"):
        found["z"]
    with pytest.raises(KeyError, match=r"0.*x, y"):
        found[0]


def test_what_a_query_is_given_is_checked(run, tmp_path):
    counted = "select run, count(*) from runs group by run order by run"
    others = [SCAN, str(SCAN), run]
    assert run.sql(counted, others=others)["run"] == [1, 2, 3, 4]
    assert run.sql(counted, others=str(SCAN))["run"] == run.sql(counted, others=run)["run"] == [1, 2]
    with pytest.raises(scopelight.ProfileError, match="there is no such file or directory"):
        run.sql(counted, others=[tmp_path / "gone"])
    with pytest.raises(TypeError, match="A run is a Run or a path, not int"):
        run.sql(counted, others=[5])
    with pytest.raises(TypeError, match="others are runs or paths, not int"):
        run.sql(counted, others=5)
    with pytest.raises(TypeError, match="The query is a text, not NoneType"):
        run.sql(None)
    for option, given in (("limit", -1), ("limit", 1.5), ("limit", True), ("timeout_s", -1), ("timeout_s", "1")):
        with pytest.raises(scopelight.OptionError, match=f"{given}") as wrong:
            run.sql("select 1", **{option: given})
        assert wrong.value.option == option
    assert len(run.sql("select 1", limit=0)) == 0


def test_other_libraries_wait_until_they_are_asked_for():
    question = (
        "import sys, scopelight; run = scopelight.open(sys.argv[1]); lines = run.lines(); lines._repr_html_();"
        "lines.__dataframe__(); lines.to_numpy(); print({'polars', 'pandas', 'duckdb'} & set(sys.modules));"
        "lines.to_polars(); run.sql('select 1'); print(sorted({'polars', 'pandas', 'duckdb'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", question, SCAN], capture_output=True, text=True, check=True)
    assert answer.stdout.split("\n")[:2] == ["set()", "['duckdb', 'polars']"]


def test_what_is_missing_is_named(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="pip install polars"):
        run.lines().to_polars()
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(scopelight.QueryError, match=r"pip install 'scopelight\[sql\]'"):
        run.sql("select 1")
