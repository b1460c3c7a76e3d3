"""Where a host stood that launches late: a line, or what its script marked."""

from made.xspace import Line, plane, write
from scopelight.analysis.hosts.late import late_place
from scopelight.analysis.totals.centre import centre_of
from scopelight.model.opening.profile import open_profile

MS_PS = 10**9
STEPS, STEP_MS, WORK_MS, INPUT_MS = 4, 10, 4, 5


def profile_of(path, marked="next_batch", marked_ms=INPUT_MS):
    """Steps of 10 ms: 4 of work at their end, before it what the thread that launches was marked to be in."""
    steps = [(step, step * STEP_MS * MS_PS) for step in range(STEPS)]
    marks = [("train", at, STEP_MS * MS_PS, {"step_num": step}) for step, at in steps]
    marks += [(marked, at + MS_PS // 2, marked_ms * MS_PS) for _, at in steps]
    marks += [("PjitFunction(step)", at + 6 * MS_PS - 1000, 1000) for _, at in steps]
    ran = [("dot.1", at + 6 * MS_PS, WORK_MS * MS_PS - 1, {"run_id": 100 + step}) for step, at in steps]
    runs = [("jit_step(7)", at + 6 * MS_PS, WORK_MS * MS_PS - 1, {"run_id": 100 + step}) for step, at in steps]
    host = Line("python", tuple(sorted(marks, key=lambda each: each[1])), id=1)
    device = Line("XLA Modules", tuple(runs), id=1), Line("XLA Ops", tuple(ran), id=2)
    return open_profile(write(path, plane("/device:TPU:0", *device), plane("/host:CPU", host)))


def late(profile):
    return late_place(profile, centre_of(profile))


def test_it_stood_in_what_the_script_marked(tmp_path):
    found = late(profile_of(tmp_path / "a.xplane.pb"))
    assert (found.frame, found.where) == (None, "next_batch")
    assert found.per_step_ps == INPUT_MS * MS_PS


def test_what_takes_little_of_the_idle_time_explains_nothing(tmp_path):
    assert late(profile_of(tmp_path / "a.xplane.pb", marked_ms=1)) is None


def test_an_op_is_no_place_to_stand_in(tmp_path):
    assert late(profile_of(tmp_path / "a.xplane.pb", marked="dot.1")) is None
