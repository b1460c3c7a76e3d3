"""The views of ops in the terminal."""

import io
import operator
from pathlib import Path

import attrs
import pytest
from rich.cells import cell_len
from rich.console import Console

from scopelight.analysis.ops.records import FlopsRecord, FlopsRow, OpRow, OpsRecord, PeakRecord
from scopelight.analysis.records import DeviceRecord, ExtentRecord
from scopelight.findings import empty, note, warning
from scopelight.report.op_sentences import peak_sentences
from scopelight.report.ops import render_flops, render_ops
from scopelight.report.tables.text_table import Column, text_table

PEAK = PeakRecord("/device:TPU:0", "tpu", {"bf16": 918e12}, {"main": 1.64e12}, None, "stated", "")


TOO_FAST = note("recorded-note", text="Moves too fast.")
TWICE = note("recorded-note", text="Runs twice.")


def row(name, self_ps, **fields):
    values = {field.name: "" for field in attrs.fields(OpRow)}
    values |= {
        "key": f"1/{name}",
        "name": name,
        "operand_shapes": (),
        "path": "train.py",
        "file": "/w/train.py",
        "line": 57,
        "executions": 12000,
        "executions_per_step": None,
        "per_step_ps": None,
        "self_ps": self_ps,
        "wall_ps": self_ps,
        "mean_ps": 1.0,
        "share_ratio": self_ps / 10**10,
        "flops": 412 * self_ps,
        "bytes": None,
        "bytes_by_space": {},
        "flop_utilisation_ratio": 0.412,
        "bandwidth_utilisation_ratio": None,
        "bound_by": "compute",
        "side": "device",
        "category": "dot",
        "has_estimate": True,
    }
    return OpRow(**(values | fields))


def record(rows, **fields):
    values = {
        "op_time_ps": 10**10,
        "window_ps": 10**10,
        "steps": 0,
        "devices": (DeviceRecord("/device:TPU:0", "tpu", 0, 0, 10**10),),
        "device": None,
        "extent": ExtentRecord("window", 0, 10**10, 1, has_steps=False),
        "matrix_unit": None,
        "peaks": (PEAK,),
        "rows": tuple(rows),
        "findings": (),
    }
    return OpsRecord(**(values | fields))


def printed(of, *, terminal=False, width=100, limit=20):
    console = Console(file=io.StringIO(), force_terminal=terminal, width=width, no_color=True)
    render_ops(of, console, base=Path("/w"), limit=limit)
    return console.file.getvalue()


def test_a_row_has_name_share_rate_bound_and_line():
    text = printed(record([row("dot.1", 4 * 10**9)]))
    assert text.startswith("10.0 ms of op time on 1 device over the whole window, 10.0 ms\n")
    line = next(each for each in text.splitlines() if each.startswith("dot.1"))
    for part in (
        "▰▰▰▰▱",
        "40.0 %",
        "4.00 ms",
        "12\N{NARROW NO-BREAK SPACE}000",
        "412 TFLOP/s",
        "41.2 %",
        "?",
        "train.py:57",
    ):
        assert part in line
    assert "1 of 1 ops: 40.0 % of the op time." in text


def test_op_time_beyond_the_wall_clock_is_explained():
    assert "threads that worked at once" not in printed(record([row("dot.1", 10**10)]))
    threaded = record([row("dot.1", 10**10)], extent=ExtentRecord("window", 0, 6 * 10**9, 1, has_steps=False))
    assert "Op time adds up the threads that worked at once" in printed(threaded)
    on_two = attrs.evolve(threaded, extent=ExtentRecord("window", 0, 6 * 10**9, 2, has_steps=False))
    assert "threads that worked at once" not in printed(on_two)


def test_notes_follow_the_table_each_once_with_the_ops_it_is_of():
    rows = [row(f"copy.{number}", 10**9, findings=(TOO_FAST,)) for number in range(5)]
    text = printed(record([*rows, row("dot.1", 10**9, findings=(TWICE,))]))
    assert "copy.0 · train.py:57, copy.1 · train.py:57, copy.2 · train.py:57 and 2 more: moves too fast.\n" in text
    assert "dot.1 · train.py:57: runs twice.\n" in text
    assert "dot.1" not in printed(record([*rows, row("dot.1", 10**9, findings=(TWICE,))]), limit=5)


def test_what_goes_on_beside_other_ops_has_no_rate():
    fast = row("copy-start.1", 1, flops=0, bytes=2**40, flop_utilisation_ratio=0.0, asynchronous=True)
    line = next(each for each in printed(record([fast])).splitlines() if each.startswith("copy-start.1"))
    assert "/s" not in line


