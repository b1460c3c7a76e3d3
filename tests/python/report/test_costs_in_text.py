"""What stands in the text of FLOPs, rates and padding: annotations, lenses and hover cards."""

import attrs
import pytest
from markdown_it import MarkdownIt

from made.costs import NO_TILES, costs, dimension, op_row, padding_row
from made.records import line, op, record
from scopelight.analysis.lines.costs import wasteful
from scopelight.analysis.records import StackRecord
from scopelight.findings import Finding, empty
from scopelight.report.annotations import annotation_text, lens_title
from scopelight.report.card.facts import line_card
from scopelight.report.card.hover import hover_card
from scopelight.report.compact_annotation import compact_annotation
from scopelight.report.cost_text import peak_ratio_text, unknown_padding
from scopelight.report.padding_sentences import factor, padding_facts, padding_sentence

MS = 10**9
SECOND = 10**12
LINE = line("train.py", 57, 200 * MS)
WHOLE = record([LINE, line("train.py", 60, 800 * MS, ops=(op(800 * MS, name="other.1"),))])
LINE = WHOLE.lines[0]
FEATURES = dimension(16, 128, 128)
CHANNELS = dimension(3, 8, 8, "contracting")


def text(made, mode, line=LINE, **options):
    return annotation_text(line, mode, costs=made, **options)


def test_the_rate_of_a_line_and_its_share_of_the_peak():
    made = costs(WHOLE, [op_row(200 * MS)])
    assert text(made, "flops") == "▰▰▱▱▱ 300 GFLOP/s  30 % of peak"
    assert text(made, "flops", stale=True) == "▰▰▱▱▱ 300 GFLOP/s  30 % of peak (edited since)"
    cost = made.of(0)
    assert cost.flops == 60 * 10**9
    assert cost.flops_per_step == 30 * 10**9


def test_that_a_peak_is_reached_at_least_next_to_nothing_is_not_said():
    cost = attrs.evolve(costs(WHOLE, [op_row(200 * MS)]).of(0), flops_without_peak=10**9)
    assert peak_ratio_text(cost) == "≥30 %"
    assert peak_ratio_text(attrs.evolve(cost, flop_utilisation_ratio=0.004)) is None
    assert peak_ratio_text(attrs.evolve(cost, flop_utilisation_ratio=0.004, flops_without_peak=0)) == "<1 %"


def test_without_a_peak_there_is_only_the_rate():
    made = costs(WHOLE, [op_row(200 * MS, flop_utilisation_ratio=None)])
    assert text(made, "flops") == "300 GFLOP/s"


def test_rates_are_over_the_wall_clock_where_several_threads_worked_at_once():
    made = costs(WHOLE, [op_row(200 * MS, wall_ps=50 * MS)])
    assert text(made, "flops").startswith("▰▰▱▱▱ 1.20 TFLOP/s")


def test_what_pads_inside_a_fusion_wastes_its_part_of_the_time():
    inner = padding_row(dimension(64, 128, 128), inner="dot.9", self_ps=50 * MS)
    assert costs(WHOLE, [], inner).padding(0).used_ratio == pytest.approx(0.875)


def test_an_op_of_several_lines_gives_each_its_part_of_the_flops():
    parts = [
        line("train.py", 57, 150 * MS, ops=(op(150 * MS, shared=True),)),
        line("train.py", 60, 50 * MS, ops=(op(50 * MS, shared=True),)),
    ]
    whole = record(parts)
    made = costs(whole, [op_row(200 * MS)])
    assert [made.of(row).flops for row in (0, 1)] == [45 * 10**9, 15 * 10**9]
    assert annotation_text(parts[1], "flops", costs=made, row=1) == "▰▰▱▱▱ ≈300 GFLOP/s  30 % of peak"


def test_what_is_not_known_is_not_nothing():
    mixed = line("train.py", 57, 200 * MS, ops=(op(100 * MS), op(100 * MS, name="custom.1")))
    whole = record([mixed])
    custom = op_row(100 * MS, name="custom.1", flops=None, flop_utilisation_ratio=None)
    made = costs(whole, [op_row(100 * MS), custom])
    assert annotation_text(mixed, "flops", costs=made) == "▰▱▱▱▱ ≥300 GFLOP/s  15 % of peak"
    assert made.of(0).unknown_ps == 100 * MS
    unknown = costs(WHOLE, [op_row(200 * MS, flops=None, flop_utilisation_ratio=None)])
    assert text(unknown, "flops") == "FLOPs unknown"


def test_a_line_that_computes_nothing_has_no_rate():
    assert text(costs(WHOLE, [op_row(200 * MS, flops=0, flop_utilisation_ratio=0.0)]), "flops") is None


