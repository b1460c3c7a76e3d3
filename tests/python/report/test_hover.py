from itertools import pairwise

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from made.costs import costs, op_row
from made.records import line, op, record, shared
from scopelight.analysis.records import PHASE_NAMES, PlaceRecord
from scopelight.findings import warning
from scopelight.report.card.facts import line_card
from scopelight.report.card.fitting import columns_of, fitted
from scopelight.report.card.hover import hover_card
from scopelight.report.card.places import places_text
from scopelight.report.foreign_text import markdown_code, markdown_prose, markdown_text, printable, shortened
from scopelight.report.markdown import line_facts, lines_table

SECOND = 10**12
HOT = line(
    "train.py",
    57,
    40 * SECOND,
    function="loss",
    inclusive_ps=50 * SECOND,
    forward_ps=10 * SECOND,
    backward_ps=30 * SECOND,
    per_step_ps=12_400_000_000,
    inclusive_per_step_ps=15_500_000_000,
    per_step_spread_ps=200_000_000,
    executions_per_step=24.0,
    ops=(
        op(20 * SECOND, shared_with=(PlaceRecord("train.py", 41), PlaceRecord("train.py", 43))),
        op(
            12 * SECOND,
            name="copy_fusion.3",
            category="loop fusion",
            primitive="",
            shape="(f32[8])",
            operand_shapes=("s32[]",) * 5,
            inherited=True,
        ),
        op(8 * SECOND, shape="", operand_shapes=(), shared_with=(PlaceRecord("lib/decoder.py", 7),)),
    ),
)
UNSTEPPED = record([HOT], steps=(), steps_source=None)
WHOLE = record([HOT, line("train.py", 60, 60 * SECOND)])
HOT = WHOLE.lines[0]


def of_whole(*arguments, **changes):
    """A line that has a share of 100 s."""
    return shared([line(*arguments, **changes)], 100 * SECOND)[0]


CARD = """\
**≈40.0 %** of the step: 12.4 ms, most of it backward. With what it calls 50.0 %: 15.5 ms.

forward 25.0 % · backward 75.0 %

```text
op                    shape                                     of line
dot_general    dot.1  f32[8,4] ← f32[8,2], f32[2,4]             ≈50.0 %
copy_fusion.3         (f32[8]) ← s32[], s32[], s32[], s32[], …  ≈30.0 %
dot_general    dot.1                                            ≈20.0 %
```

`dot.1`: *shared with lines 41, 43* · `copy_fusion.3`: *inherited* · `dot.1`: *shared with lib/decoder.py:7*
"""
COPIED = """\
**≈40.0 %** of the step · 12.4 ms/step ± 200 µs · 24 executions/step · 50.0 % (15.5 ms/step) inclusive

|  | forward | backward |
| --- | --: | --: |
| of the line | 25.0 % | 75.0 % |
| op time per step | 5.00 s | 15.0 s |

| op | kind | shape | of the line |  |
| --- | --- | --- | --: | --- |
| `dot_general`, `dot.1` | dot | `f32[8,4] ← f32[8,2], f32[2,4]` | ≈50.0 % | *shared with lines 41, 43* |
| `copy_fusion.3` | loop fusion | `(f32[8]) ← s32[], s32[], s32[], s32[], …` | ≈30.0 % | *inherited* |
| `dot_general`, `dot.1` | dot |  | ≈20.0 % | *shared with lib/decoder.py:7* |
"""


def test_what_is_copied_has_every_fact():
    assert line_card(HOT, WHOLE) == COPIED


def test_the_card_begins_with_a_sentence_and_ends_with_the_links():
    assert hover_card(HOT, WHOLE) == CARD
    links = ("[Hot Lines](command:a)", "[Copy](command:b)")
    assert hover_card(HOT, WHOLE, links=links) == f"{CARD}\n[Hot Lines](command:a) · [Copy](command:b)\n"


def test_a_stale_card_says_so_first_and_shows_what_was_measured():
    notice = "*Edited since it was measured: the numbers are of the line as it was.*"
    card = hover_card(HOT, WHOLE, stale=True, recorded_text="\ty = x @ w  # ``` and more")
    assert card == f"{notice}\n\n````python\n\ty = x @ w  # ``` and more\n````\n\n{CARD}"
    assert hover_card(HOT, WHOLE, stale=True) == f"{notice}\n\n{CARD}"


def test_a_call_site_has_what_its_calls_hold():
    card = hover_card(of_whole("a.py", 3, 0, inclusive_ps=71 * SECOND, inclusive_per_step_ps=23 * 10**9, ops=()), WHOLE)
    assert card == "**71.0 %** of the step is in what it calls: 23.0 ms.\n"


