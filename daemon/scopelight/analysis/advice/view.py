"""The view of advice."""

import attrs

from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.advice.effects import effects_of_earlier
from scopelight.analysis.advice.records import AdviceRecord
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject


def advice(subject: Subject, options: NoOptions) -> AdviceRecord:  # noqa: ARG001 (every view has them)
    """What would make a script faster or smaller, by how much at best, and where."""
    record = subject.once("advice", (), lambda: advice_record(subject))
    effects = subject.once("effects", (), lambda: effects_of_earlier(subject, record))
    return attrs.evolve(record, effects=effects)
