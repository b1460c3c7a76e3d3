"""What a prediction does not tell is said before what it tells: that it was cancelled, and what the TPU refuses."""

import json
import shutil

import pytest

from made.findings import codes, values
from made.predictions import PARTS, SCAN
from scopelight.analysis.compatibility.view import compatibility
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.memory.fit.programs import verdict
from scopelight.analysis.options import NoOptions
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile
from scopelight.report.findings.worded import joined
from scopelight.source.workspace import line_options


def subject_of(run):
    profile = open_profile(run)
    return Subject.of(profile, line_options(profile))


@pytest.fixture
def cancelled(tmp_path):
    """The step of a run was not compiled any more, and none of its ops asked about."""
    run = shutil.copytree(SCAN, tmp_path / "run")
    said = json.loads((run / "prediction.json").read_text())
    step = said["programs"][-1]
    step.update(outcome="cancelled", file=None, memory=None)
    said["was_cancelled"] = True
    (run / "prediction.json").write_text(json.dumps(said))
    known = json.loads((run / "compatibility.json").read_text())
    for each in known["ops"]:
        each.update(verdict="unjudged", judged_by="nothing")
    (run / "compatibility.json").write_text(json.dumps(known))
    return run


def test_that_it_was_cancelled_is_said_of_every_view(cancelled):
    subject = subject_of(cancelled)
    for record in (
        hot_lines(subject.profile),
        overview(subject, OverviewOptions()),
        compatibility(subject, NoOptions()),
    ):
        assert values(record, "prediction-cancelled") == {"names": ("jit(train_step)",)}
        assert "prediction-without-programs" not in codes(record)


def test_of_what_was_cancelled_nothing_says_that_it_fits(cancelled):
    found = verdict(subject_of(cancelled))
    assert not joined([found], "editor").startswith("Fits")


def test_ops_that_nobody_asked_about_are_said_to_be_so_by_the_cancel(cancelled):
    record = compatibility(subject_of(cancelled), NoOptions())
    assert {each.cause for each in record.ops} == {"cancelled"}
    assert values(record, "unjudged-cancelled")["ops"] == record.total.unjudged


def test_nothing_is_said_of_how_ops_were_judged_where_none_was(cancelled):
    assert "compatibility-judged" not in codes(compatibility(subject_of(cancelled), NoOptions()))


def test_nothing_is_said_of_how_ops_were_judged_where_none_was_told(cancelled):
    file = cancelled / "compatibility.json"
    known = json.loads(file.read_text())
    file.write_text(json.dumps(known | {"ops": [], "programs": [], "is_whole": False}))
    found = codes(compatibility(subject_of(cancelled), NoOptions()))
    assert "compatibility-not-whole" in found
    assert "compatibility-judged" not in found


def test_of_ops_some_of_which_were_judged_before_the_cancel_it_is_said_how_many(cancelled):
    file = cancelled / "compatibility.json"
    known = json.loads(file.read_text())
    known["ops"][0].update(verdict="native", judged_by="program")
    known["ops"][1].update(verdict="native", judged_by="alone")
    file.write_text(json.dumps(known))
    record = compatibility(subject_of(cancelled), NoOptions())
    kinds = len(known["ops"])
    said = values(record, "compatibility-judged")
    assert said == {"kinds": kinds, "of_programs": 1, "of_kind": 0, "alone": 1, "unjudged": kinds - 2}
    text = joined([each for each in record.findings if each.code == "compatibility-judged"], "editor")
    assert text.startswith(f"2 of {kinds} kinds of ops judged, 1 of them")


def test_refused_ops_are_named_with_their_lines():
    subject = subject_of(PARTS)
    said = values(hot_lines(subject.profile), "prediction-refused-ops")
    refused = [each for each in compatibility(subject, NoOptions()).ops if each.verdict == "refused"]
    assert said["ops"] == sum(each.count for each in refused)
    assert set(zip(said["primitives"], said["lines"], strict=True)) == {(each.primitive, each.line) for each in refused}
    assert set(said["files"]) == {""}


def test_why_a_program_was_not_compiled_is_said():
    said = values(hot_lines(subject_of(PARTS).profile), "prediction-without-programs")
    assert said["said"]


def test_a_prediction_that_came_to_its_end_says_nothing_of_it():
    assert not {"prediction-cancelled", "prediction-refused-ops"} & set(codes(hot_lines(open_profile(SCAN))))