def test_phases_are_told_apart_only_where_there_are_some():
    phases = {"forward_ps": 0, "backward_ps": 0}

    def said(**changes):
        return hover_card(line("a.py", 3, 40, **{**phases, **changes}, ops=()), WHOLE)

    assert said(other_ps=40) == "**0.0 %** of the step: 20 ps.\n"
    assert said(optimizer_ps=40) == "**0.0 %** of the step: 20 ps, all of it optimizer.\n"
    # Beside an op of another phase it is not all of it, however little the op takes.
    nearly = hover_card(line("a.py", 3, 4000, forward_ps=3999, backward_ps=1, ops=()), WHOLE)
    assert nearly.startswith("**0.0 %** of the step: 2.00 ns, most of it forward.")
    assert said(other_ps=30, optimizer_ps=10) == "**0.0 %** of the step: 20 ps.\n\noptimizer 25.0 % · other 75.0 %\n"
    copied = line_card(line("a.py", 3, 40, other_ps=30, optimizer_ps=10, **phases, ops=()), WHOLE)
    assert "|  | optimizer | other |" in copied
    assert "| of the line | 25.0 % | 75.0 % |" in copied


def test_lines_that_an_op_is_shared_with_are_in_their_order():
    places = (
        PlaceRecord("train.py", 43),
        PlaceRecord("lib/b.py", 7),
        PlaceRecord("lib/a.py", 9),
        PlaceRecord("train.py", 41),
    )
    assert places_text(places, line("train.py", 3, 1)) == "lines 41, 43, lib/a.py:9, lib/b.py:7"


def test_without_steps_the_card_has_sums():
    unstepped = {
        "per_step_ps": None,
        "inclusive_per_step_ps": None,
        "per_step_spread_ps": None,
        "executions_per_step": None,
    }
    of = of_whole("a.py", 3, 10 * SECOND, executions=1, **unstepped)
    said = hover_card(of, UNSTEPPED).splitlines()[0]
    assert said == "**10.0 %** of the whole window: 10.0 s, most of it backward."
    assert line_card(of, UNSTEPPED).splitlines()[0] == "**10.0 %** of the whole window · 10.0 s · 1 execution"


def test_few_steps_that_have_most_of_a_line_are_named():
    def said(**few):
        of = of_whole("a.py", 3, 10 * SECOND, executions=1, **few)
        return hover_card(of, WHOLE).splitlines()[0], line_card(of, WHOLE).splitlines()[0]

    steps = WHOLE.extent.steps
    card, copied = said(few_steps=2, few_steps_each_ps=150 * SECOND // 1000)
    assert card.endswith(f" backward. Most of it in 2 of {steps} steps, 150 ms each.")
    assert f" ± 100 µs · most of it in 2 of {steps} steps, 150 ms each · " in copied
    card, copied = said(few_steps=1, few_steps_each_ps=150 * SECOND // 1000)
    assert card.endswith(f" Most of it in 1 of {steps} steps, 150 ms there.")
    assert f" · most of it in 1 of {steps} steps, 150 ms there · " in copied
    assert "steps," not in "".join(said())


def test_op_time_of_several_threads_is_copied_beside_the_wall_clock():
    threaded = of_whole("a.py", 3, 40 * SECOND, wall_ps=10 * SECOND, per_step_ps=5 * SECOND)
    first = line_card(threaded, WHOLE).splitlines()[0]
    assert first.startswith("**10.0 %** of the step · 5.00 s/step ± 100 µs · 20.0 s/step of op time · ")


def test_three_ops_are_named_and_the_rest_is_added_up():
    ops = tuple(op(10 * SECOND, name=f"op.{number}", primitive="") for number in range(8))
    of = line("a.py", 3, 80 * SECOND, ops=ops)
    card = hover_card(of, WHOLE)
    assert [f"op.{number} " in card for number in range(8)] == [True] * 3 + [False] * 5
    assert card.endswith("\n\n*and 5 more, 62.5 %*\n")
    assert hover_card(of, WHOLE, ops_link="command:a").endswith("\n\n[*and 5 more, 62.5 %*](command:a)\n")
    copied = line_card(of, WHOLE)
    assert [f"`op.{number}`" in copied for number in range(8)] == [True] * 5 + [False] * 3
    assert "| 3 more |  |  | 37.5 % |" in copied


def test_ops_of_several_phases_say_which_they_are_of():
    ops = (op(30, phase="backward"), op(10, phase="forward"), op(5, phase="other", primitive="add"))
    block = hover_card(line("a.py", 3, 45, ops=ops), WHOLE).split("```")[1].splitlines()
    assert [each[:17].rstrip() for each in block[2:]] == ["dot_general bwd", "dot_general fwd", "add"]
    block = hover_card(line("a.py", 3, 30, ops=ops[:1]), WHOLE).split("```")[1].splitlines()
    assert block[2].startswith("dot_general  dot.1")


def test_names_that_are_too_long_lose_their_middle():
    assert fitted("dot_general", 11) == "dot_general"
    assert fitted("dot_general", 9) == "dot_…eral"
    assert fitted("学習率学習率", 8) == "学習…率"
    assert columns_of(fitted("学習率学習率", 8)) <= 8
    long = op(
        40 * SECOND, name="fusion" * 9 + ".17", primitive="custom_partitioning_call_of_a_kernel", shape="f32[8,4]"
    )
    block = hover_card(line("a.py", 3, 40 * SECOND, ops=(long,)), WHOLE).split("```")[1].splitlines()
    assert len(block[2]) <= 80
    assert block[2].startswith("custom_partition")
    assert "….17 " in block[2] or "n.17 " in block[2]
    assert "f32[8,4]" in block[2]


PARSER = MarkdownIt("commonmark").enable("table").enable("strikethrough")
"""HTML is on: what is not escaped becomes a token of it."""

HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *"`|\\*_[]()<>!#~&$@:\n\r\t -+=1.",
                "](command:evil)",
                "[x](http://evil.example)",
                "![](//evil.example)",
                "<img src=x onerror=alert(1)>",
                "<http://evil.example>",
                "<!--",
                "&lt;",
                "```",
                "\\|",
                "\n\n# ",
                "http://evil.example",
                "www.evil.example",
                "evil@evil.example",
                "$(flame)",
                "\u202e",
                "\u2028",
                "dot_general",
            ]
        ),
        st.characters(),
    ),
    min_size=1,
    max_size=12,
).map("".join)


