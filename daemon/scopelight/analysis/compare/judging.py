"""Verdicts: which changes of rows can be told from noise, and which could not have been seen."""

import math
from collections.abc import Mapping, Sequence

import attrs

from scopelight.analysis.compare.controls import Control, Controls
from scopelight.analysis.compare.entries import Rounds
from scopelight.analysis.compare.pairing import Pair
from scopelight.analysis.compare.records import JudgedBy, Verdict
from scopelight.analysis.compare.statistics import LEAST_ROUNDS, Evidence, evidence, moderated, significant

LEAST_CHANGE_RATIO = 0.03
"""Smaller changes of what is measured are no change, however sure they are: another build alone moves code as much."""
MOST_VISIBLE_RATIO = 0.2
"""Where only greater changes would have been seen, "no change" would say nothing."""
SINGLE_RUN_RATIO = 0.1
"""Of one run each, on an accelerator's own clock, smaller changes may be chance."""
LEAST_SHARE_RATIO = 0.005
"""Of the whole: less is not tested. Each further test makes it harder for the others to be told from chance."""
LIKE_SIZE = 4.0
"""Times as large, or as small, as a row others may be whose spreads say something of its own."""
FEWEST_LIKE = 2
_SAME_RATIO = 1e-3


@attrs.frozen(slots=True)
class Circumstances:
    """What the verdicts of a comparison may rest on.

    ``is_exact``: the rows are what programs say of themselves. ``is_on_cpu``: ops ran on the host's cores. ``rounds``
    are as many runs as each side has, ``in_turn`` whether they were made in rounds of one of each: else what happened
    to the machine in between looks like a change. ``controls``: machine, versions and devices are the same, so that
    rows whose code is unchanged tell what happened to all.
    """

    rounds: int
    in_turn: bool
    is_exact: bool
    is_on_cpu: bool
    controls: bool

    def has_rounds(self, by: JudgedBy) -> bool:
        """Whether the runs of each side are evidence of what is judged so."""
        return self.rounds >= LEAST_ROUNDS and (self.in_turn or by == "device-time")


@attrs.frozen(slots=True)
class Judgement:
    """A verdict and what it rests on; ratios are of what it was before."""

    verdict: Verdict
    judged_by: JudgedBy
    change_ratio: float | None = None
    interval: tuple[float, float] | None = None
    visible_ratio: float | None = None
    before_ps: float | None = None
    controlled: bool = False


@attrs.frozen(eq=False)
class _Judged:
    """A row that is on both sides, by round, in what it is judged by."""

    pair: Pair
    by: JudgedBy
    before: Sequence[float]
    after: Sequence[float]

    @property
    def weight(self) -> float:
        return math.fsum(self.before) / len(self.before)

    @property
    def is_always_there(self) -> bool:
        """Whether it is something in every round."""
        return all(each > 0 for each in (*self.before, *self.after))

    @property
    def as_control(self) -> Control:
        """What it says of the machine, where it should not have changed."""
        return Control(
            self, self.by, self.weight, *([math.log(each) for each in side] for side in (self.before, self.after))
        )


def judge(pairs: Sequence[Pair], of: Circumstances) -> list[Judgement]:
    """A verdict for each pair, in their order."""
    found: list[Judgement | None] = [None] * len(pairs)
    judged: dict[int, _Judged] = {}
    for number, pair in enumerate(pairs):
        if pair.before is None or pair.after is None:
            by = judged_by(pair.before or pair.after, of)
            found[number] = Judgement("only-after" if pair.before is None else "only-before", by)
        else:
            judged[number] = _judged(pair, of)
    for number, judgement in zip(judged, _judge_both(list(judged.values()), of), strict=True):
        found[number] = judgement
    return [each for each in found if each is not None]


def judge_whole(before: Sequence[float], after: Sequence[float], by: JudgedBy, of: Circumstances) -> Judgement:
    """The verdict on one quantity by itself, by round."""
    whole = _Judged(Pair(None, None, None), by, before, after)
    found = evidence(before, after) if of.has_rounds(by) else None
    return _told(whole, of.rounds, found, is_significant=None)


def judged_by(row: Rounds | None, of: Circumstances, other: Rounds | None = None) -> JudgedBy:
    """What the change of a row is judged by."""
    if of.is_exact:
        return "exact"
    rows = [each for each in (row, other) if each is not None]
    waits = any(math.fsum(each.values("waiting_ps")) > math.fsum(each.values("time_ps")) / 2 for each in rows)
    if waits:
        return "wall-clock"
    if not of.is_on_cpu:
        return "device-time"
    return "cpu-time" if all(each.knows("cpu_ps") for each in rows) else "wall-clock"


