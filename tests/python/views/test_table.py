"""The table of views: what is derived from an entry, and that every entry names what there is."""

import attrs
import pytest
from click.testing import CliRunner

from made.xspace import Line, plane, write
from scopelight.analysis.options import NoOptions, options_of
from scopelight.cli.main import main
from scopelight.protocol import REQUESTS
from scopelight.server.requests import HANDLERS
from scopelight.views.needs import has
from scopelight.views.opening import open_subject
from scopelight.views.table import DETAILS, VIEWS, function_of


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.id)
def test_an_entry_names_what_there_is(view):
    for name in filter(None, (view.answer, view.render, view.fitted)):
        assert callable(function_of(name))
    assert view.needs
    for name, _, default, option in options_of(view.options):
        assert default is not attrs.NOTHING, f"{name} must have a default: a view is asked for without options"
        assert option.text.endswith(".")
    output = CliRunner().invoke(main, ["show", view.id, "--help"]).output
    assert " ".join(view.sentence.split()) in " ".join(output.split())
    assert f"scopelight/view/{view.id}" in REQUESTS


def test_every_request_says_what_failed_in_words():
    assert HANDLERS.keys() == REQUESTS.keys()
    assert not [method for method, answered in HANDLERS.items() if "scopelight/" in answered.subject]
    assert {f"scopelight/details/{detail}" for detail in DETAILS} <= HANDLERS.keys()


def test_what_a_run_has_is_what_views_need(tmp_path):
    traced = write(tmp_path / "a.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", (("dot.1", 0, 10),))))
    assert has(open_subject(traced).profile) == ("executions", "waiting", "memory", "traces")
    compiled = tmp_path / "step.txt"
    compiled.write_text(
        "HloModule step\n\nENTRY %main (x: f32[8]) -> f32[8] {\n"
        "  %x = f32[8]{0} parameter(0)\n  ROOT %tanh.1 = f32[8]{0} tanh(%x)\n}\n"
    )
    assert has(open_subject(compiled).profile) == ("programs",)


def test_a_view_without_options_is_asked_for_without_any():
    assert [*options_of(NoOptions)] == []
