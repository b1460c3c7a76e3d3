"""Advice: what all rules find in a run, largest saving first."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from scopelight.analysis.advice.observed import LEAST_STEPS, Observed, observe
from scopelight.analysis.advice.records import Advice, AdviceRecord
from scopelight.analysis.advice.rules.debug_settings import debug_settings
from scopelight.analysis.advice.rules.dispatch_bound import dispatch_bound
from scopelight.analysis.advice.rules.double_precision import double_precision
from scopelight.analysis.advice.rules.exposed_communication import exposed_communication
from scopelight.analysis.advice.rules.few_workers import few_workers
from scopelight.analysis.advice.rules.host_callback import host_callback
from scopelight.analysis.advice.rules.input_bound import input_bound
from scopelight.analysis.advice.rules.many_programs import many_programs
from scopelight.analysis.advice.rules.matrix_unit import low_matrix_unit_use
from scopelight.analysis.advice.rules.memory_near_capacity import memory_near_capacity, residuals_worth_checkpoint
from scopelight.analysis.advice.rules.missing_donation import missing_donation
from scopelight.analysis.advice.rules.padding import padding
from scopelight.analysis.advice.rules.periodic_stall import periodic_stall
from scopelight.analysis.advice.rules.recompilation import recompilation
from scopelight.analysis.advice.rules.sync_in_step import sync_in_step
from scopelight.analysis.advice.rules.transfers import transfers
from scopelight.analysis.advice.rules.unrolled_loop import unrolled_loop
from scopelight.analysis.missing_programs import nothing_ran, without_room
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.findings import Finding, empty, note

Rule = Callable[[Observed], Iterator[Advice]]
RULES: Final[Sequence[Rule]] = (
    input_bound,
    recompilation,
    sync_in_step,
    transfers,
    host_callback,
    many_programs,
    dispatch_bound,
    periodic_stall,
    exposed_communication,
    low_matrix_unit_use,
    padding,
    few_workers,
    double_precision,
    missing_donation,
    memory_near_capacity,
    residuals_worth_checkpoint,
    unrolled_loop,
    debug_settings,
)
"""Of equal savings the one of the rule that stands first here is said first."""
RULES_OF_PREDICTION: Final[Sequence[Rule]] = (
    padding,
    double_precision,
    missing_donation,
    memory_near_capacity,
    residuals_worth_checkpoint,
    unrolled_loop,
    debug_settings,
)
"""Those that rest on programs: nothing was idle, launched or reached a rate where nothing ran."""
MOST: Final = 7


def advice_record(subject: Subject) -> AdviceRecord:
    """What to do next in a run; of one that was predicted and does not fit, what would make it smaller."""
    if subject.profile.prediction is not None:
        from scopelight.analysis.memory.fit.view import what_would_fit  # noqa: PLC0415 (few runs are predicted)

        if fitting := what_would_fit(subject):
            return AdviceRecord(findings=fitting[:MOST], left_out=len(fitting[MOST:]))
    observed = observe(subject)
    if observed is None:
        return AdviceRecord(notes=(_why_none(subject),))
    is_predicted = subject.profile.prediction is not None
    # All steps of a prediction are alike.
    if observed.count < LEAST_STEPS and not is_predicted:
        why = empty("advice-few-steps", steps=observed.count, least=LEAST_STEPS)
        return AdviceRecord(notes=(why,), steps=observed.count, step_ps=observed.step_ps)
    rules = RULES_OF_PREDICTION if is_predicted else RULES
    found = sorted((each for rule in rules for each in rule(observed)), key=_by_saving)
    notes: list[Finding] = []
    if observed.count < len(observed.steps):
        notes.append(note("advice-of-steady-steps", steady=observed.count, steps=len(observed.steps)))
    if any(each.shares_cores for each in found):
        notes.append(note("advice-shares-cores"))
    if not observed.names_lines and found:
        notes.append(note("advice-lines-unknown"))
    return AdviceRecord(
        findings=tuple(found[:MOST]),
        notes=(*notes, *([] if found else [empty("advice-nothing-found", steps=observed.count)])),
        steps=observed.count,
        step_ps=observed.step_ps,
        left_out=len(found[MOST:]),
    )


def _by_saving(each: Advice) -> tuple[int, int]:
    return -(each.saving_per_step_ps or 0), -(each.saving_bytes or 0)


def _why_none(subject: Subject) -> Finding:
    profile = subject.profile
    if not len(profile.executions):
        return nothing_ran(profile)
    return (
        without_room(profile)
        or centre_of(profile, subject.line_options).steps.why_none
        or empty("advice-few-steps", steps=0, least=LEAST_STEPS)
    )
