"""What commands write: in any encoding and width, whole or with a sentence why not, compressed where it is asked to."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from made.xspace import Line, plane, write
from scopelight.cli.main import main
from scopelight.views.table import VIEWS

FULL = Path("/dev/full")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small profile, with names that few encodings have."""
    lines = (Line("XLA Ops", (("dot.7", 0, 400_000_000), ("größer 数 \N{GREEK SMALL LETTER MU}", 500_000_000, 10**9))),)
    return write(tmp_path_factory.mktemp("made") / "a.xplane.pb", plane("/device:TPU:0", *lines))


def scopelight(*arguments, stdout=subprocess.PIPE, **environment):
    command = [sys.executable, "-m", "scopelight.cli.main", *map(str, arguments)]
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, env={**os.environ, **environment}, check=False
    )


SHOWN = [("show", view) for view in VIEWS]
OTHERS = [("--help",), ("show", "--help"), ("runs",), ("runs", "--json"), ("doctor",), ("doctor", "--json")]


def arguments_of(command, made):
    return (*command, made) if command in SHOWN else (*command, made.parent) if command[0] == "runs" else command


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", [*SHOWN, *OTHERS], ids=" ".join)
def test_a_full_disk_is_one_sentence(command, made):
    with FULL.open("wb") as full:
        ended = scopelight(*arguments_of(command, made), stdout=full)
    assert ended.returncode == 1
    assert ended.stderr.decode() == "scopelight: the output cannot be written (No space left on device).\n"


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_an_export_to_a_full_disk_is_one_sentence(made):
    with FULL.open("wb") as full:
        ended = scopelight("export", made, "--out", "-", stdout=full)
    assert (ended.returncode, ended.stderr.decode().count("\n")) == (1, 1)
    ended = scopelight("export", made, "--out", FULL)
    assert (ended.returncode, ended.stderr.decode().count("\n")) == (1, 1)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_terminal_of_few_letters_gets_the_text(view, encoding, made):
    plain, whole = (
        scopelight("show", view, made, PYTHONIOENCODING=each, COLUMNS="120") for each in (encoding, "utf-8")
    )
    assert (plain.returncode, plain.stderr) == (whole.returncode, whole.stderr)
    assert plain.stdout.decode(encoding).count("\n") == whole.stdout.decode().count("\n") > 0


def test_what_an_encoding_lacks_is_written_in_other_letters(made):
    text = scopelight("show", "ops", made, PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert "####" in text
    assert "gr??er ? ?" not in text
    assert "gr??er ? u" in text


@pytest.mark.parametrize("columns", ["0", "1", "-5", "wide", "", "99999999999"])
@pytest.mark.parametrize("view", ["lines", "ops", "timeline", "flame"])
def test_a_width_that_is_none_hides_nothing(view, columns, made):
    ended = scopelight("show", view, made, COLUMNS=columns)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.count(b"\n") >= 3
    assert len(ended.stdout) < 100_000


@pytest.mark.parametrize("command", [*SHOWN, *OTHERS], ids=" ".join)
def test_who_reads_may_have_enough(command, made):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = scopelight(*arguments_of(command, made), stdout=writing)
    finally:
        os.close(writing)
    assert ended.stderr == b""


@pytest.mark.parametrize("arguments", [("show", "lines", ""), ("export", "", "--out", "x.json"), ("runs", "")])
def test_the_empty_path_is_not_the_current_folder(arguments):
    ended = CliRunner().invoke(main, arguments)
    assert ended.exit_code == 2
    assert "The path is empty. The current folder is '.'." in ended.output


@pytest.mark.parametrize("kind", ["chrome", "speedscope", "collapsed", "firefox", "pprof"])
def test_a_name_that_ends_in_gz_is_compressed_once(kind, made, tmp_path):
    plain, packed = tmp_path / "x.json", tmp_path / "x.json.gz"
    for output in (plain, packed):
        ended = CliRunner().invoke(main, ["export", str(made), "--format", kind, "--out", str(output)])
        assert ended.exit_code == 0
        assert str(output) in ended.output
    expected = gzip.decompress(plain.read_bytes()) if kind == "pprof" else plain.read_bytes()
    assert gzip.decompress(packed.read_bytes()) == expected
    assert expected
    if kind == "chrome":
        assert json.loads(expected)["traceEvents"]
