"""``sql``: a query over the tables of runs, for what no other tool answers."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

import attrs

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.desk import Asked
from scopelight.agents.findings import profile_warnings
from scopelight.agents.foreign import cut_place, plain_place, quoted
from scopelight.agents.tool import OfRun
from scopelight.analysis.options import Option
from scopelight.report.numbers import byte_size, count, duration, flops, share
from scopelight.sql.answer import AnswerColumn, AnswerValue, QueryAnswer
from scopelight.sql.described import SchemaTable, schema_tables
from scopelight.sql.errors import QueryError
from scopelight.sql.limits import SECONDS_OF_AGENTS, Limits

_MOST_ROWS = 200
_TOO_LONG = (
    f"The query was ended after {SECONDS_OF_AGENTS:g} s, which is its limit: ask for less of `executions`, join by ids,"
    " or ask in several queries."
)
"""What is said to people offers more time, which no agent can give."""
_SCHEMA = re.compile(r"\s*\.schema\b\s*(?P<names>[\w,\s]*?)\s*;?\s*", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[\w().*+/ -]{1,60}")


@attrs.frozen
class SqlOptions(OfRun):
    """Which query."""

    query: Annotated[
        str,
        Option('One SELECT, as DuckDB has it; ".schema" lists the tables, ".schema lines" the columns of one of them.'),
    ] = attrs.field(kw_only=True)
    more_runs: Annotated[tuple[str, ...], Option("More runs, by their names: in the column run they are 2, 3, …")] = ()
    limit: Annotated[int, Option("Rows at most.", least=1, most=_MOST_ROWS)] = 40


def sql(asked: Asked[SqlOptions]) -> Answer:
    """The rows of a query, or the tables that there are."""
    schema = _SCHEMA.fullmatch(asked.options.query)
    if schema is not None:
        return _schema(asked, [each for each in re.split(r"[,\s]+", schema["names"]) if each])
    from scopelight.sql.query import ask  # noqa: PLC0415 (the schema alone needs no engine)

    desk = asked.desk
    others = [desk.workspace.run(each) for each in asked.options.more_runs]
    subjects = [asked.subject(), *(desk.opened.subject(desk.workspace, each) for each in others)]
    limits = Limits(seconds=SECONDS_OF_AGENTS, rows=asked.options.limit)
    with asked.reading(*subjects):
        try:
            answer = ask(subjects, asked.options.query, limits, desk.client.is_cancelled)
        except QueryError as error:
            said = _TOO_LONG if error.why == "time" else str(error)
            raise ToolError(said, asked.call("sql", query=".schema")) from error
        warnings = profile_warnings(*subjects)
    return _told(asked, answer, warnings)


def _told(asked: Asked[SqlOptions], answer: QueryAnswer, warnings: Section) -> Answer:
    names = [_name(each) for each in answer.columns]
    rows = [" | ".join(_written(value, column) for value, column in _cells(row, answer)) for row in answer.rows]
    left_out = answer.left_out or 0
    head = f"{count(len(rows))} row{'s' if len(rows) != 1 else ''}" + (", and more" if answer.is_cut else "")
    sections = [
        Section([f"{head}, in {answer.took_ms:.0f} ms:", " | ".join(names)]),
        Section((), rows, _rest, left_out),
    ]
    if answer.is_cut and answer.left_out is None:
        sections.append(Section(["More rows than were counted are left out: aggregate, or order and limit."]))
    sections.append(warnings)
    data = {
        "columns": names,
        "rows": [[_plain(value) for value in row] for row in answer.rows],
        "is_cut": answer.is_cut,
        "rows_left_out": answer.left_out,
        "warnings": [*warnings.heads, *warnings.rows],
    }
    return Answer(sections, data, _next(asked, answer))


def _rest(left: int) -> str:
    return f"{left} more {'row is' if left == 1 else 'rows are'} left out: aggregate, or order and limit."


def _next(asked: Asked[SqlOptions], answer: QueryAnswer) -> str:
    """The line of the first row, where the query asked for lines."""
    for row in answer.by_name():
        path, line = row.get("path"), row.get("line")
        if isinstance(path, str) and isinstance(line, int):
            return asked.call("line_detail", line=cut_place(f"{path}:{line}"))
    return asked.call("hot_lines")


def _cells(row: Sequence[AnswerValue], answer: QueryAnswer) -> list[tuple[AnswerValue, AnswerColumn]]:
    return list(zip(row, answer.columns, strict=True))


def _name(column: AnswerColumn) -> str:
    return column.name if _PLAIN_NAME.fullmatch(column.name) else quoted(column.name)


def _written(value: AnswerValue, column: AnswerColumn) -> str:
    """A value with its unit, text quoted."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return quoted(value, 80)
    if isinstance(value, bool):
        return str(value).lower()
    units = {"ps": duration, "bytes": byte_size, "flops": flops, "ratio": share}
    if column.unit in units:
        return units[column.unit](value)
    if column.unit == "ms":
        return f"{value:.4g} ms"
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _plain(value: AnswerValue) -> AnswerValue:
    return quoted(value, 80)[1:-1] if isinstance(value, str) else value


def _schema(asked: Asked[SqlOptions], names: Sequence[str]) -> Answer:
    try:
        tables = schema_tables(tuple(names))
    except QueryError as error:
        raise ToolError(str(error), asked.call("sql", query=".schema")) from error
    if names:
        sections = [_columns(each) for each in tables]
        data: dict[str, Any] = {
            each.name: [f"{column.name} {column.kind}: {column.sentence}" for column in each.columns] for each in tables
        }
    else:
        rows = [f"{each.name}: {each.sentence} {', '.join(column.name for column in each.columns)}" for each in tables]
        sections = [
            Section(["Tables; .schema TABLE says what each column is. Times are in ps, in TABLE_ms in ms."], rows)
        ]
        data = {"tables": {each.name: [column.name for column in each.columns] for each in tables}}
    example = "select path, line, self_ms from lines_ms order by self_ms desc limit 10"
    return Answer(sections, data, asked.call("sql", query=example))


def _columns(table: SchemaTable) -> Section:
    view = f"; {table.for_people} has its times in ms" if table.for_people else ""
    rows = [f"{column.name} {column.kind}  {column.sentence}" for column in table.columns]
    return Section([f"{plain_place(table.name)}: {table.sentence}{view}"], rows)
