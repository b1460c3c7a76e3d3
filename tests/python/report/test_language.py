"""Texts in the language of the editor: with a bundle that brackets every text, nothing is read outside of brackets."""

import ast
import asyncio
import gzip
import importlib.util
import json
import re
from pathlib import Path
from string import Formatter

import attrs
import pytest

import scopelight
from made.costs import costs, dimension, op_row, padding_row
from made.findings import SAMPLES
from made.records import line, op, record
from scopelight.analysis.records import PlaceRecord
from scopelight.analysis.timeline.search.patterns import Pattern, PatternError
from scopelight.findings import Finding, warning
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo.reader import read_hlo_file
from scopelight.formats.hlo_text.reader import read_hlo_text
from scopelight.formats.pprof.reader import read_pprof
from scopelight.formats.xspace.reader import read_xspace
from scopelight.model.opening.paths import find_xspaces
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.listing import describe_run
from scopelight.model.run.run_file import find_run_information
from scopelight.phrase import Phrase
from scopelight.report.annotations import annotation_text, lens_title
from scopelight.report.card.hover import hover_card
from scopelight.report.findings.worded import sentences
from scopelight.report.language import sentence_of, text, use_bundle
from scopelight.report.markdown import lines_table
from scopelight.report.padding_sentences import padding_sentence
from scopelight.report.run.summary import summary
from scopelight.report.sentences import headline, short, wall_clock
from scopelight.server.wire.faults import RequestFailed, guarded

PACKAGE = Path(scopelight.__file__).parent
SCRIPT = PACKAGE.parent / "scripts" / "export_texts.py"
BUNDLE = PACKAGE.parents[1] / "extension" / "l10n" / "bundle.l10n.json"
MS, SECOND = 10**9, 10**12

specification = importlib.util.spec_from_file_location("export_texts", SCRIPT)
export_texts = importlib.util.module_from_spec(specification)
specification.loader.exec_module(export_texts)
TEXTS = export_texts.texts()


@pytest.fixture
def bundled():
    """Words texts by a bundle until the test ends."""
    yield use_bundle
    use_bundle({})


@pytest.fixture
def bracketed(bundled):
    bundled({each: f"⟦{each}⟧" for each in TEXTS})


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
            said = annotation_text(LINE, mode, **options)
            assert said is None or set(outside(said)) <= FOREIGN, said
    assert outside(lens_title("mlp", 500 * MS, WHOLE, COSTS.of(0))) == ["mlp"]


def test_hover_cards(bracketed):
    for options in ({}, {"stale": True, "recorded_text": None}, {"costs": COSTS, "edited_sizes": (3,)}):
        card = hover_card(LINE, WHOLE, **options)
        assert set(outside(card)) <= FOREIGN, card


def test_sentences_of_a_run_of_padding_and_of_the_clipboard(bracketed):
    unstepped = attrs.evolve(WHOLE, steps=(), steps_source=None, steps_name=None)
    for made in (WHOLE, unstepped, record([])):
        for said in (headline(made), wall_clock(made), short(made), summary(made, "train.py"), lines_table(made)):
            assert said is None or set(outside(said)) <= FOREIGN | {"loss"}, said
    for row in (PADDING, attrs.evolve(PADDING, basis="layout", inner="dot.3", extra_bytes=7)):
        assert set(outside(padding_sentence(row, "TPU v5e", edited=(3,)))) <= FOREIGN


@pytest.mark.parametrize(("code", "values"), [(code, values) for code, values, *_ in SAMPLES])
def test_findings(bracketed, code, values):
    said = sentences(Finding(code, "note", values), "editor")
    assert said.startswith("⟦")
    assert outside(said) == []


def in_pieces(english):
    """A template whose own words are in brackets, and none of its values."""
    pieces = []
    for words, name, _, conversion in Formatter().parse(english):
        pieces.append(f"⟦{words}⟧" if words else "")
        pieces.append("" if name is None else f"{{{name}!{conversion}}}" if conversion else f"{{{name}}}")
    return "".join(pieces)


@pytest.fixture
def bracketed_in_pieces(bundled):
    bundled({each: in_pieces(each) for each in TEXTS})


GZIP = gzip.compress(b"abc" * 99)
SAMPLE_TYPES = b"\x0a\x04\x08\x01\x10\x02\x12\x02\x08\x01"
TEXT = "HloModule jit_f\n\nENTRY %main {\n  ROOT %x = f32[8] parameter(0)\n}\n"


def read_run(file):
    return find_run_information(file.parent)


