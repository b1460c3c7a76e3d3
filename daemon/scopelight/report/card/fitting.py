"""Text that has so many columns of a fixed-width font and no more."""

from rich.cells import cell_len


def columns_of(text: str) -> int:
    """Columns that a text takes: wide characters take two."""
    return cell_len(text)


def fitted(text: str, columns: int) -> str:
    """``text``, or its beginning and its end around an ellipsis where it takes more than so many ``columns``."""
    if columns_of(text) <= columns:
        return text
    room = columns - 1
    beginning = _taken(text, room - room // 2)
    end = _taken(text[::-1], room - columns_of(beginning))[::-1]
    return f"{beginning}…{end}"


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """``text`` and spaces up to so many ``columns``; ahead of it where it stands at the ``right``."""
    spaces = " " * (columns - columns_of(text))
    return f"{spaces}{text}" if right else f"{text}{spaces}"


def _taken(text: str, columns: int) -> str:
    taken = 0
    for place, each in enumerate(text):
        taken += columns_of(each)
        if taken > columns:
            return text[:place]
    return text
