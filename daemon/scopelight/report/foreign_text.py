"""Text that comes from a profile or a source file, made safe to show.

Names of ops, scopes, functions and files are whatever the program called them: they must not move a terminal's
cursor, nor become a link, an image, a table's column or HTML where Markdown is shown.
"""

import re
from collections.abc import Sequence

_MARKS = re.compile(r"[\\`*_\[\]<>|~&$#!@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""Emphasis, code, links, HTML, columns, entities and mathematics, and what makes a link of an address alone."""
_BACKTICKS = re.compile("`+")
_LONGEST = 120


def printable(text: str) -> str:
    """``text`` without what a terminal or an editor would obey: control, format and separating characters."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def shortened(text: str, longest: int = _LONGEST) -> str:
    """``text``, or its beginning and an ellipsis where it has more than ``longest`` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def markdown_text(text: str) -> str:
    """``text`` to stand as it is inside a paragraph or a table's cell; not at the start of a paragraph."""
    return _MARKS.sub(r"\\\g<0>", printable(text).strip())


def markdown_prose(text: str) -> str:
    """Sentences as `markdown_text` has them, but for what they name as code, between backticks, which stays code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return markdown_text(text)
    return "".join(markdown_code(part) if place % 2 else _between(part) for place, part in enumerate(parts)).strip()


def _between(part: str) -> str:
    """Text between code, with its spaces at the ends."""
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{before}{markdown_text(part)}{after if part.strip() else ''}"


def markdown_code(text: str) -> str:
    """``text`` as inline code; as escaped text where it holds what code cannot (backticks, a table's bars)."""
    text = printable(text).strip()
    if not text:
        return ""
    return markdown_text(text) if "`" in text or "|" in text or "\\" in text else f"`{text}`"


def markdown_block(text: str, language: str = "python") -> str:
    """One line of source as a block of code, fenced so that nothing in it can end the block."""
    return markdown_lines([text], language)


def markdown_lines(lines: Sequence[str], language: str) -> str:
    """The same of several lines."""
    text = "\n".join(
        "".join(each if each.isprintable() or each == "\t" else "\N{REPLACEMENT CHARACTER}" for each in line)
        for line in lines
    )
    longest = max((len(each) for each in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
