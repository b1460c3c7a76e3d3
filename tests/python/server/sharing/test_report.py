"""Reports of a run: all that pages ask as they open, no line of the source where it is left out, and text for chats."""

import base64
import gzip
import json
import re

import pytest
from click.testing import CliRunner

from made.xspace import Line, plane, write
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.cli.main import main
from scopelight.server.sharing import document
from scopelight.server.sharing import report as writing
from scopelight.server.sharing.held import key_of
from scopelight.server.sharing.questions import Asked, opening, opening_in_scope
from scopelight.server.sharing.sources import without_lines
from scopelight.views.opening import open_subject
from scopelight.views.table import VIEWS

SCOPES = ("steps", "window", "outside")
PAGES = '<title>__TITLE__</title><script id="held" type="application/gzip">__HELD__</script><script>start()</script>'


@pytest.fixture
def pages(monkeypatch):
    """Pages without anything in them: those of the panels are made where the extension is built."""
    monkeypatch.setattr(document, "pages", lambda: PAGES)


@pytest.fixture
def report(pages, captured, tmp_path, monkeypatch):
    monkeypatch.chdir(captured.folder)

    def write_report(*options, run=None):
        output = tmp_path / "report.html"
        result = CliRunner().invoke(main, ["report", str(run or captured.run), "--out", str(output), *options])
        assert result.exit_code == 0, result.output
        return output.read_text()

    return write_report


def held_in(text):
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'application/gzip">([^<]+)<', text)[1])))


def opened_with():
    return [
        *(key_of("steps", each) for each in opening()),
        *(key_of(scope, each) for scope in SCOPES for each in opening_in_scope()),
    ]


def test_all_that_pages_open_with_is_held_in_every_scope(report):
    held = held_in(report())
    assert [each for each in opened_with() if each not in held["answers"]] == []
    assert set(held["runs"]) == set(SCOPES)
    assert held["timeline"]["record"]["complete"] is True
    assert held["timeline"]["ids"] == sorted(held["timeline"]["ids"])
    for key, answer in held["answers"].items():
        if "/view/" in f"/{key.split()[1]}":
            assert answer["run"] == held["runs"][key.split()[0]]
    cards = [key for key in held["answers"] if "details/opCard" in key]
    assert len(cards) == len(held["answers"][key_of("steps", Asked("view/ops"))]["record"]["rows"])


def test_where_there_is_no_room_what_pages_open_with_is_held_and_nothing_else(report, monkeypatch):
    monkeypatch.setattr(writing, "ROOM_BYTES", 0)
    assert set(held_in(report())["answers"]) == set(opened_with())


def test_every_view_with_a_panel_is_asked(pages):
    without = set(VIEWS) - {each.method.removeprefix("view/") for each in opening()}
    assert without == {"advice", "padding", "memory-lines", "host", "timeline"}


def test_the_source_is_the_recorded_one(report, captured):
    held = held_in(report())
    assert held["sources"][str(captured.network)] == captured.network.read_text().rstrip("\n")


def test_no_line_of_the_source_is_held_where_it_is_left_out(report, captured):
    lines = [
        line.strip()
        for file in (captured.train, captured.network)
        for line in file.read_text().splitlines()
        if len(line.strip()) > 12 and "(" in line
    ]
    whole, bare = report(), report("--no-source")
    assert all(line in json.dumps(held_in(whole), ensure_ascii=False).replace('\\"', '"') for line in lines)
    text = json.dumps(held_in(bare), ensure_ascii=False).replace('\\"', '"')
    assert [line for line in lines if line in text] == []
    assert held_in(bare)["sources"] is None


def test_a_run_that_is_named_like_markup_is_text(pages, tmp_path):
    ops = Line("XLA Ops", (("dot.7", 100, 400),))
    run = tmp_path / "<img src=x onerror=start()>"
    write(run / "plugins" / "profile" / "first" / "a.xplane.pb", plane("/device:TPU:0", ops))
    output = tmp_path / "a.html"
    assert CliRunner().invoke(main, ["report", str(run), "--out", str(output)]).exit_code == 0
    text = output.read_text()
    assert "<title>&lt;img src=x onerror=start()&gt; · Scopelight report</title>" in text
    assert "<img" not in text


