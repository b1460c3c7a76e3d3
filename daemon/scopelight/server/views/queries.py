"""What the panel Query asks for: the schema, and answers to queries over the run that is shown."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from scopelight.analysis.options import NoOptions
from scopelight.protocol.queries import AskQuery, QueryOutcome
from scopelight.protocol.views import ViewAnswer
from scopelight.report.language import sentence_of
from scopelight.server.runs.shown_run import described, shown_run
from scopelight.server.session import Session
from scopelight.sql.answer import QueryAnswer
from scopelight.sql.described import QuerySchema, schema_tables
from scopelight.sql.errors import QueryError
from scopelight.sql.examples import query_examples
from scopelight.sql.limits import Limits
from scopelight.sql.statement import is_installed

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

MOST_ROWS = 100_000
"""More of an answer than can be looked at."""


async def query_schema(session: Session, params: NoOptions) -> ViewAnswer[QuerySchema]:  # noqa: ARG001 (every request has parameters)
    """The tables, examples, and whether what answers is installed."""
    run = shown_run(session)
    installed = await session.work.quick(is_installed)
    record = QuerySchema(schema_tables(), query_examples(), installed)
    return ViewAnswer(await described(session, run), (), (), record)


async def query_answer(session: Session, params: AskQuery) -> QueryOutcome:
    """The answer to a query. Once nobody waits for it, the query is ended."""
    subject = await session.records.subject(shown_run(session))
    ended = threading.Event()
    rows = max(1, min(params.rows, MOST_ROWS))
    try:
        return await session.work.run("long", functools.partial(_ask, subject, params.query, rows, ended.is_set))
    finally:
        ended.set()


def _ask(subject: Subject, query: str, rows: int, is_cancelled: Callable[[], bool]) -> QueryOutcome:
    from scopelight.sql.query import ask  # noqa: PLC0415 (what analyses takes a second to import)

    try:
        answer = ask([subject], query, Limits(rows=rows), is_cancelled)
    except QueryError as error:
        return QueryOutcome(None, error.why, sentence_of(error))
    return QueryOutcome(answer, files=_files(subject, answer))


def _files(subject: Subject, answer: QueryAnswer) -> Mapping[str, str]:
    """Where the files are that an answer names by their paths; nothing where it has no such column."""
    from scopelight.analysis.totals.centre import centre_of  # noqa: PLC0415
    from scopelight.model.profile import recorded_paths  # noqa: PLC0415

    place = next((place for place, each in enumerate(answer.columns) if each.name == "path"), None)
    if place is None:
        return {}
    named = {row[place] for row in answer.rows}
    frames = centre_of(subject.profile, subject.line_options).frames
    files = map(frames.file, recorded_paths(subject.profile))
    return {each.path: each.file for each in files if each.path in named and each.path and each.file}
