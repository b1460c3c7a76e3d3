"""What a comparison's sides are, in what they differ beside their code, and what they are evidence of."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from scopelight.analysis.compare.judging import Circumstances
from scopelight.analysis.compare.quantities import figures_of
from scopelight.analysis.compare.records import ComparedSide
from scopelight.analysis.compare.statistics import LEAST_ROUNDS
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.findings import Finding, each_once, note, warning
from scopelight.model.devices.names import full_name
from scopelight.model.run.information import RunInformation

_SHORT = 8
"""Digits of a commit that tell it from others."""


def circumstances(before: Sequence[Subject], after: Sequence[Subject], *, is_static: bool) -> Circumstances:
    """What verdicts may rest on. ``is_static``: what is compared is the compiler's own plan."""
    everything = (*before, *after)
    is_predicted = all(each.profile.prediction is not None for each in everything)
    kinds = {device.kind for each in everything for device in each.profile.executions.devices}
    return Circumstances(
        rounds=min(len(before), len(after)),
        in_turn=_in_turn(before, after),
        is_exact=is_static or is_predicted,
        is_on_cpu="cpu" in kinds,
        controls=not any(_differing(before[0], after[0])),
    )


def side_of(subjects: Sequence[Subject]) -> ComparedSide:
    """One side in words that a program gave."""
    first = subjects[0]
    capture = first.profile.capture
    devices = first.profile.executions.devices
    return ComparedSide(
        name=first.path.name,
        runs=tuple(str(each.path) for each in subjects),
        revision=_revision(capture),
        script=capture.script if capture is not None else None,
        devices=len(devices),
        device=_device(first),
        jax=capture.versions.get("jax") if capture is not None else None,
        step_durations_ps=tuple(
            tuple(centre_of(each.profile, each.line_options).steps.duration_ps.tolist()) for each in subjects
        ),
    )


def findings_of(
    before: Sequence[Subject],
    after: Sequence[Subject],
    of: Circumstances,
    *,
    has_steps: bool,
    given: tuple[int, int] | None = None,
) -> Iterator[Finding]:
    """What is to be known of a comparison before its figures; ``given`` runs there were of each side, if others."""
    yield from each_once(
        finding
        for subject in (*before, *after)
        for finding in subject.profile.findings
        if finding.severity in ("warning", "error")
    )
    if [each.path.resolve() for each in before] == [each.path.resolve() for each in after]:
        yield warning("compared-with-itself")
    yield from _differing(before[0], after[0])
    for name, side in (("before", before), ("after", after)):
        if _is_mixed(side):
            yield warning("compared-mixed-runs", side=name, runs=len(side))
    if not has_steps:
        yield warning("compared-without-steps")
    if given is not None and given[0] != given[1]:
        yield warning("compared-uneven-rounds", before=given[0], after=given[1], rounds=of.rounds)
    if of.is_exact:
        return
    if of.rounds < LEAST_ROUNDS:
        yield note("compared-one-run-each", on_cpu=of.is_on_cpu)
    elif not of.in_turn:
        yield warning("compared-out-of-turn", rounds=of.rounds)
    else:
        yield note("compared-in-rounds", rounds=of.rounds)


def _differing(before: Subject, after: Subject) -> Iterator[Finding]:
    """In what two runs differ, so that no part of them should have stayed as it was."""
    if (before.profile.prediction is None) != (after.profile.prediction is None):
        yield warning("compared-with-prediction", before=before.profile.prediction is not None)
    devices = [_device(each) for each in (before, after)]
    counts = [len(each.profile.executions.devices) for each in (before, after)]
    if devices[0] != devices[1] or counts[0] != counts[1]:
        yield warning(
            "compared-unlike-devices",
            before=devices[0],
            after=devices[1],
            before_devices=counts[0],
            after_devices=counts[1],
        )
    one, other = before.profile.capture, after.profile.capture
    if one is None or other is None:
        return
    if changes := _changed(one.versions, other.versions):
        yield warning("compared-unlike-versions", changes=changes)
    if changes := _changed(one.environment, other.environment):
        yield warning("compared-unlike-environment", changes=changes)
    if changes := _changed(one.jax_options, other.jax_options):
        yield warning("compared-unlike-options", changes=changes)
    if one.args != other.args:
        yield warning("compared-unlike-arguments", before=one.args, after=other.args)
    if one.script != other.script:
        yield warning("compared-unlike-scripts", before=one.script, after=other.script)


def _is_mixed(side: Sequence[Subject]) -> bool:
    """Whether runs of a side are of other code: what programs say of themselves is the same in all rounds of one."""
    figures = [figures_of(each) for each in side]
    return any(len({each.get(name) for each in figures}) > 1 for name in ("flops", "bytes"))


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """``jax 0.10.2 → 0.12.0.1``, of each name that has another value."""
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return tuple(f"{name} {before.get(name, '-')} \N{RIGHTWARDS ARROW} {after.get(name, '-')}" for name in names)


def _in_turn(before: Sequence[Subject], after: Sequence[Subject]) -> bool:
    """Whether the runs of each round followed on each other, before any of the next round."""
    if min(len(before), len(after)) < LEAST_ROUNDS:
        return False
    rounds = [
        [each.profile.capture.created if each.profile.capture is not None else None for each in pair]
        for pair in zip(before, after, strict=False)
    ]
    times = [sorted(each for each in pair if each is not None) for pair in rounds]
    if any(len(each) < 2 for each in times):
        return False
    return all(earlier[1] < later[0] for earlier, later in pairwise(times))


def _device(subject: Subject) -> str:
    profile = subject.profile
    if profile.prediction is not None:
        return profile.prediction.device
    devices = profile.executions.devices
    return full_name(devices[0], profile.capture) if devices else ""


def _revision(capture: RunInformation | None) -> str | None:
    if capture is None or capture.git is None:
        return None
    return capture.git.commit[:_SHORT] + ("*" if capture.git.dirty else "")
