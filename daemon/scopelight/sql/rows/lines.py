"""Lines, as the view of them has them."""

from scopelight.analysis.lines.view import lines as view_of_lines
from scopelight.analysis.options import ScopeOptions
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.subject import Subject
from scopelight.sql.rows.records import fields_of, table_columns
from scopelight.sql.schema import Columns


def lines_record(subject: Subject) -> LinesRecord:
    """The record of the view, which the tables of lines and steps share."""
    return subject.once("sql lines record", (), lambda: view_of_lines(subject, ScopeOptions()))


def lines(subject: Subject) -> Columns:
    """Every line that ops or waiting are on, or that called one."""
    return table_columns("lines", map(fields_of, lines_record(subject).lines))
