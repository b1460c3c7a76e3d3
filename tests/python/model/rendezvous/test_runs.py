"""Which runs belong together: by ids where these are everybody's, else by when they ran and how their ends agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.rendezvous.runs import RunColumns, matched_runs

MS_PS = 10**9
HASHED = 3_000_000_000


def runs_of(devices, *, program=None):
    """From rows of (device, end_ps, run id, step) in any order; each took 5 ms."""
    device, end_ps, run_id, step = (np.array(column) for column in zip(*devices, strict=True))
    programs = np.zeros(len(device), dtype=np.int64) if program is None else np.array(program, dtype=np.int64)
    columns = device.astype(np.int32), run_id.astype(np.uint64), end_ps - 5 * MS_PS, end_ps, step
    return RunColumns(programs, *columns)


def of_devices(runs, numbers):
    """By device the numbers of its runs in their order."""
    return [
        numbers[runs.device == each][np.argsort(runs.end_ps[runs.device == each])].tolist()
        for each in np.unique(runs.device).tolist()
    ]


def irregular_ends(count, seed=3):
    return np.cumsum(np.random.default_rng(seed).integers(40 * MS_PS, 60 * MS_PS, count))


def test_runs_with_one_id_are_one():
    ends_ps = irregular_ends(6)
    rows = [(device, int(end), HASHED + run, -1) for device in range(3) for run, end in enumerate(ends_ps)]
    runs = runs_of(rows[::-1])
    assert of_devices(runs, matched_runs(runs, np.array([0, 1, 2]))) == [[0, 1, 2, 3, 4, 5]] * 3


def test_devices_of_a_host_that_count_for_themselves_are_told_by_when_they_ran():
    ends_ps = irregular_ends(3)
    rows = [(0, int(end), 3 + run, -1) for run, end in enumerate(ends_ps)]
    rows += [(1, int(end) + 17_000, 1 + run, -1) for run, end in enumerate(ends_ps)]
    runs = runs_of(rows)
    assert of_devices(runs, matched_runs(runs, np.array([0, 0]))) == [[0, 1, 2]] * 2


def test_a_device_that_misses_the_first_run_has_the_others_at_their_places():
    ends_ps = irregular_ends(8)
    rows = [(0, int(end), 0, -1) for end in ends_ps] + [(1, int(end) + 9000, 0, -1) for end in ends_ps[2:]]
    runs = runs_of(rows)
    assert of_devices(runs, matched_runs(runs, np.array([0, 0]))) == [[*range(8)], [*range(2, 8)]]


@pytest.mark.parametrize("offset_ps", [0, 7 * MS_PS, -3_500_000_000, 120 * MS_PS])
@pytest.mark.parametrize("later", [0, 1, 3, 5])
def test_a_recording_that_began_some_runs_later_is_found_in_whatever_its_clock_says(offset_ps, later):
    random = np.random.default_rng(later)
    ends_ps = irregular_ends(20)
    # Each device counts its own runs, from 3 on one host and from 1 on the other: the ids mislead.
    rows = [(0, int(end), 3 + run, -1) for run, end in enumerate(ends_ps)]
    others = ends_ps[later:] - offset_ps + random.integers(0, MS_PS // 10, 20 - later)
    rows += [(1, int(end), 1 + run, -1) for run, end in enumerate(others)]
    runs = runs_of(rows)
    assert of_devices(runs, matched_runs(runs, np.array([0, 1]))) == [[*range(20)], [*range(later, 20)]]


@given(
    later=st.integers(0, 6),
    offset_ms=st.integers(-500, 500),
    first=st.sampled_from([0, 1]),
    seed=st.integers(0, 50),
)
def test_whichever_host_began_later_its_runs_are_found(later, offset_ms, first, seed):
    ends_ps = irregular_ends(24, seed)
    other_ps = ends_ps[later:] - offset_ms * MS_PS
    columns = (ends_ps, other_ps) if first == 0 else (other_ps, ends_ps)
    runs = runs_of([(device, int(end), 0, -1) for device, ends in enumerate(columns) for end in ends])
    whole, cut = [*range(24)], [*range(later, 24)]
    expected = [whole, cut] if first == 0 else [cut, whole]
    assert of_devices(runs, matched_runs(runs, np.array([0, 1]))) == expected


def periodic(ids, steps, offset_ps=0):
    """Two hosts that ran a step of 50 ms ten times; the other one's recording began one step later."""
    ends_ps = np.arange(1, 11) * 50 * MS_PS
    rows = [(0, int(end), ids[0] + run if ids[0] else 0, steps[0] + run) for run, end in enumerate(ends_ps)]
    rows += [
        (1, int(end) - offset_ps, ids[1] + run if ids[1] else 0, steps[1] + run) for run, end in enumerate(ends_ps[1:])
    ]
    return runs_of(rows)


def shift_of(runs):
    first, other = of_devices(runs, matched_runs(runs, np.array([0, 1])))
    return other[0] - first[0]


def test_of_steps_that_are_all_alike_the_ids_decide():
    # Steps say another thing, and so does the clock.
    assert shift_of(periodic((HASHED, HASHED + 1), (20, 20), offset_ps=50 * MS_PS)) == 1
    assert shift_of(periodic((11, 12), (20, 20), offset_ps=50 * MS_PS)) == 1


def test_without_ids_the_numbers_of_the_steps_decide():
    alike = periodic((0, 0), (20, 21), offset_ps=50 * MS_PS)
    assert shift_of(alike) == 1


def test_without_either_the_clocks_are_taken_to_differ_least():
    nothing = np.full(19, -1)
    for offset_ps, shift in ((0, 1), (50 * MS_PS, 0), (-50 * MS_PS, 2)):
        runs = periodic((0, 0), (20, 21), offset_ps=offset_ps)
        unnumbered = RunColumns(runs.program, runs.device, runs.run_id, runs.start_ps, runs.end_ps, nothing)
        assert shift_of(unnumbered) == shift


@given(seed=st.integers(0, 200), runs=st.integers(4, 12))
def test_few_steps_that_are_nearly_alike_are_told_by_ids_that_no_chance_makes_equal(seed, runs):
    random = np.random.default_rng(seed)
    ends_ps = np.cumsum(50 * MS_PS + random.integers(0, 10_000_000, runs))
    noise_ps = random.integers(0, 10_000_000, (2, runs))
    rows = [
        (device, int(end), HASHED + run, -1)
        for device in range(2)
        for run, end in enumerate(ends_ps + noise_ps[device])
    ]
    found = runs_of(rows)
    assert of_devices(found, matched_runs(found, np.array([0, 1]))) == [[*range(runs)]] * 2


def test_programs_are_matched_apart_and_their_numbers_differ():
    ends_ps = irregular_ends(6)
    rows = [(device, int(end), 0, -1) for device in range(2) for end in ends_ps]
    runs = runs_of(rows, program=[0, 1] * 6)
    numbers = matched_runs(runs, np.array([0, 1]))
    assert numbers.tolist() == [0, 3, 1, 4, 2, 5] * 2


def test_nothing_ran():
    nothing = np.zeros(0, dtype=np.int64)
    columns = RunColumns(nothing, nothing.astype(np.int32), nothing.astype(np.uint64), nothing, nothing, nothing)
    assert matched_runs(columns, np.array([0])).tolist() == []
