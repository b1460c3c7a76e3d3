"""The schema: every column with a sentence and its unit, and what is made agrees with it."""

from pathlib import Path

import numpy as np
import pytest

from made.predictions import SCAN
from scopelight.sql.described import schema_tables
from scopelight.sql.errors import QueryError
from scopelight.sql.schema import RUN
from scopelight.sql.tables import TABLES
from scopelight.views.opening import open_subject

UNITS = ("_ps", "_bytes", "_ratio", "_flops")
WITHOUT_UNIT = {
    *("run", "line", "step", "op_id", "device_id", "lane_id", "gap_id", "ordinal", "variant", "variants", "pid"),
    *("executions", "instructions", "run_count", "device_count", "host_count", "step_count", "memory_space"),
    *("first_position", "end_position"),
    # Its unit is in the name of the quantity.
    "mean_value",
}
"""Numbers that count or name something."""
WHOLE_NAMES = {"flops", "bytes"}


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_every_column_has_a_sentence_and_its_unit_in_its_name(table):
    assert table.columns[0].name == RUN
    assert table.sentence.endswith(".")
    names = [each.name for each in table.columns]
    assert len(set(names)) == len(names)
    for column in table.columns:
        assert column.sentence.endswith(".") or column.sentence.endswith("..."), column.name
        assert len(column.sentence) <= 120
        is_number = column.kind in ("INTEGER", "BIGINT", "DOUBLE")
        has_unit = column.name.endswith(UNITS) or column.name in WHOLE_NAMES
        assert has_unit == (is_number and column.name not in WITHOUT_UNIT), column.name
        assert (column.kind == "BOOLEAN") == column.name.startswith(("is_", "has_")), column.name


def test_no_column_is_called_as_a_table_is():
    """Where DuckDB cannot say which tables a query names, every word of it counts."""
    columns = {column.name for table in TABLES.values() for column in table.columns}
    assert columns & TABLES.keys() == {"executions"}


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_what_is_made_has_the_columns_of_the_schema(table):
    made = table.make(open_subject(SCAN, Path.cwd()))
    assert [*made] == [each.name for each in table.columns[1:]]
    assert len({len(each) for each in made.values()}) == 1
    for column in table.columns[1:]:
        kind = made[column.name].dtype.kind
        assert kind == {"INTEGER": "i", "BIGINT": "i", "DOUBLE": "f", "VARCHAR": "O", "BOOLEAN": "b"}[column.kind]


def test_the_columns_of_executions_are_not_copied():
    subject = open_subject(SCAN, Path.cwd())
    made, executions = TABLES["executions"].make(subject), subject.profile.executions
    for name in ("start_ps", "duration_ps", "self_ps"):
        assert np.shares_memory(made[name], getattr(executions, name))
    assert np.shares_memory(made["device_id"], executions.device)


def test_tables_are_described_by_their_names():
    assert [each.name for each in schema_tables()] == [*TABLES]
    (steps,) = schema_tables(["steps"])
    assert steps.for_people == "steps_ms"
    with pytest.raises(QueryError, match="There is no table nope; there are runs, steps"):
        schema_tables(["nope"])
