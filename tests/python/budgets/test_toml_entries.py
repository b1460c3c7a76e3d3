"""Entries of a TOML text stand where a person finds them, and say what `tomllib` reads there."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from scopelight.budgets.toml_entries import toml_entries

EVERYTHING = '''# [tool.scopelight.budgets]
title = "a # b"
[tool.scopelight.budgets]  # the table
step_ms = 200 # at most
"train.py:train_step".step_ms = 160
'model.py'  .  share = "20 %"
"data.py" = { waiting_share = "5 %", share = 0.2 }
names = [1, 2, # one
 "a]", {b = 1}]
long = """
[not.a.table]
x = 1 \\""" """
raw = \'\'\'
y = 2\'\'\'
when = 1979-05-27 07:32:00 # a date
[tool.scopelight.budgets."a.py:f"]
share=1
[[x]]
"k\\u0065y" = 1
'''


def at(document, path):
    for name in path:
        document = document[-1][name] if isinstance(document, list) else document[name]
    return document


def test_every_entry_is_where_its_text_says_what_is_read():
    document = tomllib.loads(EVERYTHING)
    entries = [each for each in toml_entries(EVERYTHING) if not each.is_table]
    assert len(entries) == 13
    for entry in entries:
        (value,) = tomllib.loads(f"v = {EVERYTHING[entry.start : entry.end]}").values()
        assert value == at(document, entry.path)


def test_lines_are_those_of_an_editor():
    lines = {".".join(each.path[3:]): EVERYTHING.count("\n", 0, each.key) + 1 for each in toml_entries(EVERYTHING)}
    assert lines["step_ms"] == 4
    assert lines["train.py:train_step.step_ms"] == 5
    assert lines["data.py.share"] == 7
    assert lines["a.py:f.share"] == 17


KEYS = st.one_of(st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True), st.text(max_size=6)).map(
    lambda name: name.encode("utf-8", "replace").decode()
)
VALUES = st.one_of(st.integers(-(2**62), 2**62), st.booleans(), st.text(max_size=12))


def quoted(text):
    inside = "".join(f"\\u{ord(each):04x}" if ord(each) < 32 or each in '"\\\x7f' else each for each in text)
    return f'"{inside}"'


def written(value):
    return quoted(value) if isinstance(value, str) else str(value).lower()


@given(st.dictionaries(KEYS, st.one_of(VALUES, st.dictionaries(KEYS, VALUES, min_size=1, max_size=3)), max_size=6))
def test_what_is_written_is_found(table):
    text = "[a]\n"
    for key, value in table.items():
        if isinstance(value, dict):
            text += f"{quoted(key)} = {{ {', '.join(f'{quoted(k)} = {written(v)}' for k, v in value.items())} }} # }}\n"
        else:
            text += f"  {quoted(key)} = {written(value)}   # = ]\n"
    assert tomllib.loads(text)["a"] == table
    found = {each.path[1:]: text[each.start : each.end] for each in toml_entries(text) if not each.is_table}
    flat = {(key,): value for key, value in table.items() if not isinstance(value, dict)}
    for key, value in table.items():
        flat.update({(key, k): v for k, v in value.items()} if isinstance(value, dict) else {})
    assert {path: text for path, text in found.items() if not text.startswith("{")} == {
        path: written(value) for path, value in flat.items()
    }


@given(st.text(alphabet="[]{}=.,\"'#\n\\ab1 ", max_size=60))
def test_no_text_is_too_bad_to_be_looked_at(text):
    for entry in toml_entries(text):
        assert 0 <= entry.key <= entry.start <= entry.end <= len(text)


def test_what_is_nested_too_deeply_ends():
    assert toml_entries("a = " + "[" * 10_000) == []
