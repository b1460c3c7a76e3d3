"""Tables in the terminal: aligned columns, of which only those that may be are cut."""

from collections.abc import Sequence

import attrs
from rich.cells import cell_len, set_cell_size
from rich.text import Text

_GAP = "  "
_NARROWEST_CUT = 8


@attrs.frozen(slots=True)
class Column:
    """A column by its header; numbers are ``right`` aligned. Of a text that may be cut, ``most`` cells are shown."""

    header: str
    right: bool = False
    most: int | None = None


HLO_NAME = Column("HLO name", most=28)
"""Of an op, after the column of what it is in jax."""


def text_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None) -> list[Text]:
    """A header and the rows. In a terminal of so many cells, ``width``, what may be cut leaves room for the rest.

    Columns that are empty in all rows are left out.
    """
    shown = [place for place in range(len(columns)) if any(row[place] for row in rows)]
    cells = [[row[place] for place in shown] for row in rows]
    kept = [columns[place] for place in shown]
    cells.insert(0, [column.header for column in kept])
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    widths = _fitted(kept, widths, width)
    texts = [_row(row, kept, widths) for row in cells]
    texts[0].stylize("bold")
    for text in texts[1:]:
        text.stylize("cyan", 0, widths[0] if kept and not kept[0].right else 0)
    return texts


def _fitted(columns: Sequence[Column], widths: Sequence[int], width: int | None) -> list[int]:
    """Widths of the columns once those that may be cut are no wider than they may be, or than there is room for."""
    fitted = [
        wanted if column.most is None else min(wanted, column.most)
        for column, wanted in zip(columns, widths, strict=True)
    ]
    if width is not None:
        for place, column in enumerate(columns):
            over = sum(fitted) + len(_GAP) * (len(fitted) - 1) - width
            if column.most is not None and over > 0:
                fitted[place] = max(min(fitted[place], _NARROWEST_CUT), fitted[place] - over)
    return fitted


def _row(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> Text:
    parts: list[str] = []
    for cell, column, room in zip(cells, columns, widths, strict=True):
        text = set_cell_size(cell, room - 1) + "…" if cell_len(cell) > room else cell
        padding = " " * (room - cell_len(text))
        parts.append(padding + text if column.right else text + padding)
    return Text(_GAP.join(parts).rstrip())
