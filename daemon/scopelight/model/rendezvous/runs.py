"""Runs of one program that belong together: what all devices ran at once, whatever each calls it."""

from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Int32, Int64, UInt64

MOST_SHIFT = 64
"""By how many runs the recording of one host may have begun later than that of another."""
LIKELY_RATIO = 3.0
"""The right shift agrees 7 to 300 times better than its neighbours, unless the steps are alike."""
COUNTED_ID = 1 << 20
"""Ids beyond it are no counts of a device's runs but begin at a hash: two hosts have the same one by no chance."""
_UNKNOWN = (0, -1)
"""The run id, and the number of a step, of a run that has none."""
LEAST_COMMON_RATIO = 0.5
"""Of the ids of the device that has fewer runs, how many another must share for the ids to be those of all devices."""


@attrs.frozen(eq=False, repr=False)
class RunColumns:
    """Columns of equal length, one row per run of a program on a device, in any order.

    ``program`` tells programs apart that are the same on all devices, ``run_id`` is what the profiler recorded (0:
    nothing), ``step`` the number of the annotated step that it began in (-1: none). Clocks are those of the hosts.
    """

    program: Int64
    device: Int32
    run_id: UInt64
    start_ps: Int64
    end_ps: Int64
    step: Int64


def matched_runs(runs: RunColumns, host_of_device: Int32) -> Int64:
    """By run a number that is the same for all runs that devices made of one program at once, counted from 0.

    Runs of one host are told by when they ran; those of two by their recorded ids where these cannot be equal by
    chance, else by the shift at which the ends of the runs agree best, whatever the clocks say. Steps that are all
    alike cannot be told from each other so: then the ids decide, then the annotated steps, then the smallest offset.
    """
    found = np.full(len(runs.program), -1, dtype=np.int64)
    count = 0
    for rows in _by(runs.program, np.arange(len(runs.program))):
        number = _of_program(runs, rows, host_of_device)
        found[rows] = number + count
        count += int(number.max()) + 1
    return found


def _by(values: Int64 | Int32, rows: Int64) -> Iterator[Int64]:
    order = np.argsort(values[rows], kind="stable")
    borders = np.flatnonzero(np.diff(values[rows][order])) + 1
    yield from (part for part in np.split(rows[order], borders) if len(part))


def _of_program(runs: RunColumns, rows: Int64, host_of_device: Int32) -> Int64:
    place = np.full(len(rows), -1, dtype=np.int64)
    position = {row: at for at, row in enumerate(rows.tolist())}
    hosts: list[tuple[_Sequence, list[tuple[Int64, int]]]] = []
    for of_host in _by(host_of_device[runs.device], rows):
        of_devices = [each[np.argsort(runs.start_ps[each], kind="stable")] for each in _by(runs.device, of_host)]
        hosts.append(_one_host(runs, of_devices))
    reference = max(range(len(hosts)), key=lambda each: (len(hosts[each][0].end_ps), -each))
    for number, (sequence, members) in enumerate(hosts):
        shift = 0 if number == reference else _shift_between(hosts[reference][0], sequence)
        for of_device, own in members:
            at = np.array([position[row] for row in of_device.tolist()], dtype=np.int64)
            place[at] = np.arange(len(of_device)) + own + shift
    first = int(place.min())
    return place - first


@attrs.frozen(eq=False, repr=False)
class _Sequence:
    """The runs of a program on a host, in their order."""

    run_id: UInt64
    start_ps: Int64
    end_ps: Int64
    step: Int64


def _one_host(runs: RunColumns, of_devices: Sequence[Int64]) -> tuple[_Sequence, list[tuple[Int64, int]]]:
    """The runs of a host by the device that has most of them, and by how many those of each device come later."""
    first = max(of_devices, key=len)
    base = _sequence(runs, first)
    members = []
    for each in of_devices:
        sequence = _sequence(runs, each)
        # One clock: what ran at the same time belongs together.
        shift = _least_apart(base, sequence)
        members.append((each, shift))
    return base, members


def _sequence(runs: RunColumns, rows: Int64) -> _Sequence:
    return _Sequence(runs.run_id[rows], runs.start_ps[rows], runs.end_ps[rows], runs.step[rows])


def _least_apart(base: _Sequence, other: _Sequence) -> int:
    shifts = _shifts(len(base.end_ps), len(other.end_ps))
    return min(shifts, key=lambda shift: (abs(_apart_ps(base, other, shift)), abs(shift)))


def _shift_between(base: _Sequence, other: _Sequence) -> int:
    """How many places the runs of another host come later in the reference's."""
    shifts = _shifts(len(base.end_ps), len(other.end_ps))
    spread = {shift: _spread_ps(base, other, shift) for shift in shifts}
    best = min(spread.values())
    likely = [shift for shift in shifts if spread[shift] <= LIKELY_RATIO * best]
    ids, others = base.run_id.view(np.int64), other.run_id.view(np.int64)
    by_id = _shift_of(ids, others)
    if by_id is not None and (by_id in likely or np.median(np.abs(ids)) > COUNTED_ID):
        return by_id
    by_step = _shift_of(base.step, other.step)
    if by_step in likely:
        return by_step
    return min(likely, key=lambda shift: (abs(_apart_ps(base, other, shift)), abs(shift)))


def _shifts(base: int, other: int) -> range:
    """Those at which most of the shorter recording has something to agree with."""
    least = max(1, (3 * min(base, other) + 4) // 5)
    return range(max(least - other, -MOST_SHIFT), min(base - least, MOST_SHIFT) + 1)


def _pairs(base: Int64, other: Int64, shift: int) -> tuple[Int64, Int64]:
    first, last = max(0, shift), min(len(base), len(other) + shift)
    return base[first:last], other[first - shift : last - shift]


def _apart_ps(base: _Sequence, other: _Sequence, shift: int) -> float:
    ends_ps, others_ps = _pairs(base.end_ps, other.end_ps, shift)
    return float(np.median(others_ps - ends_ps))


def _spread_ps(base: _Sequence, other: _Sequence, shift: int) -> float:
    """How little the ends agree: what three quarters of their differences are within, around the median.

    Of the few runs of a short window half may agree by chance.
    """
    ends_ps, others_ps = _pairs(base.end_ps, other.end_ps, shift)
    apart_ps = (others_ps - ends_ps).astype(np.float64)
    return float(np.quantile(np.abs(apart_ps - np.median(apart_ps)), 0.75, method="higher"))


def _shift_of(base: Int64, other: Int64) -> int | None:
    """The shift that equal ids say, where most are found again and agree on it."""
    common, in_base, in_other = np.intersect1d(base, other, return_indices=True)
    is_known = ~np.isin(common, _UNKNOWN)
    apart = (in_base - in_other)[is_known]
    if len(apart) < LEAST_COMMON_RATIO * min(len(base), len(other)) or not len(apart):
        return None
    shift = int(np.median(apart))
    return shift if np.count_nonzero(apart == shift) > len(apart) / 2 else None
