"""What a capture left out because it had a limit is said wherever its run is shown, and with what is written of it."""

import json

import pytest
from click.testing import CliRunner

from made.xspace import Line, plane, write
from scopelight.cli.main import main
from scopelight.views.table import VIEWS

LEFT_OUT = {
    "code": "steps-left-out",
    "severity": "warning",
    "values": {"first": 60, "captured": 3, "asked": 10, "left_out": 7, "window_s": 0.2},
}
CUT = {"code": "steps-cut", "severity": "note", "values": {"before": 2, "after": 1, "cut_ps": 5000}}
SAID = "7 of the 10 steps asked for are not in the window"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    run = tmp_path_factory.mktemp("run")
    session = run / "plugins" / "profile" / "2026_11_29"
    session.mkdir(parents=True)
    ops = Line("XLA Ops", (("%dot.2 = f32[8] dot()", 10, 30), ("%dot.2 = f32[8] dot()", 50, 50)))
    write(session / "host.xplane.pb", plane("/device:TPU:0", Line("XLA Modules", (("jit_step(1)", 0, 100),)), ops))
    window = {"kind": "steps", "steps": 3, "session": str(session.relative_to(run))}
    said = {
        "format_version": 1,
        "state": "captured",
        "window": window,
        "windows": [window],
        "findings": [LEFT_OUT, CUT],
    }
    (run / "run.json").write_text(json.dumps(said))
    return run


def asked(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_says_it(run, view):
    record = json.loads(asked("show", view, run, "--json").stdout)
    findings = [*record.get("findings", []), *record.get("notes", []), *record.get("timeline", {}).get("findings", [])]
    said = [each["code"] for each in findings if each["code"] in ("steps-left-out", "steps-cut")]
    assert said == ["steps-left-out", "steps-cut"]
    assert SAID in " ".join(asked("show", view, run).stdout.split())


@pytest.mark.parametrize("kind", ["chrome", "speedscope", "collapsed", "firefox", "pprof"])
def test_every_file_is_written_with_it(run, tmp_path, kind):
    ended = asked("export", run, "--format", kind, "--out", tmp_path / "x")
    assert ended.exit_code == 0, ended.output
    assert SAID in ended.output
    assert "The borders of the capture cut steps" in ended.output
    if kind == "chrome":
        assert SAID in (tmp_path / "x").read_text()
