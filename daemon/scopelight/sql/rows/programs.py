"""Compiled programs, as the view of them has them."""

from scopelight.analysis.options import NoOptions
from scopelight.analysis.programs.view import programs as view_of_programs
from scopelight.analysis.subject import Subject
from scopelight.sql.rows.records import fields_of, table_columns
from scopelight.sql.schema import Columns


def programs(subject: Subject) -> Columns:
    """Those that ran, and those that are only held."""
    rows = view_of_programs(subject, NoOptions()).rows
    return table_columns("programs", ({**fields_of(each), "run_count": each.runs} for each in rows))
