"""What DuckDB says of a query that it cannot answer, as one sentence for people."""

import re
from typing import Final

from scopelight.report.foreign_text import printable, shortened

_KIND: Final = re.compile(r"^[\w ]+ Error:\s*")
_PLACE: Final = re.compile(r"\n+LINE (\d+):.*", re.DOTALL)
_OF_EXTENSION: Final = re.compile(r"name \"([^\"\n]+)\" is not in the catalog\b[^\n]*\bin the \w+ extension")
_LONGEST: Final = 400


def named_of_extension(error: Exception) -> str | None:
    """What DuckDB would have with an extension, which it advises to install; None where it says something else."""
    found = _OF_EXTENSION.search(str(error))
    return None if found is None else shortened(printable(found[1]), _LONGEST)


def message_of(error: Exception) -> str:
    """Its message without the kind of error and the picture of the place, of which the line is kept."""
    text = _KIND.sub("", str(error))
    place = _PLACE.search(text)
    said = " ".join(_PLACE.sub("", text).split())
    said = said if said.endswith((".", "!", "?")) else f"{said}."
    return shortened(f"{said} (In line {place[1]} of the query.)" if place is not None else said, _LONGEST)
