"""Ids with which XLA:CPU says that it does not know: TensorFlow writes -1 as the run and as the device."""

from made import xspace
from scopelight.model.opening.profile import open_profile


def traced(folder, of_run):
    """A thread with three runs of two ops, which ``of_run`` gives the ids of."""
    events = []
    for run in range(3):
        for place, name in enumerate(("dot.1", "tanh.2")):
            stats = {"hlo_op": name, "program_id": 7, **of_run(run)}
            events.append((name, 1000 * run + 100 * place, 90, stats))
    of_host = xspace.plane("/host:CPU", xspace.Line("thread", tuple(events)))
    return open_profile(xspace.write(folder / "host.xplane.pb", of_host))


def test_what_is_not_known_is_read_as_what_is_not_written(tmp_path):
    unknown = traced(tmp_path / "unknown", lambda _: {"run_id": -1, "device_ordinal": -1})
    absent = traced(tmp_path / "absent", lambda _: {})
    assert [each.name for each in unknown.executions.devices] == ["/device:CPU:0"]
    assert len(unknown.executions) == 6
    for column in ("run_id", "start_ps", "duration_ps"):
        assert getattr(unknown.runs, column).tolist() == getattr(absent.runs, column).tolist()


def test_what_is_known_stays(tmp_path):
    profile = traced(tmp_path, lambda run: {"run_id": run - 4, "device_ordinal": 3})
    assert [each.name for each in profile.executions.devices] == ["/device:CPU:3"]
    # Ids are unsigned: negative ones are large.
    assert sorted(profile.runs.run_id.tolist()) == [2**64 - 4, 2**64 - 3, 2**64 - 2]
