"""Few workers: what makes the data ahead of the steps does not keep up, and more of it would."""

from collections.abc import Iterator
from typing import Final

import attrs

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.rules.input_bound import CODE as INPUT_BOUND
from scopelight.analysis.advice.rules.input_bound import input_bound
from scopelight.findings import show_view

_CAUSES: Final = frozenset(
    (
        "input-torch-in-the-loop",
        "input-torch",
        "input-torch-busy",
        "input-grain",
        "input-grain-processes",
        "input-grain-processes-busy",
        "input-fillers",
        "input-pool",
        "input-pool-busy",
        "input-pool-cores",
    )
)
"""Findings on the input whose remedy is more workers: where no core is free, or they sleep, others are said."""


def few_workers(observed: Observed) -> Iterator[Advice]:
    """With as many workers as it takes the input keeps up: at best the steps wait for it no more."""
    bound = next(input_bound(observed), None)
    if bound is None:
        return
    record = observed.input
    cause = next((each for each in record.findings if each.code in _CAUSES), None)
    if cause is None:
        return
    operation = next((each for each in record.operations if each.key == record.suspected), None)
    frame = None
    if operation is not None and operation.path is not None and operation.line is not None:
        frame = observed.frame_at(operation.path, operation.line)
    advised = observed.advice(
        "few-workers",
        frame or (observed.frame_at(bound.path, bound.line) if bound.path and bound.line else None),
        saving_ps=bound.saving_per_step_ps,
        basis="waiting",
        confidence="medium",
        evidence=bound.evidence,
        action=show_view("input"),
        within=INPUT_BOUND,
    )
    yield attrs.evolve(advised, values={"cause": cause.code, **cause.values})