def test_what_is_unknown_is_no_zero():
    text = printed(record([row("call", 10**9, flops=None, flop_utilisation_ratio=None), row("copy", 10**9, flops=0)]))
    call, copy = (next(each for each in text.splitlines() if each.startswith(name)) for name in ("call", "copy"))
    assert "?" in call
    assert " 0.0 %" not in call
    assert "–" in copy


def test_time_of_unknown_flops_is_a_share_beside_flops_per_step():
    """Their time in all steps and on all devices would exceed the step that the FLOPs are of."""
    values = {field.name: None for field in attrs.fields(FlopsRow) if field.default is attrs.NOTHING}
    known = values | {"key": "", "depth": 0, "kind": "model", "label": "model", "self_ps": 8 * 10**9}
    row = FlopsRow(**(known | {"flops": 10**12, "unknown_ps": 2 * 10**9}))
    extent = ExtentRecord("steps", 4, 2 * 10**9, 1, has_steps=True)
    output = io.StringIO()
    of_steps = FlopsRecord(
        findings=(), extent=extent, wall_ps=8 * 10**9, steps=4, matrix_unit=None, peaks=(), rows=(row,)
    )
    render_flops(of_steps, Console(file=output, width=200), base=Path("/w"), limit=5)
    (line,) = (each for each in output.getvalue().splitlines() if each.startswith("model"))
    assert "250 GFLOP" in line
    assert "25.0 %" in line
    assert "ms" not in line


@pytest.mark.parametrize("side", ["host", "callback"])
def test_what_the_device_does_not_do_is_told_apart(side):
    assert f"custom-call ({side})" in printed(record([row("x", 10**9, side=side, category="custom-call")]))


def test_reasons_remedies_and_warnings_are_printed():
    text = printed(
        record(
            [],
            op_time_ps=0,
            findings=(
                empty("programs-cut-off"),
                warning("utilisation-unknown", why="measured-at-the-end", device=None),
                warning("recorded-note", text="Cut short."),
            ),
        )
    )
    assert "or capture again.\nwarning: Cut short.\n" in text
    assert "No utilisation is known" not in text
    unknown = warning("utilisation-unknown", why="measured-at-the-end", device=None)
    assert "warning: No utilisation is known" in printed(record([row("x", 1)], findings=(unknown,)))


def test_peaks_that_are_alike_are_one_sentence():
    (one,) = peak_sentences([PEAK])
    assert one == "Peak of /device:TPU:0 (stated): 918 TFLOP/s bf16, 1.49 TiB/s main memory"
    (both,) = peak_sentences([PEAK, attrs.evolve(PEAK, device="/device:TPU:1")])
    assert both.startswith("Peak of 2 devices each")
    assert len(list(peak_sentences([PEAK, attrs.evolve(PEAK, flops_per_s={"bf16": 1e12})]))) == 2
    (mixed,) = peak_sentences([attrs.evolve(PEAK, flops_per_s={"bf16": 1e12, "f32": 1e12}, from_table=("f32",))])
    assert mixed.startswith("Peak of /device:TPU:0 (stated, but f32 from the table): ")


def test_tables_cut_only_what_may_be_cut():
    columns = [
        Column("name", operator.itemgetter(0), most=20),
        Column("time", operator.itemgetter(1), right=True),
        Column("line", operator.itemgetter(2)),
    ]
    rows = [["k" * 500, "5 ms", "path/" * 30 + "train.py:57"], ["short", "999 ms", ""]]
    for width in (None, 40, 400):
        header, first, second = (text.plain for text in text_table(columns, rows, width))
        assert "path/" * 30 + "train.py:57" in first
        assert "k" * 21 not in first
        assert "…" in first
        assert header.index("time") + 4 == second.index("999 ms") + 6
        assert first.index("path/") == header.index("line")


def test_empty_columns_are_left_out_and_wide_characters_take_two_cells():
    columns = [Column(name, operator.itemgetter(place)) for place, name in enumerate(("a", "empty", "b"))]
    header, wide, narrow = text_table(columns, [["日本", "", "x"], ["k", "", "y"]], None)
    assert "empty" not in header.plain
    assert cell_len(wide.plain) == cell_len(narrow.plain) == cell_len(header.plain)


def test_what_would_move_the_cursor_is_not_printed():
    evil = "\x1b[31m\r\n\u202e"
    text = printed(record([row(f"x{evil}", 10**9, category=evil, path=f"a{evil}.py", file=None, element_type=evil)]))
    assert not set(evil.replace("[31m", "")) - {"\n"} & set(text)
    assert len(text.splitlines()) == len(printed(record([row("x", 10**9)])).splitlines())
