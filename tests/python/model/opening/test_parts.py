"""What one process traced in parts is one profile, with gaps."""

from made import xspace
from scopelight.analysis.steps.steps import find_steps
from scopelight.model.opening.profile import open_profile

EPOCH_NS = 1_800_000_000_000_000_000


def part(path, began_ns, steps):
    """A trace of annotated steps, (number, start_ps since the trace began, duration_ps)."""
    line = xspace.Line("python", tuple(("train", start, duration, number) for number, start, duration in steps))
    of_host = xspace.plane("/host:CPU", line, value_name="step_num")
    times = xspace.plane("Task Environment", stats=(("profile_start_time", EPOCH_NS + began_ns),))
    return xspace.write(path, of_host, times)


def test_steps_of_all_parts_count_but_those_that_a_gap_cuts(tmp_path):
    # In the order of their names the second part comes first.
    part(tmp_path / "host.xplane.pb", 0, [(number, number * 1000, 990) for number in range(4)])
    part(tmp_path / "host.part2.xplane.pb", 5, [(number, number * 1000 - 5000, 990) for number in range(5, 9)])
    profile = open_profile(tmp_path)
    (marks,) = profile.step_marks
    assert marks.number.tolist() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert profile.untraced.start_ps.tolist() == [3990]
    assert profile.untraced.duration_ps.tolist() == [1010]
    steps = find_steps(profile)
    assert steps.start_ps.tolist() == [0, 1000, 2000, 3000, 5000, 6000, 7000, 8000]
    assert steps.duration_ps.tolist() == [1000, 1000, 1000, 990, 1000, 1000, 1000, 990]


def test_traces_of_two_hosts_have_no_gap_between_them(tmp_path):
    part(tmp_path / "one.xplane.pb", 0, [(0, 0, 990), (1, 1000, 990)])
    part(tmp_path / "two.xplane.pb", 10, [(0, 0, 990), (1, 1000, 990)])
    assert not len(open_profile(tmp_path).untraced.start_ps)
