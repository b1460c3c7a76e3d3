"""Spans that a script named: on the thread that launches, apart from what jax and XLA name themselves."""

from made.xspace import Line, plane, write
from scopelight.model.host.annotations import read_annotations
from scopelight.model.opening.profile import open_profile

STEPS = frozenset(("train",))


def read(path, host=0, shift_ps=0):
    found = read_annotations([(path, host, shift_ps)], STEPS)
    return {
        each.name: (each.host, list(zip(each.start_ps.tolist(), each.end_ps.tolist(), strict=True))) for each in found
    }


def test_spans_on_the_thread_of_the_steps_are_read(tmp_path):
    line = Line(
        "python",
        (
            ("train", 0, 1000, {"step_num": 1}),
            ("load_batch", 10, 300),
            ("augment", 20, 100),
            ("train", 1000, 1000, {"step_num": 2}),
            ("load_batch", 1010, 320),
        ),
    )
    path = write(tmp_path / "a.xplane.pb", plane("/host:CPU", line))
    assert read(path, host=3, shift_ps=5) == {
        "load_batch": (3, [(15, 315), (1015, 1335)]),
        "augment": (3, [(25, 125)]),
    }


def test_a_thread_that_launches_is_one_without_steps_too(tmp_path):
    line = Line("python", (("PjitFunction(step)", 0, 10), ("load_batch", 20, 5)))
    path = write(tmp_path / "a.xplane.pb", plane("/host:CPU", line))
    assert read(path) == {"load_batch": (0, [(20, 25)])}


def test_other_threads_and_other_planes_are_left_out(tmp_path):
    launches = Line("python", (("train", 0, 1000, {"step_num": 1}), ("load_batch", 10, 300)), id=1)
    other = Line("worker", (("decode", 10, 300),), id=2)
    path = write(
        tmp_path / "a.xplane.pb",
        plane("/host:CPU", launches, other),
        plane("/device:TPU:0", Line("XLA Ops", launches.events)),
    )
    assert read(path).keys() == {"load_batch"}


def test_what_runtimes_name_is_nobody_s_annotation(tmp_path):
    names = (
        *("PjitFunction(step)", "tsl::Wait", "$train.py:12 main", "end: all-reduce.1", "<module>"),
        *("np.asarray", "shard_args", "TfrtCpuExecutable::Execute", ""),
    )
    line = Line(
        "python", tuple((name, 100 * row, 50) for row, name in enumerate((*names, "mine", "np.asarray of mine")))
    )
    path = write(tmp_path / "a.xplane.pb", plane("/host:CPU", line))
    assert read(path).keys() == {"mine", "np.asarray of mine"}


def test_a_file_that_cannot_be_read_is_left_out(tmp_path):
    line = Line("python", (("train", 0, 1000, {"step_num": 1}), ("load_batch", 10, 300)))
    whole = write(tmp_path / "a.xplane.pb", plane("/host:CPU", line))
    torn = tmp_path / "b.xplane.pb"
    torn.write_bytes(b"\xff\xfe no profile" * 9)
    files = [(torn, 0, 0), (tmp_path / "absent.xplane.pb", 1, 0), (whole, 2, 0)]
    assert [(each.name, each.host) for each in read_annotations(files, STEPS)] == [("load_batch", 2)]


def test_a_profile_reads_them_on_its_own_clock(tmp_path):
    line = Line("python", (("train", 5000, 1000, {"step_num": 1}), ("load_batch", 5010, 300)))
    path = write(tmp_path / "a.xplane.pb", plane("/host:CPU", line))
    profile = open_profile(path)
    (found,) = (each for each in profile.annotations() if each.name == "load_batch")
    assert found.start_ps.tolist() == [10]
    assert found.end_ps.tolist() == [310]
