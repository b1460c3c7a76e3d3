"""What makes the data in the loop of the steps itself: never the loop, but what it calls, or a line of its own."""

from types import SimpleNamespace

import attrs
import pytest

from made.findings import values
from made.host.input_host import READER_ID, input_profile, stands
from made.host.waiting_host import LINE_ID, MS, OPTIONS, TRAIN
from scopelight.analysis.host.input.graph.source_names import SourceNames
from scopelight.analysis.host.input.view import input_record
from scopelight.formats.host_recording.reader import RecordedCode
from scopelight.program.hlo.frames import Frame

MAIN = Frame(TRAIN, 30, "<module>")
MAKE = Frame("/home/me/make.py", 12, "augment")
ELSEWHERE = stands([(Frame("/usr/lib/x.py", 1, "x"),)], (0, 0))


def frame(line, function="train"):
    return Frame(TRAIN, line, function)


def found(text, *inner, loop="train", before=(), dark=(), sampled=(), own_ms=17, file=None):
    """The record of a loop that stands on a line of ``text``, and above it on ``inner``, for so long of each 30 ms."""
    source = [*before, "def train():", "    while True:", f"        {text}", "        y = step(x)", "        log(y)"]
    line = len(before) + 3
    outer = () if loop == "<module>" else (MAIN,)
    at = tuple(frame(line + ahead, loop) for ahead in range(3))
    stacks = [(at[2], *outer), (at[0], *outer), (*inner, at[0], *outer), (at[1], *outer)]
    rows = [
        (each * 30 + begin, row) for each in range(4) for begin, row in ((0, 0), (10, 1), (10 + own_ms, 2), (27, 3))
    ]
    samples = [(*each, at[0], *outer) for each in sampled]
    made = input_profile(
        queues=[], main=stands(stacks, *rows), reader=ELSEWHERE, sampled={LINE_ID: samples, READER_ID: []}
    )
    (record,) = made.host_records().values()
    codes = [RecordedCode(each.path, each.function, each.line, True, False) for each in dark]
    record.recordings = [
        SimpleNamespace(codes=codes, dark=range(len(codes)), has_lines=True, is_overloaded=False, python="3.12.1")
    ]
    lines = {TRAIN: source} | (file or {})
    of_line = attrs.evolve(
        OPTIONS,
        text=lambda path, number: (read(lines, path, number) or "").strip() or None,
        indented_text=lambda path, number: read(lines, path, number),
    )
    return input_record(made, of_line)


def read(lines, path, number):
    of = lines.get(path, [])
    return of[number - 1] if 0 < number <= len(of) else None


def chain(record):
    return [(each.kind, each.name, each.line) for each in record.operations[:-2]]


@pytest.mark.parametrize("loop", ["train", "<module>", "Trainer.train"])
def test_what_the_loop_calls_has_the_time_and_the_call_is_none(loop):
    record = found("x = augment(X) if ms else X", MAKE, loop=loop, own_ms=1)
    assert chain(record) == [("function", "augment", 12)]
    assert record.suspected == record.operations[0].key
    assert values(record, "input-in-the-loop") == {"name": "augment"}


@pytest.mark.parametrize(("loop", "name"), [("train", "train"), ("<module>", "train.py")])
def test_the_loop_goes_by_its_function_or_else_by_its_file(loop, name):
    (operation,) = (each for each in found("x = augment(X)", MAKE, loop=loop).operations if each.kind == "script")
    assert operation.name == name


@pytest.mark.parametrize("loop", ["train", "<module>"])
def test_what_the_loop_does_itself_is_a_line_that_goes_by_its_statement(loop):
    record = found("x = np.sort(X[:64]) if ms else X", MAKE, loop=loop)
    (operation, *_) = record.operations
    assert (operation.kind, operation.name, operation.line) == ("line", "x = np.sort(X[:64]) if ms else X", 3)
    assert (operation.self_ps, operation.workers) == (4 * 17 * MS, 1)
    assert record.operations[-2].kind == "script"
    assert values(record, "input-in-the-loop") == {"name": operation.name}


def test_a_line_that_does_some_of_it_itself_stands_beside_what_it_calls():
    record = found("x = np.sort(augment(X))", MAKE, own_ms=5)
    assert chain(record) == [("line", "x = np.sort(augment(X))", 3), ("function", "augment", 12)]
    assert record.suspected == record.operations[1].key


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("began = time.time(); x = np.sort(X)", "x = np.sort(X)"),
        ("x = np.sort(X); i = i + 1", "x = np.sort(X)"),
        ("for x in np.sort(X): pass", "for x in np.sort(X)"),
        ("while (x := np.load(X)) is None: pass", "while (x := np.load(X)) is None"),
        ("if (x := np.load(X)) is None: pass", "if (x := np.load(X)) is None"),
        ("with np.load(X) as x, held: pass", "with np.load(X) as x, held"),
        ("x = np.sort(X,   axis=0) # all", "x = np.sort(X, axis=0)"),
        ("x = np.sort(np.concatenate([X, X, X, X, X, X, X, X, X, X, X, X, X]))", None),
    ],
)
def test_a_statement_is_one_line_of_text(text, name):
    (operation, *_) = found(text).operations
    expected = name or text[:59] + "…"
    assert (operation.kind, operation.name) == ("line", expected)


