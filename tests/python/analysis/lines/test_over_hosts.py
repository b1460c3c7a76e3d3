"""What a line's collectives wait and move, and on which host a line takes most of a step."""

import pytest

from analysis.hosts.pods import MORE_WORK_PS, MOVE_PS, MS_PS, WORK_PS, Pod
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.lines.over_hosts import LineMeetings
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.opening.profile import open_profile

WORKS, REDUCES, ADDS, PERMUTES = 12, 13, 14, 15


def lines_of(folder, scope="steps", **pod):
    Pod(**pod).write(folder)
    record = hot_lines(open_profile(folder), LineOptions(roots=("/job",)), scope)
    return {each.line: each for each in record.lines}


def test_a_line_of_a_collective_waits_for_the_last_device_and_then_moves(tmp_path):
    lines = lines_of(tmp_path, slower_ps={2: 3 * MS_PS})
    reduces = lines[REDUCES]
    # Six of eight devices wait 3 ms in each step.
    assert reduces.collective_wait_per_step_ps == pytest.approx(3 * MS_PS * 6 / 8, rel=0.02)
    assert reduces.collective_move_per_step_ps == pytest.approx(MOVE_PS, rel=0.05)
    assert lines[PERMUTES].collective_wait_per_step_ps < MS_PS // 10


def test_clocks_that_are_wrong_within_their_error_make_no_moving_of_what_a_sender_waits(tmp_path):
    pod = {"adds_slower_ps": {2: 3 * MS_PS}, "senders_wait": True, "passing_ps": MS_PS // 50}
    right = lines_of(tmp_path / "right", **pod)[PERMUTES]
    # The device that sends to host 2, and the one that it sends to, wait for it.
    assert right.collective_wait_per_step_ps == pytest.approx(3 * MS_PS * 2 / 8, rel=0.05)
    wrong = lines_of(tmp_path / "wrong", clock_ps={1: MS_PS // 10}, **pod)[PERMUTES]
    assert wrong.collective_wait_per_step_ps == pytest.approx(right.collective_wait_per_step_ps, rel=0.05)
    assert wrong.collective_move_per_step_ps < MS_PS // 10


def test_waiting_and_moving_are_the_whole_time_of_the_line(tmp_path):
    lines = lines_of(tmp_path, slower_ps={1: MS_PS}, later_ps={3: MS_PS})
    for line in (REDUCES, PERMUTES):
        found = lines[line]
        both_ps = found.collective_wait_per_step_ps + found.collective_move_per_step_ps
        # An execution across the border of a step counts where it begins.
        assert both_ps == pytest.approx(found.per_step_ps, rel=0.01)


def test_a_line_without_a_collective_waits_for_no_device(tmp_path):
    lines = lines_of(tmp_path)
    for line in (WORKS, ADDS):
        assert lines[line].collective_wait_per_step_ps is None
        assert lines[line].collective_move_per_step_ps is None
    assert LineMeetings() == LineMeetings(None, None)


def test_a_line_says_on_which_host_it_takes_most(tmp_path):
    lines = lines_of(tmp_path, slower_ps={2: 3 * MS_PS})
    works = lines[WORKS].host_spread
    assert works.greatest_host == "host2"
    assert works.greatest_per_step_ps == pytest.approx(WORK_PS + 3 * MS_PS, rel=0.02)
    assert works.least_per_step_ps == pytest.approx(WORK_PS, rel=0.02)
    assert works.least_host != "host2"
    # That host is not waited for in the collective, so it takes least of it.
    reduces = lines[REDUCES].host_spread
    assert reduces.least_host == "host2"
    assert reduces.greatest_per_step_ps == pytest.approx(MOVE_PS + 3 * MS_PS, rel=0.02)
    assert lines[ADDS].host_spread.greatest_per_step_ps == pytest.approx(MORE_WORK_PS, rel=0.02)


def test_of_one_host_there_is_no_spread_but_its_devices_wait_for_each_other(tmp_path):
    lines = lines_of(tmp_path, hosts=1, devices=4, jitter_ps=MS_PS)
    assert all(each.host_spread is None for each in lines.values())
    assert lines[REDUCES].collective_wait_per_step_ps > 0


def test_one_device_waits_for_nobody(tmp_path):
    lines = lines_of(tmp_path, hosts=1, devices=1)
    assert lines[REDUCES].collective_wait_per_step_ps is None
    assert lines[REDUCES].host_spread is None


def test_clocks_that_differ_change_nothing(tmp_path):
    together = lines_of(tmp_path / "a", slower_ps={2: 3 * MS_PS})
    apart = lines_of(tmp_path / "b", slower_ps={2: 3 * MS_PS}, clock_ps={1: 70 * MS_PS, 3: -20 * MS_PS})
    for line in (REDUCES, WORKS):
        assert apart[line].host_spread.greatest_host == together[line].host_spread.greatest_host
    # What is left wrong of a clock is at most what the shortest collective took.
    waits_ps = [each[REDUCES].collective_wait_per_step_ps for each in (together, apart)]
    assert waits_ps[1] == pytest.approx(waits_ps[0], abs=MOVE_PS)