def _judged(pair: Pair, of: Circumstances) -> _Judged:
    assert pair.before is not None and pair.after is not None
    by = judged_by(pair.before, of, pair.after)
    has_bytes = pair.after.bytes is not None
    name = "bytes" if has_bytes else "cpu_ps" if by == "cpu-time" else "time_ps"
    return _Judged(pair, by, pair.before.values(name), pair.after.values(name))


def _judge_both(rows: Sequence[_Judged], of: Circumstances) -> list[Judgement]:
    if of.is_exact or of.rounds < LEAST_ROUNDS:
        return [_told(row, of.rounds, None, is_significant=None) for row in rows]
    whole = math.fsum(row.weight for row in rows)
    controls = Controls([row.as_control for row in rows if of.controls and _is_control(row, whole)], whole)
    tested: dict[int, tuple[Evidence, bool]] = {}
    for number, row in enumerate(rows):
        if row.weight >= whole * LEAST_SHARE_RATIO and of.has_rounds(row.by):
            control = controls.beside(row, row.by)
            found = evidence(row.before, row.after, control)
            if found is not None:
                tested[number] = found, control is not None
    tested = {number: (_leaning(number, rows, tested), tested[number][1]) for number in tested}
    told = significant([found.p_ratio for found, _ in tested.values()])
    is_significant = dict(zip(tested, told, strict=True))
    return [
        _told(
            row,
            of.rounds,
            found=tested[number][0] if number in tested else None,
            is_significant=is_significant.get(number),
            controlled=number in tested and tested[number][1],
        )
        for number, row in enumerate(rows)
    ]


def _leaning(number: int, rows: Sequence[_Judged], tested: Mapping[int, tuple[Evidence, bool]]) -> Evidence:
    """The evidence of a row with what rows of about its size tell of spreads: smaller ones have larger ones."""
    own = rows[number]
    others = [
        found
        for other, (found, _) in tested.items()
        if other != number
        and rows[other].by == own.by
        and 1 / LIKE_SIZE <= rows[other].weight / own.weight <= LIKE_SIZE
    ]
    return moderated(tested[number][0], others if len(others) >= FEWEST_LIKE else ())


def _told(
    row: _Judged, rounds: int, found: Evidence | None, is_significant: bool | None, *, controlled: bool = False
) -> Judgement:
    before, after = math.fsum(row.before) / len(row.before), math.fsum(row.after) / len(row.after)
    ratio = after / before - 1 if before else None
    if row.by == "exact":
        return Judgement(_exactly(row), row.by, ratio, before_ps=before)
    if rounds < LEAST_ROUNDS and row.by == "device-time" and ratio is not None:
        verdict: Verdict = "same" if abs(ratio) < SINGLE_RUN_RATIO else "worse" if ratio > 0 else "better"
        return Judgement(verdict, row.by, ratio, visible_ratio=SINGLE_RUN_RATIO, before_ps=before)
    if found is None:
        return Judgement("cannot-tell", row.by, ratio, before_ps=before)
    change = math.expm1(found.change)
    visible = max(found.visible_ratio, LEAST_CHANGE_RATIO)
    sure = is_significant if is_significant is not None else significant([found.p_ratio])[0]
    if sure and abs(change) >= LEAST_CHANGE_RATIO:
        verdict = "worse" if change > 0 else "better"
    else:
        verdict = "same" if visible <= MOST_VISIBLE_RATIO else "cannot-tell"
    return Judgement(verdict, row.by, change, found.interval, visible, before, controlled)


def _exactly(row: _Judged) -> Verdict:
    """What rounds say that agree; where those of one side differ, as many sides of a border tell nothing."""
    if max(row.before) == min(row.before) == max(row.after) == min(row.after):
        return "same"
    if max(row.before) < min(row.after):
        return "worse"
    return "better" if min(row.before) > max(row.after) else "cannot-tell"


def _is_control(row: _Judged, whole: float) -> bool:
    """Whether a row should not have changed: its code, and what it computes, are as they were."""
    before, after = row.pair.before, row.pair.after
    if before is None or after is None or row.pair.by in ("place", "function"):
        return False
    if row.weight < whole * LEAST_SHARE_RATIO or not row.is_always_there:
        return False
    return all(_alike(before.mean(name), after.mean(name)) for name in ("flops", "executions"))


def _alike(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return before is after
    return math.isclose(before, after, rel_tol=_SAME_RATIO)
