"""Random edits of a text whose lines are known by more than their text: each keeps its identity through every edit."""

import re

import attrs

COMMON = ("", "    return x", "        x = norm(x)", "    )", "    x = x + 1")
"""Lines that stand in a file more than once, and that edits write once more."""


@attrs.frozen
class Written:
    """One line: ``origin`` is the recorded line that it was, or was copied from; None for one that was typed."""

    text: str
    origin: int | None


class Editing:
    """A text in an editor: a recorded one that ``edit`` changes step by step."""

    def __init__(self, recorded, source):
        self.recorded = list(recorded)
        self.random = source
        self.lines = [Written(text, row) for row, text in enumerate(recorded, 1)]
        self.line_end = "\n"
        self.steps = []
        self._history = []
        self._typed = 0

    @property
    def text(self):
        return self.line_end.join(line.text for line in self.lines)

    def edit(self, names):
        """One of the edits of these names, at random."""
        name = self.random.choice(names)
        before = list(self.lines), self.line_end
        getattr(self, name)()
        self.steps.append(name)
        if name != "undo":
            self._history.append(before)

    def insert(self):
        self._insert(self._at(), [Written(self._new_text(), None)])

    def insert_common(self):
        self._insert(self._at(), [Written(self.random.choice(COMMON), None)])

    def change(self):
        row = self._row()
        if row is not None:
            text = self.lines[row].text
            cut = self.random.randint(0, len(text) // 3)
            self._typed += 1
            self.lines[row] = attrs.evolve(self.lines[row], text=f"{text[: len(text) - cut]} + changed_{self._typed}")

    def delete(self):
        start, end = self._block()
        del self.lines[start:end]

    def move(self):
        start, end = self._block()
        block = self.lines[start:end]
        del self.lines[start:end]
        self._insert(self._at(), block)

    def duplicate(self):
        start, end = self._block()
        self._insert(end, self.lines[start:end])

    def copy(self):
        start, end = self._block()
        self._insert(self._at(), self.lines[start:end])

    def rename(self):
        names = sorted({name for line in self.lines for name in re.findall(r"[a-z_]\w*", line.text)})
        if names:
            self._typed += 1
            old, new = self.random.choice(names), f"renamed_{self._typed}"
            self.lines = [attrs.evolve(line, text=re.sub(rf"\b{old}\b", new, line.text)) for line in self.lines]

    def indent(self):
        start, end = self._block()
        self.lines[start:end] = [
            attrs.evolve(line, text=f"    {line.text}" if line.text else "") for line in self.lines[start:end]
        ]

    def space_at_ends(self):
        start, end = self._block()
        self.lines[start:end] = [attrs.evolve(line, text=f"{line.text}  ") for line in self.lines[start:end]]

    def change_line_ends(self):
        self.line_end = self.random.choice(["\n", "\r\n", "\r"])

    def undo(self):
        if self._history:
            self.lines, self.line_end = self._history.pop()

    def checkout(self):
        """Another version of the file, that others edited."""
        version = Editing(self.recorded, self.random)
        version._typed = self._typed + 1000
        for _ in range(self.random.randint(0, 6)):
            version.edit(["insert", "insert_common", "change", "delete", "move", "rename"])
        self.lines, self._typed = version.lines, version._typed

    def save_as(self):
        """The text goes on in another file, and what was done to it cannot be undone."""
        self._history.clear()

    def reload(self):
        """The text comes back from its file, of which one line end is known."""
        self.line_end = "\n"
        self._history.clear()

    def _new_text(self):
        self._typed += 1
        return self.random.choice(["", "    ", "        "]) + f"typed_{self._typed} = call({self._typed})"

    def _insert(self, at, lines):
        self.lines[at:at] = lines

    def _at(self):
        return self.random.randint(0, len(self.lines))

    def _row(self):
        rows = [row for row, line in enumerate(self.lines) if line.text.strip()]
        return self.random.choice(rows) if rows else None

    def _block(self):
        start = self._at()
        return start, min(len(self.lines), start + self.random.choice([1, 1, 1, 2, 5, 12]))