NO_PROGRAM = b"\x0a\x01f\x12\x01m\x1a\x00"
UNREADABLE = {
    # What reads it, the file's bytes (None where there is none), and what it says in English.
    "nothing": (read_xspace, b"", "it is empty"),
    "no file": (read_xspace, None, "there is no such file"),
    "no path": (find_xspaces, None, "there is no such file or directory"),
    "cut off": (read_xspace, b"\x0a\x40\x0a\x08/host", "it was cut off before its first part was complete"),
    "a broken plane": (read_xspace, b"\x0a\x02\x0a\x08", "at byte 2, a field runs 8 bytes past the end of its message"),
    "no field of a profile": (read_xspace, bytes(9), "at byte 0, a field has the number 0, which no message can have"),
    "text": (read_xspace, b"a note", "it is a text file"),
    "a trace in JSON": (read_xspace, b'{"traceEvents": []}', "it is a trace of Chrome or Perfetto in JSON"),
    "a picture": (read_xspace, b"\x89PNG\r\n\x1a\n", "it is a PNG picture"),
    "an archive": (read_xspace, b"PK\x03\x04\x14", "it is a zip archive; unpack it first"),
    "gzip": (read_xspace, GZIP, "it is compressed with gzip and holds no memory snapshot (pprof)"),
    "a program": (read_xspace, NO_PROGRAM, "it looks like a compiled program (HloModuleProto)"),
    "no program": (read_hlo_file, b"\x0a\xff", "is not a readable HLO module: its bytes are not an HloProto"),
    "an empty program": (read_hlo_file, b"\x0a\x00", "it has no computations"),
    "a callee": (open_profile, TEXT.replace("(0)", "(0), to_apply=%y").encode(), "there is no computation 'y'"),
    "a size": (
        open_profile,
        TEXT.replace("8", "9999999999,9999999999").encode(),
        "it has an array of the impossible size",
    ),
    "a brace": (read_hlo_text, TEXT.replace("ENTRY", "3").encode(), "in line 3 the brace that opens a computation sh"),
    "an end": (read_hlo_text, TEXT[:-2].encode(), "an instruction or the end of its computation is missing"),
    "an element type": (read_hlo_text, TEXT.replace("f32", "f33").encode(), "there is no element type 'f33'"),
    "braces": (read_hlo_text, TEXT.replace("(0)", "({x})").encode(), "'{x}' is not a number"),
    "no snapshot": (read_pprof, b"\x0a\xff", "is not a readable memory snapshot: its bytes are not a pprof profile"),
    "half a snapshot": (read_pprof, GZIP[:-9], "its compressed bytes end before their end"),
    "a damaged snapshot": (read_pprof, GZIP[:10] + b"\xff" * 9, "its compressed bytes are damaged"),
    "a snapshot of nothing": (read_pprof, b"\x32\x00", "it is a pprof profile of nothing, not of memory"),
    "texts of a snapshot": (read_pprof, SAMPLE_TYPES, "it names text 1 of 0"),
    "a newer run": (read_run, b'{"format_version": 999}', "it has format version 999, newer than this Scopelight"),
    "no run": (read_run, b"[]", "it is not the description of a run"),
}
NAMED = {"HloModuleProto", "main", "jit_f", "f33"}
"""What these files, and what is in them, are called."""


@pytest.fixture
def unreadable(tmp_path):
    """The error of a case of `UNREADABLE`, and the file."""

    def read(case):
        reader, content, _ = UNREADABLE[case]
        # Whatever reads it goes by its bytes, or by this name.
        path = tmp_path / "run.json"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(FormatError) as caught:
            reader(path)
        return caught.value, path

    return read


@pytest.mark.parametrize("case", UNREADABLE)
def test_why_a_file_cannot_be_read_is_said_in_the_language_of_the_editor(unreadable, bracketed_in_pieces, case):
    error, path = unreadable(case)
    # The terminal, logs and the Python interface have no other language.
    assert str(error).startswith(f"{path} is not a readable ")
    assert UNREADABLE[case][2] in str(error)
    said = sentence_of(error)
    assert said.startswith(f"{path}⟦ is not a readable ")
    assert set(outside(said.replace(str(path), ""))) <= NAMED


def test_what_is_no_file_is_said_in_the_language_of_the_editor(tmp_path, bracketed_in_pieces):
    for reader in (read_xspace, read_hlo_file, read_hlo_text, read_pprof, find_xspaces):
        with pytest.raises(FormatError) as caught:
            reader(tmp_path)
        assert outside(sentence_of(caught.value).replace(str(tmp_path), "")) == []


