"""Queries in SQL over the run that is shown."""

from collections.abc import Mapping

import attrs

from scopelight.sql.answer import QueryAnswer
from scopelight.sql.errors import Why


@attrs.frozen(slots=True)
class AskQuery:
    """Asks a query, of whose answer the first ``rows`` are wanted. To cancel the request ends the query."""

    query: str
    rows: int = 10_000


@attrs.frozen(slots=True)
class QueryOutcome:
    """The answer, or ``why`` there is none and a ``sentence`` on it; None each of what there is not.

    ``files`` are where the files of the answer's column ``path`` are, as far as known.
    """

    answer: QueryAnswer | None
    why: Why | None = None
    sentence: str | None = None
    files: Mapping[str, str] = attrs.field(factory=dict)
