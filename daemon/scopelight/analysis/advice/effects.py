"""What came of earlier advice: what was promised, against what the run that follows measures."""

from collections.abc import Iterator, Sequence
from typing import Final

from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.advice.records import Advice, AdviceRecord
from scopelight.analysis.memory.plan.program_memory import ProgramMemory
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.waiting.launching import function_of_program
from scopelight.findings import Finding, note
from scopelight.formats.errors import FormatError
from scopelight.model.profile import Profile

_DONATION: Final = "missing-donation"


def effects_of_earlier(subject: Subject, now: AdviceRecord) -> tuple[Finding, ...]:
    """Of the run before what was advised there and is not any more; none where no run is before it.

    Where several are gone at once, the time that they save together is measured alone.
    """
    earlier = subject.earlier
    if earlier is None or now.step_ps is None:
        return ()
    try:
        if _target(earlier.profile) != _target(subject.profile):
            # What was measured tells nothing of how a prediction has changed, nor the other way round.
            return ()
        before = earlier.once("advice", (), lambda: advice_record(earlier))
        return tuple(_effects(earlier.profile, before, subject.profile, now))
    except FormatError:
        # It was deleted, or is damaged: what is known of this one stays.
        return ()


def _effects(before: Profile, advised: AdviceRecord, after: Profile, now: AdviceRecord) -> Iterator[Finding]:
    if advised.step_ps is None or now.step_ps is None:
        return
    still = {each.code for each in now.findings}
    gone = [each for each in advised.findings if each.code not in still and _promises(each)]
    timed = sum(each.saving_per_step_ps is not None for each in gone)
    for each in gone:
        of_memory = each.saving_per_step_ps is None
        peaks = _peaks(each, before, after) if of_memory else None
        yield note(
            "advice-effect",
            advice=each.code,
            promised_ps=each.saving_per_step_ps,
            measured_ps=None if of_memory else advised.step_ps - now.step_ps,
            promised_bytes=each.saving_bytes if of_memory else None,
            measured_bytes=None if peaks is None else peaks[0] - peaks[1],
            together=1 if of_memory else timed,
            path=each.path,
            line=each.line,
        )


def _target(profile: Profile) -> str | None:
    return None if profile.prediction is None else profile.prediction.target


def _promises(advice: Advice) -> bool:
    return bool(advice.saving_per_step_ps or advice.saving_bytes)


def _peaks(advice: Advice, before: Profile, after: Profile) -> Sequence[int] | None:
    """What the program of an advice on memory kept at its peak before, and after; None where that is not known."""
    if advice.code != _DONATION:
        return None
    function = str(advice.values.get("function", ""))
    peaks = [_peak(profile, function) for profile in (before, after)]
    known = [each for each in peaks if each is not None]
    return known if len(known) == len(peaks) else None


def _peak(profile: Profile, function: str) -> int | None:
    peaks = [
        ProgramMemory(each.load()).space(0).peak_bytes
        for each in profile.programs
        if function_of_program(each.name) == function
    ]
    return max(peaks, default=None)
