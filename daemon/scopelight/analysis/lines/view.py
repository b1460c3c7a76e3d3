"""The view of lines."""

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.options import NoOptions
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.subject import Subject


def lines(subject: Subject, options: NoOptions) -> LinesRecord:  # noqa: ARG001 (every view has them)
    """The lines that the op time went to."""
    return hot_lines(subject.profile, subject.line_options)
