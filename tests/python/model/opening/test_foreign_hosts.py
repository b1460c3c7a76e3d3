"""Files of several hosts of which one is of something else."""

from made.xspace import Line, plane, write
from scopelight.model.opening.profile import open_profile
from scopelight.model.opening.slices import open_slices

STARTED_NS = 1_700_000_000 * 10**9
DAYS_NS = 40 * 86_400 * 10**9


def host(folder, name, started_ns):
    line = Line("XLA Ops", (("dot.1", 0, 1000),))
    times = plane("Task Environment", stats=(("profile_start_time", started_ns),))
    return write(folder / f"{name}.xplane.pb", plane("/device:TPU:0", line), times)


def test_a_host_of_another_day_is_left_out_and_named(tmp_path):
    for number, apart_ns in enumerate((0, 0, DAYS_NS)):
        host(tmp_path, f"host{number}", STARTED_NS + apart_ns)
    profile = open_profile(tmp_path)
    assert [each.name for each in profile.traces] == ["host0", "host1"]
    assert [each.values["host"] for each in profile.findings if each.code == "host-foreign"] == ["host2"]
    slices = open_slices(tmp_path)
    assert {each.host for each in slices.sections} == {0, 1}
    assert "host-foreign" in {each.code for each in slices.findings}


def test_of_two_hosts_neither_is_known_to_be_foreign(tmp_path):
    for number, apart_ns in enumerate((0, DAYS_NS)):
        host(tmp_path, f"host{number}", STARTED_NS + apart_ns)
    profile = open_profile(tmp_path)
    assert len(profile.traces) == 2
    assert "sessions-apart" in {each.code for each in profile.findings}
