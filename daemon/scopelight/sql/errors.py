"""Why a query has no answer, in a sentence."""

from typing import Final, Literal

from scopelight.phrase import Phrase
from scopelight.report.numbers import byte_size

Why = Literal["missing", "refused", "wrong", "time", "memory", "cancelled"]
"""DuckDB is not installed; the query would do more than read tables; it is no query, or names what there is not; it
took longer, or more memory, than it may; somebody has ended it."""
EXTRA: Final = "scopelight[sql]"


class QueryError(Exception):
    """A query has no answer; ``sentence`` says why, in English until it is translated, and what to do."""

    def __init__(self, why: Why, sentence: Phrase) -> None:
        super().__init__(sentence)
        self.why: Why = why
        self.sentence = sentence

    def __reduce__(self) -> tuple[type["QueryError"], tuple[Why, Phrase]]:
        """As it is told by another process."""
        return QueryError, (self.why, self.sentence)


def missing() -> QueryError:
    """DuckDB is not installed."""
    return QueryError(
        "missing",
        Phrase("Queries in SQL need DuckDB, which is not installed: pip install '{extra}'", extra=EXTRA),
    )


def refused(word: str) -> QueryError:
    """A statement that does not read."""
    return QueryError(
        "refused",
        Phrase(
            "{word} is refused: a query is one statement that reads the tables of runs (SELECT, WITH, FROM, DESCRIBE,"
            " SHOW, SUMMARIZE), and it writes nothing.",
            word=word,
        ),
    )


def no_files() -> QueryError:
    """A function or a name that reads or writes outside of the tables."""
    return QueryError(
        "refused",
        Phrase(
            "The query would read or write outside of the runs, which is refused: no files, no addresses, no"
            " extensions. It has the tables alone."
        ),
    )


def no_extensions(name: str) -> QueryError:
    """A function, a type or a setting that DuckDB would have with an extension."""
    return QueryError(
        "refused",
        Phrase(
            "{name} is of an extension of DuckDB, which is refused: no files, no addresses, no extensions. A query has"
            " the tables and DuckDB's own functions alone.",
            name=name,
        ),
    )


def several() -> QueryError:
    """More than one statement."""
    return QueryError("refused", Phrase("There are several statements: ask one at a time."))


def empty() -> QueryError:
    """Nothing to ask."""
    return QueryError("wrong", Phrase("The query is empty. An example: select path, line, self_ps from lines"))


def too_long(seconds: float) -> QueryError:
    """It was ended by its limit of time."""
    return QueryError(
        "time",
        Phrase(
            "The query was ended after {seconds} s, which is its limit: ask for less of `executions`, join by ids, or"
            " give it more time.",
            seconds=f"{seconds:g}",
        ),
    )


def too_large(memory_bytes: int) -> QueryError:
    """It was ended by its limit of memory."""
    return QueryError(
        "memory",
        Phrase(
            "The query needs more memory than the {limit} that it may have: group or filter before it sorts and joins,"
            " and return less.",
            limit=byte_size(memory_bytes),
        ),
    )


def answer_too_large(answer_bytes: int) -> QueryError:
    """What it found is more than may be handed on."""
    return QueryError(
        "memory",
        Phrase(
            "The answer has more than the {limit} that it may have: group or filter, and return less.",
            limit=byte_size(answer_bytes),
        ),
    )


def cancelled() -> QueryError:
    """Somebody ended it."""
    return QueryError("cancelled", Phrase("The query was ended before it had an answer."))


def wrong(message: str) -> QueryError:
    """What DuckDB says of it."""
    return QueryError("wrong", Phrase("{message}", message=message))