def test_findings_say_why_a_file_cannot_be_read_in_the_language_of_the_editor(unreadable, bracketed_in_pieces):
    error, path = unreadable("a broken plane")
    found = warning("snapshot-unreadable", problem=error.sentence)
    assert outside(sentences(found, "editor").replace(str(path), "")) == []
    found = warning("timeline-incomplete", offset=error.offset, problem=error.cause)
    assert outside(sentences(found, "editor")) == []
    assert found.values["problem"] == "a field runs 8 bytes past the end of its message"


def test_requests_fail_in_the_language_of_the_editor(unreadable, bracketed_in_pieces):
    error, _ = unreadable("a broken plane")

    async def fails(error):
        raise error

    with pytest.raises(RequestFailed) as caught:
        asyncio.run(guarded(fails, "Opening the run")(error))
    assert caught.value.message == sentence_of(error) != str(error)
    with pytest.raises(PatternError) as caught:
        Pattern("a" * 9999)
    assert outside(sentence_of(caught.value)) == []


def test_a_run_that_cannot_be_read_says_so_in_the_language_of_the_editor(unreadable, bracketed_in_pieces):
    error, path = unreadable("a newer run")
    problem = describe_run(path.parent).problem
    assert problem == str(error)
    assert outside(sentence_of(LookupError(problem)).replace(str(path), "")) == []


def test_phrases_are_texts_that_values_with_braces_do_not_break(bundled):
    phrase = Phrase("{a} and {b!r}", a=Phrase("no {it}"), b="{c}")
    assert (phrase, str(phrase), json.dumps([phrase])) == ("no {it} and '{c}'",) * 2 + ("[\"no {it} and '{c}'\"]",)
    assert Phrase("{a}").filled(a="{b}") == "{b}"
    bundled({"{a} and {b!r}": "{b!r}, {a}", "no {it}": "nichts"})
    assert sentence_of(LookupError(phrase)) == "'{c}', nichts"
    assert sentence_of(LookupError("all")) == "all"
    assert sentence_of(LookupError()) == ""


def test_a_text_without_a_translation_is_english(bundled):
    bundled({"Nothing {a}": "Nichts {a}"})
    assert (text("Nothing {a}", a=1), text("Something {a}", a=1), text("All")) == ("Nichts 1", "Something 1", "All")


@pytest.mark.parametrize("broken", ["{b}", "{", "{}", "{a.b}", "{a[b]}", "{a:q}"])
def test_a_broken_translation_is_none(bundled, broken):
    bundled({"Nothing {a}": broken})
    assert text("Nothing {a}", a=1) == "Nothing 1"


def test_every_text_can_be_translated():
    assert TEXTS - set(json.loads(BUNDLE.read_text(encoding="utf-8"))) == set()


EDITOR = (
    *(
        "annotations",
        "compact_annotation",
        "cost_text",
        "memory/sentences",
        "op_name",
        "output_file",
        "padding_sentences",
    ),
    *("card/facts", "card/findings", "card/hover", "card/op_lines", "card/places", "card/sentence", "card/waiting"),
    "sentences",
)
"""Modules of ``report`` whose texts are read in the editor, besides those of findings."""


PROSE = re.compile(r"[A-Za-z]{2,}[,.:]? [A-Za-z]{2,}| [a-z]{3,}\b|\b[a-z]{3,} ")
TECHNICAL = {
    *("debug_information", "_version", "_log_to_standard_error", "warning", "error", "info", "exception"),
    *("LookupError", "JsonRpcInvalidParams", "JsonRpcRequestCancelled", "structured"),
    *("compile", "Key", "_COMMAND_LINES"),
}
"""What goes into a log or an issue that is filed, is told to a client that breaks the protocol, or is no text."""
PROTOCOL = {"conversion.py", "transport.py", "work.py"}
"""Modules of the server that speak of messages and work, to developers of clients."""
AGENTS = "mcp"
"""The part of it that agents read, who are asked and answered in English."""


def modules():
    for name in EDITOR:
        yield PACKAGE / "report" / f"{name}.py"
    yield from sorted((PACKAGE / "report" / "findings").rglob("*.py"))
    yield from (each for each in sorted((PACKAGE / "server").rglob("*.py")) if _is_of_people(each))


def _is_of_people(module):
    return module.name not in PROTOCOL and module.parent.name != AGENTS


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
        if is_docstring or is_technical or is_named or called in export_texts.WORDING:
            apart.update(map(id, ast.walk(node)))
    # Of annotations that are quoted the names.
    apart.update(id(each) for node in ast.walk(tree) for each in ast.walk(getattr(node, "returns", None) or ast.Pass()))
    pieces = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    found = [f"{node.lineno}: {node.value}" for node in pieces if id(node) not in apart and PROSE.search(node.value)]
    assert found == []


