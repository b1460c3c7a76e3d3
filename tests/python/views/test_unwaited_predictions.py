"""What a prediction has by its nature, or cannot have, is not told as if it had been left out."""

from click.testing import CliRunner

from made.predictions import UNROLLED
from scopelight.cli.main import main
from scopelight.views.opening import open_subject
from scopelight.views.table import VIEWS


def shown(view):
    return CliRunner().invoke(main, ["show", view, str(UNROLLED)], catch_exceptions=False).output


def test_every_step_is_in_the_mean_for_nothing_is_waited_for():
    record = VIEWS["steps"].ask(open_subject(UNROLLED), VIEWS["steps"].options())
    assert all(each.has_interval and each.interval_ps == 0 for each in record.rows)
    assert record.step_time.steps == len(record.rows) > 1
    assert "Not in the mean" not in shown("steps")
    assert "the wait before it" not in shown("steps")


def test_what_compiling_took_is_not_missed():
    assert "not recorded" not in shown("programs")


def test_a_run_is_called_no_file():
    assert "It has no timeline" in shown("timeline")
