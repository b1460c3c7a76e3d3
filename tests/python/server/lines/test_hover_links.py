"""Where the card of a line leads to."""

from types import SimpleNamespace

import pytest

from scopelight.server.lines.hover import panel_links


@pytest.mark.parametrize(
    ("inclusive_ps", "classes", "ways"),
    [
        (5, {}, ["Hot Lines", "Timeline", "Op Profile", "Copy"]),
        (0, {"input": 7, "dispatch": 1}, ["Hot Lines", "Timeline", "Input Pipeline", "Copy"]),
        (0, {"sync": 7}, ["Hot Lines", "Timeline", "Copy"]),
    ],
)
def test_the_card_leads_where_there_is_something_of_the_line(inclusive_ps, classes, ways):
    line = SimpleNamespace(file="/w/train.py", line=3, inclusive_ps=inclusive_ps, waiting_classes=classes)
    run = SimpleNamespace(record=SimpleNamespace(lines=[line]), has=("executions", "waiting", "traces"))
    assert [each.split("]")[0][1:] for each in panel_links(run, 0)] == ways


def test_the_card_of_a_prediction_leads_to_nothing_that_was_not_measured():
    line = SimpleNamespace(file="/w/train.py", line=3, inclusive_ps=5, waiting_classes={"input": 7})
    run = SimpleNamespace(record=SimpleNamespace(lines=[line]), has=("executions", "programs", "compatibility"))
    ways = [each.split("]")[0][1:] for each in panel_links(run, 0)]
    assert ways == ["Hot Lines", "Op Profile", "Memory", "Copy"]