def structure(text):
    """Kinds of tokens without what is mere text, plain or code."""
    kinds = []
    for token in PARSER.parse(text):
        kinds.append((token.type, token.tag))
        kinds.extend(
            (child.type, child.tag) for child in token.children or () if child.type not in ("text", "code_inline")
        )
    return kinds


def cells(text):
    """The text of every table cell, as it is seen."""
    tokens = PARSER.parse(text)
    return [
        "".join(child.content for child in inline.children)
        for before, inline in pairwise(tokens)
        if before.type == "td_open"
    ]


def hostile_line(name, category, function, path, place):
    ops = (
        op(30 * SECOND, name=name, primitive="", category=category, shape=name, operand_shapes=(category, name)),
        op(10 * SECOND, primitive=name, shared_with=(PlaceRecord(place, 7),)),
    )
    return line(path, 57, 40 * SECOND, function=function, ops=ops)


@given(HOSTILE, HOSTILE, HOSTILE)
@example("a|b", "`", "a`|`b")
@example("\\", "\\|", "`\\")
@example("x\n\n<script>", "](javascript:x)", "www.evil.example")
def test_a_hostile_name_stays_text(name, category, place):
    tame = hover_card(hostile_line("n", "c", "f", "p", "q"), WHOLE, stale=True, recorded_text="t", links=("[a](b:c)",))
    of = hostile_line(f"n{name}", f"c{category}", "f", "p", f"q{place}")
    card = hover_card(of, WHOLE, stale=True, recorded_text=f"t{name}", links=("[a](b:c)",))
    assert structure(card) == structure(tame)
    shared_with = next(token for token in PARSER.parse(card) if "shared with" in token.content)
    seen = "".join(child.content for child in shared_with.children)
    assert seen == f"dot.1: shared with {printable(f'q{place}:7').strip()}"


@given(HOSTILE, HOSTILE, HOSTILE)
@example("a|b", "`", "a`|`b")
def test_a_hostile_name_stays_text_in_what_is_copied(name, category, place):
    tame = line_card(hostile_line("n", "c", "f", "p", "q"), WHOLE)
    card = line_card(hostile_line(f"n{name}", f"c{category}", "f", "p", f"q{place}"), WHOLE)
    assert structure(card) == structure(tame)
    assert cells(card)[:3] == cells(tame)[:3]
    seen = cells(card)[6:]
    assert seen[0] == shortened(printable(f"n{name}").strip())
    assert seen[1] == shortened(printable(f"c{category}").strip())
    assert seen[9] == f"shared with {printable(f'q{place}:7').strip()}"