class TestInTheDark:
    AUGMENT = Frame("/home/me/make.py", 10, "Loader.augment")
    OTHER = Frame("/home/me/make.py", 30, "load")

    def test_a_function_that_is_not_told_apart_is_known_by_the_name_that_its_line_has_for_it(self):
        record = found("x = loader.augment(X) if ms else X", dark=[self.AUGMENT, self.OTHER], loop="<module>")
        assert chain(record) == [("function", "Loader.augment", 10)]
        assert record.operations[0].self_ps == 4 * 17 * MS

    @pytest.mark.parametrize("text", ["x = f'{augment(X)}'", "x = X[augment(i)]", "x = [augment(i) for i in X]"])
    def test_wherever_in_the_line_that_is(self, text):
        assert chain(found(text, dark=[self.AUGMENT])) == [("function", "Loader.augment", 10)]

    def test_and_its_time_is_one_with_what_was_told_before(self):
        record = found("x = augment(X)", Frame(self.AUGMENT.path, 12, "Loader.augment"), dark=[self.AUGMENT], own_ms=9)
        assert chain(record) == [("function", "Loader.augment", 10)]
        assert record.operations[0].self_ps == 4 * 17 * MS

    def test_one_that_goes_by_another_name_is_known_by_samples(self):
        dark, sampled = [self.AUGMENT, self.OTHER], [(self.AUGMENT,), (self.OTHER, self.AUGMENT), (self.OTHER,)]
        assert chain(found("x = prepare(X)", dark=dark, sampled=sampled)) == [("function", "Loader.augment", 10)]

    def test_of_two_that_samples_saw_more(self):
        dark = [self.AUGMENT, self.OTHER]
        text = "x = load(i) if i % 2 else augment(i)"
        assert chain(found(text, dark=dark, sampled=[(self.OTHER,)])) == [("function", "load", 30)]
        # Where none was sampled none is guessed.
        assert chain(found(text, dark=dark)) == [("line", text, 3)]

    def test_one_that_the_line_does_not_call_is_not_guessed(self):
        assert chain(found("x = np.sort(X)", dark=[self.AUGMENT])) == [("line", "x = np.sort(X)", 3)]


@pytest.mark.parametrize("function", ["train.<locals>.<listcomp>", "<listcomp>", "train.<locals>.<genexpr>"])
def test_a_comprehension_is_the_loops_own(function):
    record = found("x = [np.sort(each) for each in X]", frame(3, function), own_ms=0)
    assert chain(record) == [("line", "x = [np.sort(each) for each in X]", 3)]


def test_a_lambda_goes_by_what_it_is_assigned_to_or_by_its_text():
    before = ["prepare = lambda x: x + 1", "kept.prepare = lambda x: x", "run(lambda x: x * 2)"]
    names = [
        found("x = prepare(X)", frame(line, "<lambda>"), before=before, own_ms=0).operations[0].name
        for line in (1, 2, 3)
    ]
    assert names == ["prepare", "kept.prepare", "lambda x: x * 2"]


def test_where_there_is_no_text_names_are_those_of_functions():
    names = SourceNames(lambda *_: None)
    assert names.owner(Frame(TRAIN, 3, "train.<locals>.<listcomp>.<locals>.<genexpr>")) == "train"
    assert names.owner(Frame(TRAIN, 3, "<genexpr>")) == "<module>"
    assert names.function(frame(3, "<lambda>"), "<lambda>") == "<lambda>"
    assert names.statement(frame(3)).text == "train"
    assert not names.calls(frame(3))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('x = device_put(host.copy()); c.lap("put")', "x = device_put(host.copy())"),
        ("x = load(); unused = count(x)", "x = load()"),
        ("begin = time(); x = load()", "x = load()"),
        ("x = load(); y = step(x); y.block()", "y = step(x)"),
        ('batches.append(load()); c.lap("put")', "batches.append(load())"),
        ("first(); last()", "last()"),
    ],
)
def test_of_several_statements_on_a_line_the_one_that_makes_what_is_used_names_it(line, said):
    source = [
        "def train():",
        "    while running:",
        f"        {line}",
        "        y = step(x, batches)",
        "        print(y, begin)",
    ]
    names = SourceNames(lambda _, number: source[number - 1] if number <= len(source) else None)
    assert names.statement(frame(3)).text == said


def test_the_head_of_the_loop_that_just_counts_is_no_stage():
    source = ["def train():", "    for i in range(9):", "        x = load(i)", "        y = step(x)", "        log(y)"]
    at = tuple((frame(line), MAIN) for line in (2, 3, 4, 5))
    rows = [(each * 30 + begin, row) for each in range(4) for begin, row in ((0, 3), (10, 0), (12, 1), (27, 2))]
    made = input_profile(queues=[], main=stands(at, *rows), reader=ELSEWHERE, sampled={LINE_ID: [at[1]], READER_ID: []})
    of_line = attrs.evolve(
        OPTIONS,
        text=lambda path, number: (read({TRAIN: source}, path, number) or "").strip() or None,
        indented_text=lambda path, number: read({TRAIN: source}, path, number),
    )
    assert [each.line for each in input_record(made, of_line).stages] == [3]
