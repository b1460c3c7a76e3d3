"""The HTML file of a report: the pages, built beforehand without anything in them, and what they hold."""

import base64
import gzip
import html
from importlib import resources

from scopelight.phrase import Phrase
from scopelight.report.json_text import compact_json

PAGES = "pages.html"
"""Beside this module; made of the panels' pages when the extension is built."""
_TITLE = "__TITLE__"
_HELD = "__HELD__"
"""Where the pages have room for what is of one run."""


class PagesMissingError(Exception):
    """The installation has no pages for reports. The message is a sentence."""

    def __init__(self) -> None:
        super().__init__(
            Phrase(
                "This installation of Scopelight has no pages to put into a report: install it from the extension or a"
                " wheel of a release, run `make build` in a clone, or choose the format markdown."
            )
        )


def pages() -> str:
    """The pages without anything in them. Raises `PagesMissingError`."""
    try:
        return resources.files(__package__).joinpath(PAGES).read_text("utf-8")
    except FileNotFoundError:
        raise PagesMissingError from None


def document(title: str, held: object) -> bytes:
    """The file. ``held`` is JSON. Raises `PagesMissingError`."""
    data = base64.b64encode(gzip.compress(compact_json(held).encode(), 9, mtime=0)).decode("ascii")
    return pages().replace(_TITLE, html.escape(title), 1).replace(_HELD, data, 1).encode()
