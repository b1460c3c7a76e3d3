"""Complete steps: their wall clock, and what the step trace says of them."""

from scopelight.analysis.step_trace.options import StepTraceOptions
from scopelight.analysis.step_trace.view import step_trace
from scopelight.analysis.subject import Subject
from scopelight.sql.rows.lines import lines_record
from scopelight.sql.rows.records import fields_of, table_columns
from scopelight.sql.schema import Columns


def steps(subject: Subject) -> Columns:
    """Rows of the step trace, with start, duration and wall clock of the steps themselves."""
    trace = {each.number: each for each in step_trace(subject, StepTraceOptions()).rows}
    rows = [
        {**(fields_of(trace[number]) if number in trace else {}), **fields_of(each), "step": number}
        for number, each in enumerate(lines_record(subject).steps, 1)
    ]
    return table_columns("steps", rows)