def test_padding_follows_the_time_where_it_wastes():
    made = costs(WHOLE, [op_row(200 * MS)], padding_row(dimension(540, 1024, 128)))
    assert text(made, "time") == "▰▰▰▱▱ 20.0 %  100 ms/step  pad 1.9×"
    assert text(costs(WHOLE, [], padding_row(dimension(50257, 50304, 128))), "time") == "▰▰▰▱▱ 20.0 %  100 ms/step"


def test_padding_of_another_device_is_never_shown_as_its_own():
    made = costs(WHOLE, [], padding_row(FEATURES, CHANNELS, predicted=True), target="TPU v5e")
    assert text(made, "time").endswith("  pad 21×, predicted for TPU v5e")
    assert text(made, "padding") == "▰▰▰▰▰ 21× padded  4.7 % used, predicted for TPU v5e"
    assert text(made, "padding", stale=True).endswith("predicted for TPU v5e (edited since)")


def test_padding_of_a_line_is_that_of_its_ops_by_their_time():
    half = line("train.py", 57, 200 * MS, ops=(op(100 * MS), op(100 * MS, name="fits.1")))
    whole = record([half])
    made = costs(whole, [], padding_row(dimension(64, 128, 128)))
    # Half of its time fits, of the other half one half is used.
    assert made.padding(0).used_ratio == 0.75
    assert annotation_text(half, "padding", costs=made) == "▰▰▱▱▱ 1.3× padded  75 % used"
    assert annotation_text(WHOLE.lines[1], "padding", costs=made, row=0) is not None


def test_what_fits_is_told_from_what_is_not_known():
    assert text(costs(WHOLE, []), "padding") == "▱▱▱▱▱ fits"
    assert (
        text(costs(WHOLE, [], findings=(empty("everything-fits", target=None, cut_off=False),)), "padding")
        == "▱▱▱▱▱ fits"
    )
    assert text(costs(WHOLE, [], target="TPU v5e"), "padding") == "▱▱▱▱▱ fits, predicted for TPU v5e"
    assert text(costs(WHOLE, [], **NO_TILES), "padding") is None
    assert text(costs(WHOLE, [], **NO_TILES), "time") == "▰▰▰▱▱ 20.0 %  100 ms/step"


def test_what_to_do_where_padding_is_not_known():
    assert unknown_padding(costs(WHOLE, [])) is None
    assert (
        unknown_padding(costs(WHOLE, [op_row(1)], **NO_TILES)) == "padding unknown: choose a TPU in scopelight.target"
    )
    assert "compiled programs" in unknown_padding(costs(WHOLE, [op_row(1, shape="")], **NO_TILES))


def test_padding_in_the_matrix_unit_counts_before_padding_in_memory():
    in_unit = padding_row(dimension(64, 128, 128))
    in_memory = padding_row(dimension(1, 128, 128), basis="layout", shape="f32[8,1]", extra_bytes=4064)
    assert costs(WHOLE, [], in_memory, in_unit).padding(0).used_ratio == 0.5
    assert costs(WHOLE, [], in_memory).padding(0).used_ratio == 1 / 128


def test_until_costs_are_known_every_mode_has_the_time():
    modes = ("time", "flops", "padding")
    assert {annotation_text(LINE, mode) for mode in modes} == {"▰▰▰▱▱ 20.0 %  100 ms/step"}
    assert {compact_annotation(LINE, mode) for mode in modes} == {"▰▰▰▱▱  20.0 %"}


def test_left_of_the_code_stands_the_figure_of_the_mode():
    made = costs(WHOLE, [op_row(200 * MS)], padding_row(dimension(540, 1024, 128)))
    assert compact_annotation(LINE, "flops", costs=made) == "▰▰▱▱▱    30 %"
    assert compact_annotation(LINE, "padding", costs=made) == "▰▰▰▱▱    1.9×"
    assert compact_annotation(LINE, "time", costs=made) == "▰▰▰▱▱  20.0 %"
    unknown_peak = costs(WHOLE, [op_row(200 * MS, flop_utilisation_ratio=None)])
    assert compact_annotation(LINE, "flops", costs=unknown_peak) == "  300 GFLOP/s"
    predicted = costs(WHOLE, [], padding_row(FEATURES, CHANNELS, predicted=True), target="TPU v5e")
    assert compact_annotation(LINE, "padding", costs=predicted) == "▰▰▰▰▰    ≈21×"
    assert compact_annotation(LINE, "padding", costs=costs(WHOLE, [])) == "▱▱▱▱▱    fits"
    nothing = costs(WHOLE, [op_row(200 * MS, flops=0, flop_utilisation_ratio=0.0)], **NO_TILES)
    assert compact_annotation(LINE, "flops", costs=nothing) is None
    assert compact_annotation(LINE, "padding", costs=nothing) is None


