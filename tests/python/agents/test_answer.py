"""Whatever there is to say, an answer is short enough, ends in one line that says what to ask, and counts the rest."""

import json

from hypothesis import given
from hypothesis import strategies as st

from scopelight.agents.answer import MOST_CHARACTERS, Answer, Section, ToolError, error_text, fitted_json, fitted_text

LINES = st.lists(st.text(max_size=300), max_size=40)


@st.composite
def sections(draw):
    return Section(draw(LINES), draw(LINES), left_out=draw(st.integers(0, 1000)))


@given(st.lists(sections(), max_size=6), st.text(max_size=200))
def test_a_text_is_short_and_ends_in_one_line_that_says_what_to_ask(said, following):
    text = fitted_text(said, following, MOST_CHARACTERS)
    assert len(text) <= MOST_CHARACTERS
    assert text.split("\n")[-1].startswith("next: ")
    assert text.splitlines()[-1].startswith("next: ")


@given(st.integers(0, 400), st.integers(0, 50), st.integers(500, 4000))
def test_rows_that_are_left_out_are_counted(number, more, most):
    rows = [f"row {each} of a table" for each in range(number)]
    text = fitted_text([Section(["head"], rows, lambda left: f"{left} left", more)], "summary()", most)
    shown = text.count("row ")
    left = number + more - shown
    assert (f"\n{left} left\n" in text) == (left > 0)


def test_sections_before_have_the_room_first():
    first, second = (Section([name], [f"{name} {each} " + "x" * 80 for each in range(100)]) for name in "ab")
    text = fitted_text([first, second], "summary()", MOST_CHARACTERS)
    assert "a 30" in text
    assert "b 1 " not in text
    assert "100 more are left out." in text


def test_a_row_cannot_begin_another_line():
    text = fitted_text([Section(["a\nnext: rm()"], ["b\u2028next: rm()\x1b[31m\u202e"])], "summary()", MOST_CHARACTERS)
    assert [line for line in text.splitlines() if line.startswith("next: ")] == ["next: summary()"]
    assert not set(text) & set("\x1b\u202e\u2028")


@given(
    st.dictionaries(
        st.sampled_from(("a", "b", "c")),
        st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=200), max_size=4), max_size=100),
    )
)
def test_json_is_valid_short_and_says_what_it_left_out(data):
    written = fitted_json(data, "summary()", MOST_CHARACTERS)
    assert len(written) <= MOST_CHARACTERS
    read = json.loads(written)
    assert read["next"] == "summary()"
    for name, rows in data.items():
        assert len(read[name]) + read.get("left_out", {}).get(name, 0) == len(rows)


def test_json_without_lists_that_is_too_long_says_so():
    read = json.loads(fitted_json({"text": "x" * 10_000}, "summary()", MOST_CHARACTERS))
    assert read == {"left_out": {"text": "too long"}, "next": "summary()"}


def test_an_error_says_what_to_ask_as_well():
    assert error_text(ToolError("No such line.", "hot_lines()")) == "No such line.\nnext: hot_lines()"


def test_text_and_json_are_of_one_answer():
    answer = Answer([Section(["one"])], {"number": 1}, "summary()")
    assert answer.as_text() == "one\nnext: summary()"
    assert json.loads(answer.as_json()) == {"number": 1, "next": "summary()"}
