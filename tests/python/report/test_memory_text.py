"""The memory of a line, in the words that annotations and cards have for it."""

from types import SimpleNamespace

import attrs

from made.records import line, record
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.memory.plan.records import MemoryBuffer, MemoryLine, MemoryLinesRecord
from scopelight.protocol.settings import Settings
from scopelight.report.annotations import annotation_text
from scopelight.report.card.facts import line_card
from scopelight.report.card.hover import hover_card
from scopelight.report.compact_annotation import compact_annotation
from scopelight.report.memory.sentences import unknown_memory
from scopelight.server.lines.annotations import chosen_lines

MIB = 1 << 20
KEPT = MemoryBuffer(
    key="5",
    line_key="a.py:7",
    id="5",
    name="fusion.354",
    category="temporary",
    bytes=40 * MIB,
    unpadded_bytes=39 * MIB,
    shape="bf16[16,200,50257]{2,1,0:T(8,128)(2,1)}",
    element_type="bf16",
    op_name="jit(step)/jvp(loss)/tanh",
    primitive="tanh",
    opcode="fusion",
    path="a.py",
    file=None,
    line=7,
    function="loss",
    start=3,
    end=9,
    is_residual=True,
    allocation=1,
    offset_bytes=0,
    count=1,
    allocation_kind="temporary",
    op_key=None,
    last_op="fusion.9",
    last_path="a.py",
    last_line=9,
)
RESULT = attrs.evolve(
    KEPT, id="6", category="output", bytes=1188 * MIB, is_residual=False, last_op=None, last_path=None, last_line=None
)


def memory(buffers=(KEPT, RESULT), **changes):
    """The memory of a program with a peak of 2 GiB, all but what is of line 7 of no line."""
    whole = sum(each.bytes for each in buffers)
    residual = sum(each.bytes for each in buffers if each.is_residual)
    line = MemoryLine("a.py:7", "a.py", None, 7, "loss", "static", len(buffers), whole, whole, residual, tuple(buffers))
    lines = (line,) if buffers else ()
    fields = {
        "module": "jit_step",
        "program_id": "7",
        "memory_space": 0,
        "basis": "assigned",
        "peak_bytes": 2048 * MIB,
        "unattributed_bytes": 2048 * MIB - whole,
        "lines": lines,
        "findings": (),
    }
    return LineMemory(MemoryLinesRecord(**{**fields, **changes}))


def said(of, **options):
    return annotation_text(of, "memory", **options)


def test_what_stands_after_a_line():
    of = line("a.py", 7, 100)
    assert said(of, memory=memory()) == "▰▰▰▰▱ 1.2 GiB at the peak · 40 MiB kept for the backward pass"
    assert said(of, memory=memory((RESULT,))) == "▰▰▰▰▱ 1.16 GiB at the peak"
    assert said(of, memory=memory(basis="estimated"), stale=True) == (
        "▰▰▰▰▱ ≈1.2 GiB at the peak (edited since) · 40 MiB kept for the backward pass"
    )


def test_a_line_without_memory_says_nothing_and_until_it_is_known_its_time():
    assert said(line("a.py", 8, 100), memory=memory()) is None
    assert said(line("a.py", 8, 100)).endswith("/step")


def test_why_nothing_is_known():
    assert unknown_memory(memory()) is None
    assert "does not hold the compiled programs" in unknown_memory(memory((), peak_bytes=None, unattributed_bytes=None))


def test_lines_are_chosen_by_their_part_of_the_peak():
    lines = [line("a.py", 7, 1), line("a.py", 8, 100), line("b.py", 7, 100)]

    def choice(kept, **limits):
        run = SimpleNamespace(record=record(lines), never_ran=False)
        return chosen_lines(run, range(len(lines)), Settings(mode="memory", **limits), None, kept)

    (chosen,) = choice(memory(), threshold_ratio=0.01, most_lines=20)
    assert (chosen.line.line, chosen.heat, chosen.inclusive) == (7, 5, False)
    assert chosen.share_ratio == 1228 / 2048
    small = memory((attrs.evolve(KEPT, bytes=MIB),))
    assert not choice(small, threshold_ratio=0.01, most_lines=0)
    assert len(choice(memory(), threshold_ratio=0.9, most_lines=1)) == 1


def test_the_card_says_what_a_line_has_at_the_peak():
    of = line("a.py", 7, 100)
    card = hover_card(of, record([of]), memory=memory())
    assert "**Memory**: 1.2 GiB at the peak · 40 MiB kept for the backward pass of `jit_step`, 60.0 % of 2 GiB" in card
    assert "**Memory**" not in hover_card(line("a.py", 8, 100), record([of]), memory=memory())


def test_what_is_copied_has_the_buffers_and_their_ends():
    of = line("a.py", 7, 100)
    card = line_card(of, record([of]), memory=memory())
    assert "**Memory**: 1.2 GiB at the peak" in card
    assert (
        "| 40 MiB | `bf16[16,200,50257]{2,1,0:T(8,128)(2,1)}` | kept for the backward pass | `tanh` | line 9 |" in card
    )
    assert "| output | `tanh` | the end |" in card


def test_left_of_the_code_stands_how_much_it_is():
    def compact(of, **changes):
        return compact_annotation(of, "memory", memory=memory(**changes))

    assert compact(line("a.py", 7, 100)) == "▰▰▰▰▱ 1.2 GiB"
    assert compact(line("a.py", 7, 100), basis="estimated") == "▰▰▰▰▱ ≈1.2 GiB"
    assert compact(line("a.py", 8, 100)) is None


def test_names_of_programs_and_ops_cannot_leave_the_card():
    of = line("a.py", 7, 100)
    evil = attrs.evolve(KEPT, op_name="x/[a](command:b)|c`", last_path="[p](q)", last_line=3)
    held = memory((evil,), module="`|[m](command:x)")
    for card in (hover_card(of, record([of]), memory=held), line_card(of, record([of]), memory=held)):
        assert "](command:" not in card.replace("\\](command:", "").replace("\\]\\(", "")
    assert "\n| 40 MiB |" in card