@pytest.mark.parametrize("utilisation_ratio", [None, 0.004, 0.3, 1.0])
@pytest.mark.parametrize("flops", [60 * 10**9, 246 * 10**9, 999 * 10**3, 10**15])
def test_figures_left_of_the_code_end_in_one_column_estimated_or_not(flops, utilisation_ratio):
    known = costs(WHOLE, [op_row(200 * MS, flops=flops, flop_utilisation_ratio=utilisation_ratio)])
    divided = line("train.py", 57, 200 * MS, ops=(op(200 * MS, shared=True),))
    whole = record([divided, line("train.py", 60, 800 * MS, ops=(op(800 * MS, name="other.1"),))])
    estimated = costs(whole, [op_row(200 * MS, flops=flops, flop_utilisation_ratio=utilisation_ratio)])
    said = compact_annotation(LINE, "flops", costs=known)
    about = compact_annotation(whole.lines[0], "flops", costs=estimated)
    # Less than one percent is inexact by itself.
    assert ("≈" in about or "<" in about) and "≈" not in said
    assert len(said) == len(about) == len(compact_annotation(LINE, "time", costs=known))


def test_a_call_has_the_rate_of_what_it_called():
    call = line("train.py", 80, 0, inclusive_ps=1000 * MS, ops=())
    stacks = (StackRecord((0, 2), 200 * MS, 200 * MS), StackRecord((1, 2), 800 * MS, 800 * MS))
    whole = record([*WHOLE.lines, call], stacks=stacks)
    made = costs(whole, [op_row(200 * MS), op_row(800 * MS, name="other.1", flops=40 * 10**9)])
    assert annotation_text(call, "flops", inclusive=True, costs=made, row=2) == (
        "╍╍··· 100 GFLOP/s  30 % of peak inclusive"
    )
    assert compact_annotation(call, "flops", inclusive=True, costs=made, row=2) == "╍╍···    30 %"
    cost = made.inside(frozenset((2,)))
    assert cost.flops == 100 * 10**9
    assert lens_title("mlp", 1000 * MS, whole, cost) == "mlp · 100 % · 500 ms/step · 100 GFLOP/s"
    assert made.inside(frozenset((0,))).flops == 60 * 10**9


def test_what_is_copied_has_the_lines_sums_and_the_ops_rates():
    made = costs(WHOLE, [op_row(200 * MS)], padding_row(FEATURES, CHANNELS))
    card = line_card(LINE, WHOLE, made)
    assert "\n30.0 GFLOP/step · 300 GFLOP/s · 30 % of peak · 21× padded, 4.7 % used\n" in card
    (row,) = [each for each in card.splitlines() if each.startswith("| `dot_general`")]
    assert row.split(" | ")[4:] == [
        "300 GFLOP/s, 30 %",
        "15 GiB/s, 60 %",
        "main memory",
        "16 → 128, 3 → 8: 4.7 % used |",
    ]
    assert "| FLOP rate, of peak | main memory, of peak | bound by | padding |" in card
    assert "**Padding**" in card


def test_what_is_copied_speaks_of_a_peak_where_one_is_known_alone():
    row = op_row(200 * MS, flop_utilisation_ratio=None)
    card = line_card(LINE, WHOLE, costs(WHOLE, [row]))
    assert "| FLOP rate | main memory, of peak |" in card
    row = op_row(200 * MS, flop_utilisation_ratio=None, bandwidth_utilisation_ratio=None)
    card = line_card(LINE, WHOLE, costs(WHOLE, [row]))
    assert "| FLOP rate | main memory |" in card
    assert "of peak" not in card


def first(costs_of_line):
    return hover_card(LINE, WHOLE, costs=costs_of_line).split("\n\n")[0]


def test_the_sentence_says_what_holds_a_line_back():
    of_line = "**20.0 %** of the step: 100 ms, most of it backward"
    bound = [op_row(200 * MS, bound_by="compute")]
    assert first(costs(WHOLE, bound)) == f"{of_line}; at 30 % of the peak, compute bound."
    bound = [op_row(200 * MS, bound_by="main")]
    assert first(costs(WHOLE, bound)) == f"{of_line}; at 60 % of the peak bandwidth, bound by main memory."
    bound = [op_row(200 * MS, bound_by="main", bandwidth_utilisation_ratio=None)]
    assert first(costs(WHOLE, bound)) == f"{of_line}; bound by main memory."
    unknown = [op_row(200 * MS, bound_by=None, flop_utilisation_ratio=None, bandwidth_utilisation_ratio=None)]
    assert first(costs(WHOLE, unknown)) == f"{of_line}."


