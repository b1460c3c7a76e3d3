"""Tables in the terminal: aligned columns, of which only those that may be are cut; and what is printed around them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import attrs
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from scopelight.findings import Finding
from scopelight.report.findings.worded import closing

Row = TypeVar("Row")

WIDEST_NAME = 60
GAP = "  "
NARROWEST_CUT = 8


@attrs.frozen
class Column(Generic[Row]):
    """A column: its header, and what it says of a row.

    Numbers are ``right`` aligned. Of a text that may be cut, ``most`` cells are shown: its beginning, or of a place in
    a file (``is_place``) its end, which has the file's name and the line whole in any room.
    """

    header: str
    cell: Callable[[Row], str]
    right: bool = False
    most: int | None = None
    is_place: bool = False


def hlo_name(name: Callable[[Row], str]) -> Column[Row]:
    """The column after that of what an op is in jax."""
    return Column("HLO name", name, most=28)


def print_view(
    console: Console,
    heads: Iterable[str],
    columns: Sequence[Column[Row]],
    rows: Sequence[Row],
    footer: Iterable[str],
    findings: Iterable[Finding],
) -> None:
    """Print a table with what is said before and after it, and what is to be known of its figures."""
    say(console, heads)
    if rows:
        console.print()
        print_rows(console, columns, rows)
        console.print()
    say(console, footer)
    say(console, closing(findings))


def say(console: Console, sentences: Iterable[str]) -> None:
    """Print sentences, a line each."""
    for sentence in sentences:
        console.print(Text(sentence), soft_wrap=True)


def print_rows(console: Console, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> None:
    """Print a table alone, fitted into a terminal, and as wide as it needs to be elsewhere."""
    for text in text_table(columns, rows, console.width if console.is_terminal else None):
        console.print(text, soft_wrap=True)


def text_table(columns: Sequence[Column[Row]], rows: Sequence[Row], width: int | None) -> list[Text]:
    """A header and the rows. In a terminal of so many cells, ``width``, what may be cut leaves room for the rest.

    Columns that are empty in all rows are left out.
    """
    filled = [(column, [column.cell(row) for row in rows]) for column in columns]
    shown = [(column, cells) for column, cells in filled if any(cells)]
    return aligned(shown, _fitted(shown, width))


def widest(column: Column[Row], cells: Sequence[str]) -> int:
    """How wide a column is that is not cut."""
    return max(map(cell_len, (column.header, *cells)))


def aligned(columns: Sequence[tuple[Column[Row], Sequence[str]]], widths: Sequence[int]) -> list[Text]:
    """A header and the rows, of columns with their cells: what is wider than its column is cut."""
    kept = [column for column, _ in columns]
    lines = zip(*((column.header, *cells) for column, cells in columns), strict=True)
    texts = [_row(line, kept, widths) for line in lines]
    texts[0].stylize("bold")
    for text in texts[1:]:
        text.stylize("cyan", 0, widths[0] if not kept[0].right else 0)
    return texts


def _fitted(columns: Sequence[tuple[Column[Row], Sequence[str]]], width: int | None) -> list[int]:
    """Widths of the columns once those that may be cut are no wider than they may be, or than there is room for."""
    wanted = [(column.most, widest(column, cells), _narrowest(column, cells)) for column, cells in columns]
    fitted = [wide if most is None else min(wide, max(narrow, most)) for most, wide, narrow in wanted]
    if width is not None:
        for place, (most, _, narrow) in enumerate(wanted):
            over = sum(fitted) + len(GAP) * (len(fitted) - 1) - width
            if most is not None and over > 0:
                fitted[place] = max(min(fitted[place], narrow), fitted[place] - over)
    return fitted


def _narrowest(column: Column[Row], cells: Sequence[str]) -> int:
    """How wide a column is at least that may be cut."""
    if not column.is_place:
        return NARROWEST_CUT
    # A sign for what is cut stands ahead of the file's name.
    return max((min(cell_len(cell), 1 + cell_len(_file_and_line(cell))) for cell in cells), default=0)


def _file_and_line(place: str) -> str:
    return place.replace("\\", "/").rpartition("/")[2]


def _beginning_of(cell: str, room: int) -> str:
    return set_cell_size(cell, room - 1) + "…"


def _end_of(cell: str, room: int) -> str:
    end = cell
    while cell_len(end) > room - 1:
        end = end[1:]
    return "…" + end


def _row(cells: Sequence[str], columns: Sequence[Column[Row]], widths: Sequence[int]) -> Text:
    parts: list[str] = []
    for cell, column, room in zip(cells, columns, widths, strict=True):
        text = cell
        if cell_len(cell) > room:
            text = _end_of(cell, room) if column.is_place and cell != column.header else _beginning_of(cell, room)
        padding = " " * (room - cell_len(text))
        parts.append(padding + text if column.right else text + padding)
    return Text(GAP.join(parts).rstrip())
