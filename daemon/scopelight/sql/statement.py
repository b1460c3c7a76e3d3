"""What a query is before it runs: one statement that reads, and the tables that it names."""

import importlib
import importlib.util
import re
from collections.abc import Collection
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from scopelight.sql.errors import empty, missing, refused, several, wrong
from scopelight.sql.messages import message_of
from scopelight.sql.schema import MILLISECONDS
from scopelight.sql.tables import TABLES

if TYPE_CHECKING:
    import duckdb

_READING: Final = ("SELECT", "EXPLAIN")
_SPREADING: Final = re.compile(r"(?:pivot|select|with|from)\b", re.IGNORECASE)
"""How a statement begins that DuckDB makes several of, first of all to find out which columns its answer has."""
_BEFORE_FIRST_WORD: Final = re.compile(r"(?:\s|--[^\n]*\n?|/\*.*?\*/|\()*", re.DOTALL)
_WORD: Final = re.compile(r"\w+")


def duckdb_module() -> ModuleType:
    """DuckDB, imported when a query is asked. Raises `QueryError` where it is not installed."""
    try:
        import duckdb  # noqa: PLC0415 (it takes a tenth of a second to import, and few ask in SQL)
    except ImportError as error:
        # It may be installed while this process lasts, which keeps lists of what is there.
        importlib.invalidate_caches()
        raise missing() from error
    return duckdb


def is_installed() -> bool:
    """Whether DuckDB is there, which is not imported for it."""
    importlib.invalidate_caches()
    try:
        return importlib.util.find_spec("duckdb") is not None
    except ValueError:
        return False


def parser() -> "duckdb.DuckDBPyConnection":
    """What parses, without tables and threads of its own."""
    connection: duckdb.DuckDBPyConnection = duckdb_module().connect(
        ":memory:", config={"threads": "1", "enable_external_access": "false", "python_enable_replacements": "false"}
    )
    return connection


def checked(connection: "duckdb.DuckDBPyConnection", text: str) -> str:
    """The one statement of ``text``, without what follows it. Raises `QueryError` where it does not read."""
    # Arguments of a command line may hold halves of characters.
    text = text.encode(errors="replace").decode()
    found = _first_word(text)
    try:
        statements: list[Any] = connection.extract_statements(text)
    except duckdb_module().Error as error:
        raise wrong(message_of(error)) from error
    if not statements:
        raise empty()
    if len(statements) > 1:
        raise several()
    try:
        kind = statements[0].type.name
    except ValueError as error:
        # A kind of statement that DuckDB's own Python has no name for.
        raise refused(found) from error
    is_spread = kind == "MULTI" and _SPREADING.match(text, _beginning(text)) is not None
    if kind not in _READING and not is_spread:
        raise refused(found)
    statement: str = statements[0].query
    return statement.strip().rstrip(";")


def tables_named(connection: "duckdb.DuckDBPyConnection", statement: str) -> Collection[str]:
    """The names of tables in a statement, of those that there are.

    Where DuckDB cannot tell without knowing their columns, every name that occurs in the text.
    """
    try:
        names = {each.lower() for each in connection.get_table_names(statement)}
    except duckdb_module().Error:
        names = set()
    return _known(names) or words_that_are_tables(statement)


def words_that_are_tables(statement: str) -> Collection[str]:
    """Every name of a table that occurs in the text, whatever it means there."""
    return _known({each.lower() for each in _WORD.findall(statement)})


def _known(names: Collection[str]) -> Collection[str]:
    return {
        table.name for table in TABLES.values() if not {table.name, f"{table.name}{MILLISECONDS}"}.isdisjoint(names)
    }


def _beginning(text: str) -> int:
    found = _BEFORE_FIRST_WORD.match(text)
    return found.end() if found is not None else 0


def _first_word(text: str) -> str:
    word = _WORD.match(text, _beginning(text))
    return word.group().upper() if word is not None else "This"