def test_nothing_is_said_of_a_limit_that_half_of_a_line_does_not_have():
    two = line("train.py", 57, 200 * MS, ops=(op(100 * MS), op(100 * MS, name="dot.2")))
    whole = record([two])
    rows = [op_row(100 * MS, bound_by="compute"), op_row(100 * MS, name="dot.2", bound_by="main")]
    assert "bound" not in hover_card(two, whole, costs=costs(whole, rows)).split("\n\n")[0]


def test_the_card_has_the_rate_of_what_an_op_is_bound_by():
    def ops(**changes):
        return hover_card(LINE, WHOLE, costs=costs(WHOLE, [op_row(200 * MS, **changes)])).partition("```text\n")[2]

    assert ops(bound_by="compute").splitlines()[:2] == [
        "op                  shape     of line      rate, of peak  bound by",
        "dot_general  dot.1  f32[8,4]  100.0 %  300 GFLOP/s, 30 %  compute",
    ]
    assert ops(bound_by="main").splitlines()[1].endswith("  100.0 %  15 GiB/s, 60 %  memory")
    without = ops(bound_by=None, flop_utilisation_ratio=None)
    assert "of peak" not in without
    assert "bound by" not in without
    assert "300 GFLOP/s" in without


def test_the_card_says_once_how_rates_above_the_peak_are_to_be_read():
    above = Finding(
        "rates-above-peak",
        "note",
        {"ops": 2, "share_ratio": 0.2, "limits": ("main",), "basis": "calibrated", "cache_bytes_per_s": 2e11},
        evidence=("7/dot.1", "7/dot.2"),
    )
    two = line("train.py", 57, 200 * MS, ops=(op(100 * MS), op(100 * MS, name="dot.2")))
    whole = record([two])
    rows = [op_row(100 * MS, name=name, bandwidth_utilisation_ratio=1.37) for name in ("dot.1", "dot.2")]
    card = hover_card(two, whole, costs=costs(whole, rows, of_ops=(above,)))
    assert card.count("137 %") == 3, "of the line, and of each of its ops"
    assert card.count("processor's caches") == 1
    others = attrs.evolve(above, evidence=("7/dot.9",))
    assert "caches" not in hover_card(two, whole, costs=costs(whole, rows, of_ops=(others,)))
    assert "caches" not in hover_card(LINE, WHOLE, costs=costs(WHOLE, [op_row(200 * MS)]))


def test_the_card_gives_no_rate_to_what_goes_on_beside_other_ops():
    beside = op_row(200 * MS, flops=0, asynchronous=True, bandwidth_utilisation_ratio=None, bound_by=None)
    assert "B/s" not in hover_card(LINE, WHOLE, costs=costs(WHOLE, [beside]))
    assert "B/s" in hover_card(LINE, WHOLE, costs=costs(WHOLE, [op_row(200 * MS)]))


def test_the_card_names_at_most_two_findings_and_only_those_that_matter():
    rows = [padding_row(dimension(size, 128, 128), shape=f"[{size}]") for size in (16, 32, 64, 127)]
    card = hover_card(LINE, WHOLE, costs=costs(WHOLE, [], *rows))
    findings = [each for each in card.splitlines() if each.startswith("**Padding**")]
    assert [finding.partition(":")[2].split("%")[0].strip() for finding in findings] == ["87.5", "75.0"]
    small = padding_row(dimension(16, 128, 128), share_ratio=0.001)
    assert "**Padding**" not in hover_card(LINE, WHOLE, costs=costs(WHOLE, [], small))
    assert "**Padding**" in hover_card(LINE, WHOLE, costs=costs(WHOLE, [], small), least_share_ratio=0.001)


