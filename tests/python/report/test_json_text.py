"""The JSON that commands print is what the server's converter makes of a record."""

import json
import math

import attrs
import pytest

from scopelight.findings import Finding, warning
from scopelight.report.as_json import as_json
from scopelight.report.json_text import json_text


@attrs.frozen
class Inner:
    name: str
    ratio: float | None


@attrs.frozen
class Outer:
    rows: tuple[Inner, ...]
    texts: dict[str, int]
    nothing: tuple[int, ...] = ()
    empty: dict[str, int] = attrs.Factory(dict)
    findings: tuple[Finding, ...] = ()


def test_it_is_the_text_of_the_record_that_panels_receive():
    record = Outer((Inner('a "b" ü \n', 0.1), Inner("", None), Inner("x", 1e300)), {"é": 1 << 70})
    assert json_text(record) == json.dumps(as_json(record, "terminal"), indent=1)


def test_findings_have_their_words():
    record = Outer((), {}, findings=(warning("several-sessions", path="a", sessions=2, newest="b"),))
    text = json_text(record)
    assert text == json.dumps(as_json(record, "terminal"), indent=1)
    assert '"text": "' in text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, -1, "text", None])
def test_single_values_are_those_of_json(value):
    assert json_text(value) == json.dumps(value, indent=1)


def test_what_no_record_holds_is_refused():
    with pytest.raises(TypeError):
        json_text(object())