NAMES = st.one_of(HOSTILE, st.text(max_size=90), st.text("学習率ab.", max_size=60))
OPS = st.lists(
    st.builds(
        op,
        st.integers(1, 10**15),
        name=NAMES,
        primitive=NAMES,
        shape=NAMES,
        operand_shapes=st.lists(NAMES, max_size=6).map(tuple),
        phase=st.sampled_from([None, *PHASE_NAMES]),
        inherited=st.booleans(),
    ),
    min_size=1,
    max_size=5,
)
ROWS = {
    "flops": st.one_of(st.none(), st.integers(0, 10**20)),
    "flop_utilisation_ratio": st.one_of(st.none(), st.floats(0, 1e6)),
    "bandwidth_utilisation_ratio": st.one_of(st.none(), st.floats(0, 1e6)),
    "bound_by": st.sampled_from([None, "compute", "main", "host", "vmem", "another space"]),
    "wall_ps": st.integers(0, 10**15),
}


# The editor makes a card no wider than the text, half of which is a panel's after a prediction.
@pytest.mark.parametrize(("predicted_for", "most"), [(None, 80), ("TPU v5e", 60)])
@given(ops=OPS, figures=st.fixed_dictionaries(ROWS))
def test_no_line_of_the_ops_takes_more_columns_than_a_card_has(predicted_for, most, ops, figures):
    ops = [attrs.evolve(each, key=f"7/{number}") for number, each in enumerate(ops)]
    of = line("a.py", 3, sum(each.self_ps for each in ops), ops=tuple(ops))
    whole = attrs.evolve(record([of]), predicted_for=predicted_for)
    rows = [op_row(each.self_ps, key=each.key, **figures) for each in ops]
    for known in (None, costs(whole, rows)):
        (block,) = [token for token in PARSER.parse(hover_card(of, whole, costs=known)) if token.type == "fence"]
        lines = block.content.splitlines()
        assert len(lines) == 1 + min(3, len(ops))
        assert max(map(columns_of, lines)) <= most


def test_of_a_prediction_a_narrow_block_says_what_of_the_peak_is_reached_of_what():
    ops = (op(40 * SECOND, key="7/0", phase="backward"), op(20 * SECOND, key="7/1", phase="forward"))
    of = line("a.py", 3, 60 * SECOND, ops=ops)
    whole = attrs.evolve(record([of]), predicted_for="TPU v5e")
    bounds = {"7/0": ("main", 0.704), "7/1": ("compute", 0.06)}
    rows = [
        op_row(
            each.self_ps,
            key=each.key,
            bound_by=bound,
            bandwidth_utilisation_ratio=of_peak,
            flop_utilisation_ratio=of_peak,
        )
        for each in ops
        for bound, of_peak in [bounds[each.key]]
    ]
    block = hover_card(of, whole, costs=costs(whole, rows)).split("```")[1].splitlines()
    assert block[1].split()[-4:] == ["of", "line", "of", "peak"]
    assert [each.split("  ")[-1].strip() for each in block[2:]] == ["≈70 % memory", "≈6 % compute"]
    unknown = [attrs.evolve(row, flop_utilisation_ratio=None, bandwidth_utilisation_ratio=None) for row in rows]
    block = hover_card(of, whole, costs=costs(whole, unknown)).split("```")[1].splitlines()
    assert block[1].endswith("  rate")


@given(HOSTILE, HOSTILE, HOSTILE)
def test_copied_text_holds_no_markdown_but_ours(name, path, source):
    tame, hostile = (
        hostile_line("n", "c", "f", "p", "q"),
        hostile_line(f"n{name}", "c", f"f{name}", f"p{path}", f"q{path}"),
    )
    assert structure(line_facts(hostile, WHOLE, f"s{source}")) == structure(line_facts(tame, WHOLE, "s"))
    around = [
        record([each], steps_name=each.function, findings=(warning("recorded-note", text=each.function),))
        for each in (tame, hostile)
    ]
    tables = [lines_table(each, [text]) for each, text in zip(around, ("s", f"s{source}"), strict=True)]
    assert structure(tables[1]) == structure(tables[0])
    assert cells(tables[1])[0] == printable(f"p{path}:57").strip()
    assert cells(tables[1])[5] == printable(f"s{source}".strip()).strip()


def test_an_address_alone_is_no_link():
    assert markdown_text("http://a www.a a@b") == "http\\://a www\\.a a\\@b"


def test_code_within_sentences_stays_code():
    assert markdown_prose("Run `scopelight show ops *.pb` or a*b, then `x`.") == (
        "Run `scopelight show ops *.pb` or a\\*b, then `x`."
    )
    assert markdown_prose("one ` alone") == markdown_text("one ` alone")
    assert markdown_prose("`code` `again`") == "`code` `again`"
    assert markdown_prose("") == ""
    assert markdown_code("http://a") == "`http://a`"