@pytest.mark.parametrize("heads", [1, 2, 4, 16])
def test_the_threshold_of_padding_is_of_the_line_and_not_of_each_op(heads):
    """A head size of 32 that is padded to 128, in as many products as there are of 0.8 % of the op time each."""
    names = [f"dot.{number}" for number in range(heads)]
    small = line("train.py", 57, heads * 8 * MS, ops=tuple(op(8 * MS, name=name) for name in names))
    whole = record([small, line("train.py", 60, (1000 - heads * 8) * MS, ops=())])
    rows = [padding_row(dimension(32, 128, 128), op=name, share_ratio=0.008) for name in names]
    padding = costs(whole, [], *rows).padding(0)
    worst = wasteful(padding, 0.1, 0.01)
    assert len(worst) == (heads if heads * 0.8 >= 1 else 0)
    # The same waste in one op is worth as many words.
    alone = padding_row(dimension(32, 128, 128), share_ratio=heads * 0.008)
    one = record([line("train.py", 57, heads * 8 * MS, ops=(op(heads * 8 * MS),)), whole.lines[1]])
    assert bool(wasteful(costs(one, [], alone).padding(0), 0.1, 0.01)) == bool(worst)
    # Several rows of one op are its share once.
    split = [padding_row(dimension(32, 128, 128), shape=f"[{place}]", share_ratio=0.008) for place in range(heads)]
    first = record([line("train.py", 57, 8 * MS, ops=(op(8 * MS),)), whole.lines[1]])
    assert wasteful(costs(first, [], *split).padding(0), 0.1, 0.01) == ()
    # What fits by now is left out, and so are ops that waste next to nothing.
    assert wasteful(padding, 0.1, 0.01, {32}) == ()
    little = [padding_row(dimension(127, 128, 128), op=name, share_ratio=0.008) for name in names]
    assert wasteful(costs(whole, [], *little).padding(0), 0.1, 0.01) == ()


def test_an_op_that_is_worth_a_word_is_so_beside_any_others():
    """Summing never takes a word away: the op that wastes half is there, however much of the line fits."""
    two = line("train.py", 57, 200 * MS, ops=(op(20 * MS), op(180 * MS, name="dot.2")))
    rows = [
        padding_row(dimension(64, 128, 128), share_ratio=0.02),
        padding_row(dimension(127, 128, 128), op="dot.2", share_ratio=0.18),
    ]
    made = costs(record([two]), [], *rows).padding(0)
    assert [row.op for row in wasteful(made, 0.1, 0.01)] == ["dot.1"]


def test_a_card_says_which_device_padding_is_predicted_for():
    made = costs(WHOLE, [], padding_row(FEATURES, CHANNELS, predicted=True), target="TPU v5e")
    assert "| padding, predicted for TPU v5e |" in line_card(LINE, WHOLE, made)
    card = hover_card(LINE, WHOLE, costs=made)
    assert "\nforward 25.0 % · backward 75.0 % · 21× padded, 4.7 % used, predicted for TPU v5e\n" in card
    assert "On `TPU v5e` (predicted), 95.3 % of what the matrix unit computes" in card


def test_a_hostile_shape_stays_text_in_a_finding():
    shape = "](command:evil) `x` <b>"
    card = hover_card(LINE, WHOLE, costs=costs(WHOLE, [], padding_row(FEATURES, shape=shape)))
    kinds = {
        child.type for token in MarkdownIt("commonmark").enable("table").parse(card) for child in token.children or ()
    }
    assert not kinds & {"link_open", "html_inline"}


def test_a_sentence_names_the_sizes_that_fit():
    row = padding_row(dimension(2500, 2560, 128), CHANNELS)
    assert padding_sentence(row, None) == (
        "63.4 % of what the matrix unit computes for dot_general [8,2]x[2,4] is padding:"
        " the contracting dimension 3 is padded to 8 (tile 8) and the feature dimension 2\u202f500 to 2\u202f560"
        " (tile 128). What fits: 8 instead of 3; 2\u202f432 or 2\u202f560 instead of 2\u202f500."
    )
    memory = padding_row(
        dimension(1, 128, 128), basis="layout", shape="f32[8192,1]", extra_bytes=508 << 20, primitive="", op="copy.1"
    )
    assert padding_sentence(memory, None).startswith(
        "99.2 % of f32[8192,1] as copy.1 lays it in memory is padding, 508 MiB: the feature dimension 1 is padded"
    )


def test_what_fits_is_said_once_for_dimensions_of_one_size():
    row = padding_row(dimension(600, 640, 128), dimension(600, 640, 128, "contracting"))
    sentence = padding_sentence(row, None)
    assert sentence.endswith("What fits: 512 or 640 instead of 600.")


@pytest.mark.parametrize(
    ("used", "written"), [(1.0, "1.00×"), (0.985, "1.02×"), (0.54, "1.9×"), (0.046875, "21×"), (1 / 128, "128×")]
)
def test_how_many_times_the_work_is_done(used, written):
    assert factor(used) == written


def test_facts_name_only_what_is_padded():
    assert padding_facts(padding_row(dimension(128, 128, 128), FEATURES, CHANNELS)) == "16 → 128, 3 → 8: 4.7 % used"
    assert padding_facts(padding_row(dimension(128, 128, 128))) == "fits"
    assert padding_facts(padding_row(dimension(65535, 65536, 8))).endswith(": >99.9 % used")
