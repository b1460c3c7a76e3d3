"""A file that was cut off at any byte is opened for what is left of it, or refused with a sentence."""

from made import xspace
from made.findings import codes
from scopelight.analysis.steps.steps import find_steps
from scopelight.formats.errors import FormatError
from scopelight.model.opening.profile import open_profile

MARKS = tuple(("fit", 1000 * number, 990, number + 3) for number in range(6))
HOST = xspace.plane("/host:CPU", xspace.Line("python", MARKS), xspace.Line("pool", (("idle", 5, 7),)))
OTHER = xspace.plane("/host:metadata", stats=(("programs", 0),))


def test_a_file_is_opened_for_what_is_left_of_it_wherever_it_was_cut_off(tmp_path):
    data = OTHER + HOST
    reached = []
    for size in range(len(OTHER), len(data) + 1):
        (tmp_path / "host.xplane.pb").write_bytes(data[:size])
        try:
            profile = open_profile(tmp_path / "host.xplane.pb")
        except FormatError as error:
            assert error.sentence
            continue
        reached.append(profile.duration_ps)
        assert profile.is_cut_off == (len(OTHER) < size < len(data))
        assert not len(find_steps(profile))
    # Of the events that are left none is lost again by cutting off less.
    assert reached == sorted(reached)
    assert reached[-1] == 5990 and len(set(reached)) >= 6


def test_no_device_is_read_whose_events_have_lost_their_names(tmp_path):
    device = xspace.plane("/device:TPU:0", xspace.Line("XLA Ops", (("fusion.1", 0, 10), ("fusion.2", 10, 10))))
    data = OTHER + device
    xspace.write(tmp_path / "host.xplane.pb", data[: data.rindex(b"fusion.1")])
    profile = open_profile(tmp_path / "host.xplane.pb")
    assert "plane-cut-off" in codes(profile.findings)
    assert not len(profile.executions)


def test_a_gpu_of_a_host_whose_launches_were_cut_off_is_read(shared_data, tmp_path):
    data = (shared_data / "mi300x-conv" / "tw003.xplane.pb").read_bytes()
    copy = tmp_path / "host.xplane.pb"
    for eighths in range(1, 8):
        copy.write_bytes(data[: len(data) * eighths // 8])
        try:
            profile = open_profile(copy)
        except FormatError:
            continue
        assert profile.is_cut_off
        assert (find_steps(profile).duration_ps > 0).all()
