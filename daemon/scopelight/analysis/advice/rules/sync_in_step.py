"""Sync in the step: the host reads a result in every step, and prepares nothing while it waits for it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.rules.holding import holding_syncs
from scopelight.analysis.records import FramePlace
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.waiting.syncs import at_best_without
from scopelight.findings import Action

_LEAST_PER_STEP: Final = 0.8
"""A wait in every tenth step is none in each."""
_LEAST_EXPOSED: Final = 0.05
"""Of the wall clock."""


def sync_in_step(observed: Observed) -> Iterator[Advice]:
    """Without the waits a step takes as long as the host's own work, or the device's where that is more."""
    syncs = {
        key: each for key, each in holding_syncs(observed).items() if each.waits >= _LEAST_PER_STEP * observed.count
    }
    if not syncs:
        return
    exposed_ps = dict.fromkeys(syncs, 0)
    then_ps: dict[LineKey, int] = {}
    for at, line in observed.waiting.lines.items():
        for key, part_ps in line.exposed_ps.items():
            if key in exposed_ps:
                exposed_ps[key] += part_ps
                then_ps[at] = then_ps.get(at, 0) + part_ps
    at_best_ps = at_best_without(observed.steady.pieces.waits, observed.busy, observed.steady_steps)
    saving_ps = observed.step_ps - at_best_ps
    whole_ps = sum(exposed_ps.values())
    if whole_ps < _LEAST_EXPOSED * observed.wall_ps or saving_ps < _LEAST_EXPOSED * observed.step_ps:
        return
    first, *others = sorted(syncs, key=lambda key: (-exposed_ps[key], key))
    place = _most_of_it(observed, syncs, then_ps)
    yield observed.advice(
        "sync-in-step",
        syncs[first].frame,
        saving_ps=saving_ps,
        basis="overlap",
        confidence="medium",
        evidence=[observed.centre.line_key(syncs[key].frame) for key in others],
        action=Action("read-every-steps"),
        waits_per_step=sum(each.waits for each in syncs.values()) / observed.count,
        exposed_ps=round(whole_ps / observed.parts),
        step_ps=observed.step_ps,
        at_best_step_ps=at_best_ps,
        file=None if place is None else place.path,
        line=None if place is None else place.line,
    )


def _most_of_it(observed: Observed, syncs: Collection[LineKey], then_ps: Mapping[LineKey, int]) -> FramePlace | None:
    """The other line on which the host does most of what it does then; None where it reads most of the time, or no
    line has most."""
    longest = max(then_ps, key=lambda key: (then_ps[key], key))
    if longest in syncs or 2 * then_ps[longest] <= sum(then_ps.values()) or not observed.names_lines:
        return None
    return observed.centre.frames.place(observed.waiting.lines[longest].frame)
