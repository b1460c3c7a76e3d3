"""Queries in SQL over runs: the tables that one names are made, and it is answered from these alone."""

import time
from collections.abc import Callable, Collection, Sequence

from scopelight.analysis.subject import Subject
from scopelight.sql.answer import QueryAnswer, answer_of
from scopelight.sql.engine import UNREAD, Engine, Found, Sources
from scopelight.sql.errors import QueryError, cancelled
from scopelight.sql.limits import Limits
from scopelight.sql.schema import Columns
from scopelight.sql.shut_in import FORKING, IS_POSSIBLE, find_shut_in
from scopelight.sql.statement import checked, parser, tables_named, words_that_are_tables
from scopelight.sql.tables import TABLES


def _never() -> bool:
    return False


def ask(
    subjects: Sequence[Subject],
    text: str,
    limits: Limits,
    is_cancelled: Callable[[], bool] = _never,
    *,
    in_this_process: bool = False,
) -> QueryAnswer:
    """Answer a query over runs, the first of which is the run 1.

    It is asked in a process of its own, where that can be made, unless it is to be asked ``in_this_process``.
    ``is_cancelled`` is asked again and again while it lasts; in this process only before it begins. Raises `QueryError`
    with a sentence where there is no answer, and `FormatError` where a run cannot be read.
    """
    begun = time.monotonic()
    with FORKING:
        connection = parser()
        try:
            statement = checked(connection, text)
            names = tables_named(connection, statement)
        finally:
            connection.close()
    find = _find_here if in_this_process or not IS_POSSIBLE else find_shut_in
    try:
        found = find(_sources(subjects, names, is_cancelled), statement, limits, is_cancelled)
    except QueryError as error:
        more = words_that_are_tables(statement)
        if UNREAD not in error.sentence or set(more) <= set(names):
            raise
        found = find(_sources(subjects, more, is_cancelled), statement, limits, is_cancelled)
    return answer_of(found, (time.monotonic() - begun) * 1000)


def _sources(subjects: Sequence[Subject], names: Collection[str], is_cancelled: Callable[[], bool]) -> Sources:
    # A query that names no table, too, is asked of runs that there are.
    for subject in subjects:
        if is_cancelled():
            raise cancelled()
        _ = subject.profile
    sources: dict[str, Sequence[Columns]] = {}
    for name in names:
        if is_cancelled():
            raise cancelled()
        sources[name] = [TABLES[name].make(subject) for subject in subjects]
    return sources


def _find_here(sources: Sources, statement: str, limits: Limits, is_cancelled: Callable[[], bool]) -> Found:
    if is_cancelled():
        raise cancelled()
    with FORKING:
        engine = Engine(sources, limits)
    try:
        return engine.find(statement)
    finally:
        engine.close()