def test_markdown_says_what_the_overview_says(captured, monkeypatch):
    monkeypatch.chdir(captured.folder)
    record = overview(open_subject(captured.run, captured.folder), OverviewOptions())
    result = CliRunner().invoke(main, ["report", str(captured.run)])
    assert result.exit_code == 0, result.output
    text = result.output
    assert text.startswith("# train.py\n")
    assert text.count("\n1. ") == min(1, len(record.advice))
    for row in (*record.lines[:3], *record.waiting_lines[:3]):
        assert f"| `{row.path.rsplit('/')[-1]}:{row.line}` |" in text
    assert "## Ran on" in text
    assert CliRunner().invoke(main, ["report", str(captured.run), "--out", "-", "--format", "markdown"]).output == text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "html"), "A report in HTML needs a file: --out FILE.html."),
        (("--out", "no/such/folder/a.html"), "no/such/folder/a.html cannot be written (No such file or directory)."),
    ],
)
def test_what_cannot_be_written_is_said(pages, captured, monkeypatch, arguments, said):
    monkeypatch.chdir(captured.folder)
    result = CliRunner().invoke(main, ["report", str(captured.run), *arguments])
    assert result.exit_code != 0
    assert said in result.output


def test_no_file_of_the_run_is_written_over(pages, captured):
    before = (captured.run / "run.json").read_bytes()
    result = CliRunner().invoke(main, ["report", str(captured.run), "--out", str(captured.run / "run.json")])
    assert result.exit_code == 1
    assert "is a file of the run itself: choose another file." in result.output
    assert (captured.run / "run.json").read_bytes() == before


def test_a_file_of_another_kind_is_not_written_over(pages, captured, tmp_path):
    script = tmp_path / "train.py"
    script.write_text("print('mine')\n")
    ended = CliRunner().invoke(main, ["report", str(captured.run), "--out", str(script)])
    assert ended.exit_code == 1
    assert "there already, and no report by its name" in ended.output
    assert script.read_text() == "print('mine')\n"


def test_standard_output_gets_text_by_itself(captured):
    ended = CliRunner().invoke(main, ["report", str(captured.run), "--out", "-"])
    assert ended.output.startswith("# ")


def test_who_writes_one_is_told_what_else_is_in_it(pages, captured, tmp_path):
    ended = CliRunner().invoke(main, ["report", str(captured.run), "--out", str(tmp_path / "report.html")])
    assert ended.exit_code == 0
    assert "command line" in ended.output


def test_the_copy_of_the_source_is_not_written_over(pages, captured):
    index = captured.run / "sources" / "index.json"
    before = index.read_bytes()
    result = CliRunner().invoke(main, ["report", str(captured.run), "--out", str(index)])
    assert result.exit_code == 1
    assert "is a file of the run itself: choose another file." in result.output
    assert index.read_bytes() == before


def test_no_line_stays_in_the_words_of_a_record():
    said = {
        "name": "function line:x = rng.normal((2, 2))",
        "more": [{"text": "Made by x = rng.normal((2, 2))."}, 1, None],
    }
    assert without_lines(said, ["x = rng.normal((2, 2))"]) == {
        "name": "function line:–",
        "more": [{"text": "Made by –."}, 1, None],
    }


def test_what_is_no_profile_is_said(pages, tmp_path):
    result = CliRunner().invoke(main, ["report", str(tmp_path), "--out", str(tmp_path / "a.html")])
    assert result.exit_code == 1
    assert "is not a readable profile" in result.output
    assert not (tmp_path / "a.html").exists()


def test_an_installation_without_pages_says_so(monkeypatch, captured, tmp_path):
    monkeypatch.setattr(document, "PAGES", "none.html")
    result = CliRunner().invoke(main, ["report", str(captured.run), "--out", str(tmp_path / "a.html")])
    assert result.exit_code == 1
    assert "choose the format markdown" in result.output


@pytest.mark.asyncio
async def test_the_server_writes_one_and_shows_what_it_showed(editor, captured, tmp_path, monkeypatch):
    await editor.show(captured.run)
    written = await editor.result("scopelight/writeReport", {"path": str(captured.run), "format": "markdown"})
    assert written["text"].startswith("# train.py\n")
    output = tmp_path / "report.md"
    params = {"path": str(captured.run), "output": str(output), "format": "markdown"}
    assert await editor.result("scopelight/writeReport", params) == {
        "path": str(output),
        "bytes": output.stat().st_size,
        "text": None,
    }
    assert output.read_text() == written["text"]
    code, message = await editor.error("scopelight/writeReport", {**params, "output": str(tmp_path / "no" / "a.md")})
    assert (code, message) == (-32803, f"{tmp_path / 'no' / 'a.md'} cannot be written (No such file or directory).")
    code, message = await editor.error("scopelight/writeReport", {**params, "output": str(captured.run / "run.json")})
    assert "choose another file" in message
