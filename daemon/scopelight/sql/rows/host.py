"""What was read of the host while the script ran."""

from itertools import pairwise

from scopelight.analysis.host.resources.view import resources
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.sql.rows.records import fields_of, table_columns
from scopelight.sql.schema import Columns


def host_samples(subject: Subject) -> Columns:
    """The series of the view of resources, one row for each stretch of each."""
    record = resources(subject, NoOptions())
    rows = (
        {**fields_of(series), "start_ps": start_ps, "end_ps": end_ps, "mean_value": value}
        for series in record.series
        for (start_ps, end_ps), value in zip(pairwise(record.edges_ps), series.values, strict=False)
    )
    return table_columns("host_samples", rows)
