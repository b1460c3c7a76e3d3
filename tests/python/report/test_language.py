"""Texts in the language of the editor: with a bundle that brackets every text, nothing is read outside of brackets."""

import ast
import importlib.util
import json
import re
from pathlib import Path

import attrs
import pytest

import scopelight
from made.costs import costs, dimension, op_row, padding_row
from made.findings import SAMPLES
from made.records import line, op, record
from scopelight.analysis.records import PlaceRecord
from scopelight.findings import Finding
from scopelight.report.annotations import annotation_text, lens_title
from scopelight.report.findings.worded import sentences
from scopelight.report.hover import hover_card
from scopelight.report.language import text, use_bundle
from scopelight.report.markdown import lines_table
from scopelight.report.padding_sentences import padding_sentence
from scopelight.report.sentences import headline, short, summary, wall_clock

PACKAGE = Path(scopelight.__file__).parent
SCRIPT = PACKAGE.parent / "scripts" / "export_texts.py"
BUNDLE = PACKAGE.parents[1] / "extension" / "l10n" / "bundle.l10n.json"
MS, SECOND = 10**9, 10**12

specification = importlib.util.spec_from_file_location("export_texts", SCRIPT)
export_texts = importlib.util.module_from_spec(specification)
specification.loader.exec_module(export_texts)


@pytest.fixture
def bundled():
    """Words texts by a bundle until the test ends."""
    yield use_bundle
    use_bundle({})


@pytest.fixture
def bracketed(bundled):
    bundled({each: f"⟦{each}⟧" for each in export_texts.texts()})


def outside(said):
    """The words outside of brackets, code and links, without numbers and their units."""
    said = re.sub(r"`[^`]*`|\(command:[^)]*\)", "", said)
    before = None
    while before != said:
        before, said = said, re.sub(r"⟦[^⟦⟧]*⟧", "", said)
    said = re.sub(r"\d[\d.,\u202f]*[ \u202f]?[A-Za-zµ%×]+(?:/s)?", "", said)
    return re.findall(r"[A-Za-z_]{3,}(?:\.py)?", said)


LINE = line(
    "train.py",
    57,
    400 * MS,
    inclusive_ps=500 * MS,
    ops=(
        op(200 * MS, shared_with=(PlaceRecord("train.py", 41), PlaceRecord("decoder.py", 7))),
        *(op(50 * MS, name=f"copy.{number}", inherited=True) for number in range(4)),
    ),
)
WHOLE = record([LINE, line("train.py", 60, 600 * MS)])
PADDING = padding_row(dimension(16, 128, 128), dimension(3, 8, 8, "contracting"), predicted=True)
COSTS = costs(WHOLE, [op_row(200 * MS)], PADDING, target="TPU v5e")
FOREIGN = {"dot", "TPU", "jit_step", "jit", "_step", "train.py", "train", "decoder.py", "step"}
"""What the profile and the hardware are called."""


def test_annotations_and_lenses(bracketed):
    for mode in ("time", "phases", "flops", "padding"):
        for options in (
            {},
            {"stale": True},
            {"inclusive": True},
            {"costs": COSTS},
            {"costs": COSTS, "inclusive": True},
        ):
            said = annotation_text(LINE, WHOLE, mode, **options)
            assert said is None or set(outside(said)) <= FOREIGN, said
    assert outside(lens_title("mlp", 500 * MS, 100 * MS, WHOLE, COSTS.of(0))) == ["mlp"]


def test_hover_cards(bracketed):
    for options in ({}, {"stale": True, "recorded_text": None}, {"costs": COSTS, "edited_sizes": (3,)}):
        card = hover_card(LINE, WHOLE, **options)
        assert set(outside(card)) <= FOREIGN, card


def test_sentences_of_a_run_of_padding_and_of_the_clipboard(bracketed):
    unstepped = attrs.evolve(WHOLE, steps=(), steps_source=None, steps_name=None)
    for made in (WHOLE, unstepped, record([])):
        for said in (headline(made), wall_clock(made), short(made), summary(made, "train.py"), lines_table(made)):
            assert set(outside(said)) <= FOREIGN | {"loss"}, said
    for row in (PADDING, attrs.evolve(PADDING, basis="layout", inner="dot.3", extra_bytes=7)):
        assert set(outside(padding_sentence(row, "TPU v5e", edited=(3,)))) <= FOREIGN


@pytest.mark.parametrize(("code", "values"), [(code, values) for code, values, *_ in SAMPLES])
def test_findings(bracketed, code, values):
    said = sentences(Finding(code, "note", values), "editor")
    assert said.startswith("⟦")
    assert outside(said) == []


def test_a_text_without_a_translation_is_english(bundled):
    bundled({"Nothing {a}": "Nichts {a}"})
    assert (text("Nothing {a}", a=1), text("Something {a}", a=1), text("All")) == ("Nichts 1", "Something 1", "All")


@pytest.mark.parametrize("broken", ["{b}", "{", "{}", "{a.b}", "{a[b]}", "{a:q}"])
def test_a_broken_translation_is_none(bundled, broken):
    bundled({"Nothing {a}": broken})
    assert text("Nothing {a}", a=1) == "Nothing 1"


def test_every_text_can_be_translated():
    assert export_texts.texts() - set(json.loads(BUNDLE.read_text(encoding="utf-8"))) == set()


EDITOR = ("annotations", "cost_text", "hover", "memory_text", "op_name", "padding_sentences", "sentences")
"""Modules of ``report`` whose texts are read in the editor, besides those of findings."""


PROSE = re.compile(r"[A-Za-z]{2,}[,.:]? [A-Za-z]{2,}| [a-z]{3,}\b|\b[a-z]{3,} ")
TECHNICAL = {
    *("debug_information", "_version", "_log_to_standard_error", "warning", "error", "info", "exception"),
    *("FormatError", "LookupError", "JsonRpcInvalidParams", "JsonRpcRequestCancelled", "structured"),
    *("compile", "Key", "_COMMAND_LINES"),
}
"""What goes into a log or an issue that is filed, is told to a client that breaks the protocol, or is no text."""
PROTOCOL = {"conversion.py", "transport.py", "work.py"}
"""Modules of the server that speak of messages and work, to developers of clients."""


def modules():
    for name in EDITOR:
        yield PACKAGE / "report" / f"{name}.py"
    yield from sorted((PACKAGE / "report" / "findings").glob("*.py"))
    yield from (each for each in sorted((PACKAGE / "server").rglob("*.py")) if each.name not in PROTOCOL)


@pytest.mark.parametrize("module", list(modules()), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_sentence_is_made_past_the_bundle(module):
    tree = ast.parse(module.read_text(encoding="utf-8"))
    apart = set()
    for node in ast.walk(tree):
        called = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        # What a developer reads: the log, and faults of the program itself.
        is_technical = called in TECHNICAL
        named = getattr(node, "target", node)
        is_named = getattr(named, "id", getattr(named, "name", "")) in TECHNICAL and not isinstance(node, ast.Name)
        if is_docstring or is_technical or is_named or called in ("text", "template", "Words"):
            apart.update(map(id, ast.walk(node)))
    # Of annotations that are quoted the names.
    apart.update(id(each) for node in ast.walk(tree) for each in ast.walk(getattr(node, "returns", None) or ast.Pass()))
    pieces = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    found = [f"{node.lineno}: {node.value}" for node in pieces if id(node) not in apart and PROSE.search(node.value)]
    assert found == []
