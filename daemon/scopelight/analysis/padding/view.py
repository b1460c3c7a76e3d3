"""The view of padding."""

from scopelight.analysis.padding.options import PaddingOptions
from scopelight.analysis.padding.padding import padding as padding_record
from scopelight.analysis.padding.records import PaddingRecord
from scopelight.analysis.subject import Subject


def padding(subject: Subject, options: PaddingOptions) -> PaddingRecord:
    """Every padded array and product. Raises `OptionError` where there is no such target."""
    target = subject.target_named(options.target)
    return padding_record(subject.profile, subject.line_options, target, options.scope or subject.scope)
