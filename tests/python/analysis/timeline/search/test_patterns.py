"""Patterns: which texts match, and that no pattern takes long."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scopelight.analysis.timeline.search.patterns import LONGEST_PATTERN, Pattern, PatternError, Texts

NAMES = ("fusion.3", "loop Fusion", "all-reduce.1", "copy\nstart", "", "dot_general")


def matching(text, names=NAMES, **options):
    found = Pattern(text, **options).matching(Texts(names))
    return [name for name, hit in zip(names, found.tolist(), strict=True) if hit]


def test_letter_case_is_ignored_without_a_capital():
    assert matching("fusion") == ["fusion.3", "loop Fusion"]
    assert matching("Fusion") == ["loop Fusion"]
    assert matching("^loop f", is_regex=True) == ["loop Fusion"]
    assert matching("^loop F", is_regex=True) == ["loop Fusion"]
    assert matching("FUSION", is_regex=True) == []


def test_a_capital_behind_a_backslash_is_a_class():
    assert matching(r"^LOOP\S".lower().replace(r"\s", r"\S"), is_regex=True) == []
    assert matching(r"n\W\d", is_regex=True) == ["fusion.3"]
    assert matching(r"n\W\d", ("FUSION.3",), is_regex=True) == ["FUSION.3"]
    assert matching(r"\p{Lu}usion", is_regex=True, names=("Fusion", "fusion")) == ["Fusion", "fusion"]


def test_anchors_are_those_of_each_name():
    assert matching(r"\.\d$", is_regex=True) == ["fusion.3", "all-reduce.1"]
    assert matching(r"\Afusion", is_regex=True) == ["fusion.3"]
    assert matching(r"reduce\.1\z", is_regex=True) == ["all-reduce.1"]
    assert matching(r"^$", is_regex=True) == [""]
    assert matching(r"(?s)copy.start", is_regex=True) == ["copy\nstart"]


def test_no_match_reaches_over_two_names():
    assert matching(r"3[^x]*loop", is_regex=True) == []
    assert matching(r"3\s*loop", is_regex=True) == []
    assert matching("3\nloop", is_regex=True) == []


words = st.text(st.sampled_from("ab.\n-Z"), max_size=6)
expressions = st.sampled_from(("a+b", "^a", "b$", "a.b", "[^a]b", r"a\s*b", "a|b", "(ab)*", r"\bz", "", r"^[^-]*$"))


@given(st.lists(words, max_size=30), expressions)
@example(["a", "b"], r"a\s*b")
def test_regular_expressions_find_what_python_finds_name_by_name(names, expression):
    oracle = re.compile(expression, re.IGNORECASE)
    expected = [name for name in names if oracle.search(name.replace("\n", " "))]
    assert matching(expression, tuple(names), is_regex=True) == expected


@given(st.lists(words, max_size=30), st.text(st.sampled_from("ab.\n-Z"), max_size=3))
def test_substrings_are_found(names, text):
    folds = text == text.lower()
    expected = [name for name in names if text in (name.lower() if folds else name)]
    assert matching(text, tuple(names)) == expected


@pytest.mark.parametrize("expression", ["(a+)+$", "(a|aa)+$", "(.*)*x", r"(\w+\s*)+:$", "(a?){30}a{30}b"])
def test_what_backtracks_elsewhere_is_found_or_not_at_once(expression):
    names = ("a" * 5_000 + "!",) * 50
    assert matching(expression, names, is_regex=True) in ([], list(names))


@pytest.mark.timeout(120)
@pytest.mark.parametrize("expression", ["(a|b)*a(a|b){900}c", "|".join(f"a.{{{n}}}b.{{{60 - n}}}c" for n in range(60))])
def test_the_time_limit_holds(expression):
    names = tuple("ab" * 400 + "a" * (n % 7) + "b" * 300 for n in range(20_000))
    # Without a limit it would take many minutes.
    with pytest.raises(PatternError, match="takes longer than"):
        Pattern(expression, is_regex=True, most_seconds=0.2).matching(Texts(names))


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("(", "not understood: missing"),
        ("*", "not understood: no argument"),
        ("a{1,1000}{1,1000}", "not understood"),
        ("(?R)", "not understood"),
        ("((((a{100}){100}){100}){100})", "not understood"),
        ("x" * (LONGEST_PATTERN + 1), "at most 1000 characters"),
        ("\ud800", "no text can have"),
    ],
)
def test_faulty_expressions_are_refused_in_a_sentence(expression, sentence):
    with pytest.raises(PatternError, match=sentence):
        Pattern(expression, is_regex=True)
