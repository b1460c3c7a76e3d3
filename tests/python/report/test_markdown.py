import attrs

from made.costs import NO_TILES, costs, dimension, op_row, padding_row
from made.records import line, record
from scopelight.findings import empty, warning
from scopelight.report.markdown import line_facts, lines_table

LINES = [
    line("train.py", 57, 75 * 10**9, shared=True),
    line("lib/blocks.py", 4, 25 * 10**9, function=""),
    line("train.py", 90, 0, inclusive_ps=100 * 10**9),
]
HOT = record(LINES)
LINES = HOT.lines

TABLE = """\
2 steps of 33.0 ms on average, median 33.0 ms, 32.0 ms to 34.0 ms, by repeating program (jit\\_step)

Wall clock of a step, 50.0 ms on average: device busy 50.0 ms (100.0 %)

| line | of the step | per step | phases, % | function | source |
| --- | --: | --: | --- | --- | --- |
| `train.py:57` | ≈75.0 % | 37.5 ms | fwd 25 bwd 75 | `loss` | `y = x @ w` |
| `lib/blocks.py:4` | 25.0 % | 12.5 ms | fwd 25 bwd 75 |  | a \\| b |
"""


def test_the_table_has_every_line_with_time_of_its_own():
    assert lines_table(HOT, ["    y = x @ w", "a | b", "main()"]) == TABLE


def test_without_sources_there_is_no_column_of_them():
    rows = lines_table(HOT).splitlines()
    assert rows[4] == "| line | of the step | per step | phases, % | function |"
    assert rows[6] == "| `train.py:57` | ≈75.0 % | 37.5 ms | fwd 25 bwd 75 | `loss` |"


def test_a_source_that_is_not_known_is_empty():
    assert lines_table(HOT, [None, None, None]).splitlines()[6].endswith("| `loss` |  |")


def test_without_steps_the_column_is_of_sums():
    bare = [attrs.evolve(each, per_step_ps=None) for each in LINES]
    text = lines_table(record(bare, steps=(), findings=(warning("no-program-runs"),)))
    assert text.startswith("No steps were found: no program run was recorded. Times")
    assert "| line | of the whole window | time |" in text
    assert "| 75.0 ms |" in text


def test_an_empty_record_says_why_and_what_to_do():
    nothing = record([], steps=(), findings=(empty("programs-cut-off"),))
    assert lines_table(nothing) == (
        "The file was cut off, and no compiled program is left of it.\n\nCopy the whole file again, or capture again.\n"
    )


def test_a_line_is_its_place_its_text_and_its_card():
    text = line_facts(LINES[0], HOT, "    y = x @ w")
    assert text.startswith(
        "`train.py:57` in `loss`\n\n```python\ny = x @ w\n```\n\n**≈75.0 %** of the step · 37.5 ms/step"
    )
    assert line_facts(LINES[1], HOT).startswith("`lib/blocks.py:4`\n\n**25.0 %** of the step")


def test_rates_and_padding_are_columns_where_lines_have_some():
    whole = record([line("train.py", 57, 200 * 10**9), line("train.py", 60, 800 * 10**9, ops=())])
    made = costs(whole, [op_row(200 * 10**9)], padding_row(dimension(64, 128, 128)))
    table = lines_table(whole, costs=made)
    assert "| line | of the step | per step | FLOP rate | of peak | padding | phases, % | function |" in table
    (row,) = [each for each in table.splitlines() if "train.py:57" in each]
    assert "| 300 GFLOP/s | 30 % of peak | 2.0× |" in row
    unknown = costs(whole, [], **NO_TILES)
    assert lines_table(whole, costs=unknown) == lines_table(whole)
    assert "300 GFLOP/s" in line_facts(whole.lines[0], whole, costs=made)