SENTENCES_OF_ERRORS = {"LookupError": 0, "OptionError": 1, "PatternError": 0, "OutputRefusedError": 1}
"""Errors whose sentence is read in the editor, and which of their arguments it is: a phrase."""
ROOMS = ("formats", "program", "model", "analysis", "views", "report", "server")
"""Those whose errors reach the editor."""
CLAUSES = {"Phrase", "FormatError", "fail", "fail_expecting", "_error"}


def rooms():
    return [each for room in ROOMS for each in sorted((PACKAGE / room).rglob("*.py")) if each.name not in PROTOCOL]


def is_phrase(annotation):
    return annotation is not None and "Phrase" in ast.unparse(annotation)


MAKERS = {
    node.name
    for path in rooms()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.FunctionDef) and is_phrase(node.returns)
} | {"Phrase", "filled"}
"""Functions that give a phrase."""


class Computed(ast.NodeVisitor):
    """Finds what is raised, or kept to be, with a sentence that is neither a constant nor a phrase."""

    def __init__(self, tree):
        self.found = []
        self.functions = []
        self.tables = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, (ast.Assign, ast.AnnAssign))
            for target in getattr(node, "targets", [getattr(node, "target", None)])
            if isinstance(target, ast.Name)
        }
        self.visit(tree)

    def visit_FunctionDef(self, node):
        self.functions.append(node)
        self.generic_visit(node)
        self.functions.pop()

    def visit_Call(self, node):
        called = export_texts.name_of_called(node)
        if called in CLAUSES:
            arguments = node.args[: export_texts.WORDING[called]]
            # `fail` of a module is told what it speaks of first.
            argument = arguments[-1] if called == "fail" and isinstance(node.func, ast.Name) else arguments[0]
            if not (self.is_constant(argument) or self.is_phrase(argument) or self.is_passed_on(argument)):
                self.found.append(f"{node.lineno}: {ast.unparse(argument)}")
        elif called in SENTENCES_OF_ERRORS and not self.is_phrase(node.args[SENTENCES_OF_ERRORS[called]]):
            self.found.append(f"{node.lineno}: {ast.unparse(node)}")
        self.generic_visit(node)

    def is_constant(self, node):
        if isinstance(node, ast.IfExp):
            return self.is_constant(node.body) and self.is_constant(node.orelse)
        return isinstance(node, ast.Constant)

    def is_phrase(self, node):
        """Whether it is a phrase: made here, or by a function that says so, or of a table of them."""
        if isinstance(node, ast.Call):
            return export_texts.name_of_called(node) in MAKERS
        if isinstance(node, ast.Subscript):
            table = self.tables.get(getattr(node.value, "id", ""))
            return isinstance(table, ast.Dict) and all(map(self.is_phrase, table.values))
        if isinstance(node, ast.Name) and self.functions:
            given = [
                each.value
                for each in ast.walk(self.functions[-1])
                if (isinstance(each, ast.Assign) and node.id in map(ast.unparse, each.targets))
                or (isinstance(each, ast.NamedExpr) and each.target.id == node.id)
            ]
            return len(given) > 0 and all(map(self.is_phrase, given))
        return False

    def is_passed_on(self, node):
        """Whether it is what a function was given that is itself called with a constant."""
        inner = self.functions[-1] if self.functions else None
        names = [each.arg for each in (*inner.args.posonlyargs, *inner.args.args)] if inner else []
        is_checked = inner is not None and (inner.name in CLAUSES or inner.name == "__init__")
        return is_checked and isinstance(node, ast.Name) and node.id in names


@pytest.mark.parametrize("module", rooms(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_sentence_of_an_error_is_computed(module):
    tree = ast.parse(module.read_text(encoding="utf-8"))
    # What a fault of the program itself says is for its developers.
    technical = {"server/requests.py": ["LookupError"]}.get(str(module.relative_to(PACKAGE)), ())
    assert [each for each in Computed(tree).found if not any(name in each for name in technical)] == []


@pytest.mark.parametrize(
    "raised",
    [
        'raise FormatError(f"it has {count} planes")',
        'raise FormatError("it has %d planes" % count)',
        'raise FormatError("it has {} planes".format(count))',
        'def read():\n    cause = f"it has {count} planes"\n    raise FormatError(cause)',
        "def read(cause):\n    raise FormatError(cause)",
        'fail(where, f"it has {count} planes")',
        'cursor.fail(f"it has {count} planes")',
        'raise LookupError("There is none.")',
        'raise OptionError("device", f"There is no {device}.")',
        'TABLE = {1: f"{a}"}\nraise FormatError(TABLE[1])',
    ],
)
def test_a_computed_sentence_of_an_error_is_found(raised):
    assert len(Computed(ast.parse(raised)).found) == 1
