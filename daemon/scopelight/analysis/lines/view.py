"""The view of lines."""

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.options import ScopeOptions
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.subject import Subject


def lines(subject: Subject, options: ScopeOptions) -> LinesRecord:
    """The lines that the time went to."""
    return hot_lines(subject.profile, subject.line_options, options.scope or subject.scope)
