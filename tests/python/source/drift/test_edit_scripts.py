"""Whatever is done to a text: a line is never said to be where another one is."""

import random
from collections import Counter

import pytest

from made.edit_scripts import Editing
from scopelight.source.drift.drift import follow
from scopelight.source.reading import split_lines

SCRIPTS = 2000
PARTS = 20
PLAIN = ["insert", "change", "rename", "space_at_ends", "change_line_ends", "undo"]
ALL = [*PLAIN, "insert_common", "delete", "move", "duplicate", "copy", "indent", "checkout", "save_as", "reload"]

LAYERS = [
    line
    for layer in range(8)
    for line in (
        *(
            f"def layer_{layer}(x):",
            "    x = x + 1",
            "    x = norm(x)",
            "    for _ in range(3):",
            "        x = norm(x)",
        ),
        *(f"        x = x @ w{layer}", "        x = norm(x)", "    return x", "", ""),
    )
]
SAME = [*["x = norm(x)"] * 12, "y = 2", *["x = norm(x)"] * 5]


@pytest.fixture(scope="module")
def files(project):
    examples = sorted((project / "daemon" / "examples").glob("*.py"))
    return [*(split_lines(file.read_text()) for file in examples), LAYERS, SAME]


@pytest.mark.parametrize("part", range(PARTS))
def test_every_line_is_itself_or_stale_or_gone(files, part):
    source = random.Random(part)
    for _ in range(SCRIPTS // PARTS):
        editing = Editing(source.choice(files), source)
        for _ in range(source.randint(1, 8)):
            editing.edit(ALL)
        check(editing)


@pytest.mark.parametrize("part", range(5))
def test_lines_that_were_not_edited_stay_themselves_when_others_are(files, part):
    source = random.Random(1000 + part)
    for _ in range(40):
        # Of equal lines side by side one cannot be edited without doubt about the others.
        editing = Editing(source.choice(files[:-1]), source)
        for _ in range(source.randint(1, 6)):
            editing.edit(PLAIN)
        drift = check(editing)
        for row, line in enumerate(editing.lines, 1):
            if line.origin is not None and line.text.rstrip() == editing.recorded[line.origin - 1].rstrip() != "":
                place = drift.place(line.origin)
                assert (place.line, place.state) == (row, "current"), (editing.steps, line)


@pytest.mark.parametrize(("name", "most"), [("move", 30), ("delete", 10), ("copy", 20), ("indent", 8)])
def test_repeated_lines_are_rarely_taken_for_their_likes(name, most):
    """No text tells whether a repeated line is the one of before; it must at least not look like another one."""
    source = random.Random(7)
    right = wrong = 0
    for _ in range(150):
        editing = Editing(LAYERS, source)
        editing.edit([name])
        drift = check(editing)
        for row, text in enumerate(LAYERS, 1):
            place = drift.place(row)
            if text and place.state == "current":
                is_right = editing.lines[place.line - 1].origin == row
                right, wrong = right + is_right, wrong + (not is_right)
    assert wrong <= most, (wrong, right)
    assert right >= 0.8 * 150 * sum(map(bool, LAYERS)), (wrong, right)


def check(editing):
    """What must hold after any edit."""
    present = split_lines(editing.text)
    drift = follow(editing.recorded, present)
    recorded_texts = Counter(text.rstrip() for text in editing.recorded)
    present_texts = Counter(text.rstrip() for text in present)
    taken = set()
    for row, recorded in enumerate(editing.recorded, 1):
        text = recorded.rstrip()
        place = drift.place(row)
        told = (editing.steps, row, place)
        assert 1 <= place.line <= len(present), told
        if place.state == "gone":
            assert row not in {drift.recorded(place.line)}, told
        else:
            assert drift.recorded(place.line) == row, told
            assert place.line not in taken, told
            taken.add(place.line)
        if place.state == "current":
            assert present[place.line - 1].rstrip() == text, told
        if text and recorded_texts[text] == 1 == present_texts[text]:
            assert place.state == "current", told
            assert editing.lines[place.line - 1].origin == row, told
    return drift
