"""The view of advice."""

from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.advice.records import AdviceRecord
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject


def advice(subject: Subject, options: NoOptions) -> AdviceRecord:  # noqa: ARG001 (every view has them)
    """What would make a script faster or smaller, by how much at best, and where."""
    return subject.once("advice", (), lambda: advice_record(subject))
