"""DuckDB, shut in: it has the tables of runs and nothing else, and reads their columns where they lie."""

import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from scopelight.sql.errors import QueryError, no_extensions, no_files, too_large, too_long, wrong
from scopelight.sql.limits import Limits
from scopelight.sql.messages import message_of, named_of_extension
from scopelight.sql.schema import PICOSECONDS, PS_PER_MS, RUN, Column, Columns, Table, in_milliseconds
from scopelight.sql.statement import duckdb_module
from scopelight.sql.tables import TABLES

if TYPE_CHECKING:
    import duckdb

Sources = Mapping[str, Sequence[Columns]]
"""By the name of a table its columns in each of the runs."""
UNREAD: Final = "A table was not found in the text of the query: name it there, not in a text inside it."
_COUNTING_S: Final = 2.0
"""For how long the rows are counted, at most, that are left out."""
_SHUT_IN: Final = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    # What does not fit into memory is not written to a disk either.
    "temp_directory": "",
    "max_temp_directory_size": "0B",
}


@attrs.frozen(eq=False, repr=False)
class Found:
    """What a query has found: names and DuckDB's types of its columns, its rows, and how many more there are.

    ``left_out`` is None where that was not counted in time, ``is_cut`` whether there are more.
    """

    names: Sequence[str]
    types: Sequence[str]
    rows: Sequence[tuple[Any, ...]]
    is_cut: bool
    left_out: int | None


class Engine:
    """One connection with the tables of some runs, for one query."""

    def __init__(self, sources: Sources, limits: Limits) -> None:
        self._limits = limits
        self._duckdb = duckdb_module()
        self._connection: duckdb.DuckDBPyConnection = self._duckdb.connect(
            ":memory:",
            config=_SHUT_IN
            | {"threads": str(limits.threads), "memory_limit": f"{max(1, limits.memory_bytes >> 20)}MiB"},
        )
        for table in TABLES.values():
            self._define(table, sources.get(table.name))
        self._run("set lock_configuration = true")

    def interrupt(self) -> None:
        """End what it does, from another thread."""
        self._connection.interrupt()

    def close(self) -> None:
        """Let go of everything."""
        self._connection.close()

    def find(self, statement: str) -> Found:
        """Run a statement that reads. Raises `QueryError` where it fails; an interrupt counts as its limit of time."""
        deadline = time.monotonic() + self._limits.seconds
        try:
            with _Alarm(self.interrupt, self._limits.seconds):
                self._connection.execute(statement)
                described: Sequence[Any] = self._connection.description or ()
                rows, is_cut = self._fetched()
        except self._duckdb.Error as error:
            raise self._said(error) from error
        except MemoryError as error:
            raise too_large(self._limits.memory_bytes) from error
        except RuntimeError as error:
            # What DuckDB makes of an interrupt of this process.
            raise (KeyboardInterrupt if "interrupted" in str(error) else error) from error
        names = [str(each[0]) for each in described]
        types = [str(each[1]) for each in described]
        left_out = self._left_out(statement, len(rows), deadline) if is_cut else 0
        return Found(names, types, rows, is_cut, left_out)

    def _fetched(self) -> tuple[Sequence[tuple[Any, ...]], bool]:
        limit = self._limits.rows
        if limit is None:
            return self._connection.fetchall(), False
        rows = self._connection.fetchmany(limit + 1)
        self._connection.abort()
        return rows[:limit], len(rows) > limit

    def _left_out(self, statement: str, shown: int, deadline: float) -> int | None:
        left_s = min(_COUNTING_S, deadline - time.monotonic())
        if left_s <= 0:
            return None
        try:
            with _Alarm(self.interrupt, left_s):
                count = self._connection.execute(f"select count(*) from (\n{statement}\n)").fetchone()
        except (self._duckdb.Error, MemoryError):
            return None
        return None if count is None else max(0, int(count[0]) - shown)

    def _define(self, table: Table, runs: Sequence[Columns] | None) -> None:
        """A table that the query does not name is there too, so that it can be described."""
        if runs is None:
            selected = [_nothing(table)]
        else:
            selected = []
            for number, columns in enumerate(runs, 1):
                name = f"{table.name} of run {number}"
                self._connection.register(name, dict(columns))
                selected.append(_of_run(table, name, number))
        self._run(f'create view "{table.name}" as {" union all ".join(selected)}')
        if table.has_times:
            self._run(f'create view "{table.for_people}" as select {_for_people(table)} from "{table.name}"')

    def _run(self, statement: str) -> None:
        self._connection.execute(statement).fetchall()

    def _said(self, error: Exception) -> QueryError:
        duckdb = self._duckdb
        if isinstance(error, duckdb.InterruptException):
            return too_long(self._limits.seconds)
        if isinstance(error, duckdb.OutOfMemoryException):
            return too_large(self._limits.memory_bytes)
        if isinstance(error, duckdb.PermissionException):
            return no_files()
        extended = named_of_extension(error)
        return wrong(message_of(error)) if extended is None else no_extensions(extended)


def _of_run(table: Table, source: str, number: int) -> str:
    return f'select {number}::INTEGER as "{RUN}", {", ".join(map(_typed, table.columns[1:]))} from "{source}"'


def _typed(column: Column) -> str:
    value = f'nullif("{column.name}", 0)' if column.zero_is_unknown else f'"{column.name}"'
    return f'{value}::{column.kind} as "{column.name}"'


def _nothing(table: Table) -> str:
    """What has the columns of a table, and fails when its rows are asked for: it must not seem to have none."""
    columns = [f'null::{each.kind} as "{each.name}"' for each in table.columns]
    return f"select {', '.join(columns)} from (select error('{UNREAD}') as unread) where unread is null"


def _for_people(table: Table) -> str:
    return ", ".join(
        f'"{each.name}" / {PS_PER_MS}.0::DOUBLE as "{in_milliseconds(each.name)}"'
        if each.name.endswith(PICOSECONDS)
        else f'"{each.name}"'
        for each in table.columns
    )


class _Alarm:
    """Calls a function once some time is over, unless the block is left before."""

    def __init__(self, ring: Any, seconds: float) -> None:  # noqa: ANN401 (a function)
        self._timer = threading.Timer(seconds, ring)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *raised: object) -> None:
        self._timer.cancel()
