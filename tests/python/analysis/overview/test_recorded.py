"""The overview of real captures: what sums, and what XProf says of the same files."""

import json
import re
from collections import Counter

import numpy as np
import pytest

from made.recorded import DATA
from made.truth.oracles import oracle, rows_of, within
from scopelight.analysis.lines.view import lines
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.views import ops
from scopelight.analysis.options import ScopeOptions
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.formats.xspace.reader import read_xspace
from scopelight.views.opening import open_subject

FOLDERS = ("tpu-v6e-host-offload", "mi300x-conv", "v100-tensorflow", "mi300x-elementwise")


def folder_of(name):
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip("../shared/data is absent")
    return folder


@pytest.fixture(scope="module", params=FOLDERS)
def record(request):
    folder = folder_of(request.param)
    return request.param, overview(open_subject(folder, folder), OverviewOptions())


def test_parts_of_steps_sum_to_the_wall_clock_to_the_picosecond(record):
    _, page = record
    for step in page.steps:
        assert sum(step.parts.values()) == step.wall_ps == step.duration_ps * page.extent.devices
    assert sum(page.parts.values()) == sum(step.wall_ps for step in page.steps)


def test_top_ops_take_what_xprof_says(record):
    name, page = record
    if name == "v100-tensorflow":
        pytest.skip("its kernels have a test of their own")
    theirs = {
        (row["program_id"], row["hlo_op_name"]): row["total_self_time"] for row in rows_of(oracle(name, "hlo_stats"))
    }
    longest = rows_of_window(name)[: len(page.ops) or None]
    compared = [row for row in longest if (row.program_id, row.name) in theirs]
    assert compared
    for row in compared:
        assert within(row.self_ps / 1e6, theirs[row.program_id, row.name]), row.name


def rows_of_window(name):
    """The ops over all that was captured, longest first: XProf's tables are of that."""
    folder = folder_of(name)
    return ops(open_subject(folder, folder), OpsOptions(scope="window")).rows


def test_the_kernels_of_tensorflow_take_what_xprof_says():
    """XProf adds up the streams and the row ``TensorFlow Ops``, which repeats them: each kernel is there twice."""
    took, runs = Counter(), Counter()
    for row in rows_of(oracle("v100-tensorflow", "kernel_stats")):
        took[row["kernel_name"]] += row["total_duration_us"]
        runs[row["kernel_name"]] += row["occurrences"]
    ours, executions = Counter(), Counter()
    for row in rows_of_window("v100-tensorflow"):
        ours[row.name] += row.self_ps / 1e6
        executions[row.name] += row.executions
    longest = [name for name, _ in took.most_common(6)]
    assert all(runs[name] == 2 * executions[name] for name in longest)
    assert all(within(2 * ours[name], took[name]) for name in longest)


def test_the_step_of_the_v100_is_that_of_xprof():
    folder = folder_of("v100-tensorflow")
    page = overview(open_subject(folder, folder), OverviewOptions())
    assert page.step_time.mean_ps / 1e9 == pytest.approx(21.3, abs=0.05)


def test_the_idle_time_of_the_v6e_is_that_of_xprof_where_it_is_of_the_same():
    """XProf's 13.4 % are of the time from the first event of each core to its last, what is outside of steps included.

    The steps themselves are full: by the events of the file alone no op covers less than a thousandth of them.
    """
    folder = folder_of("tpu-v6e-host-offload")
    subject = open_subject(folder, folder)
    (found,) = set(re.findall(r'"device_idle_time_percent": "([\d.]+)%"', oracle_text("tpu-v6e-host-offload")))
    wall = lines(subject, ScopeOptions("window")).wall
    spans_ps = sum(each.max() - each.min() for each in core_moments(folder))
    assert 100 * (1 - (wall.busy_ps + wall.stalled_ps) / spans_ps) == pytest.approx(float(found), abs=0.1)
    page = overview(subject, OverviewOptions())
    idle = next(each.value for each in page.summary if each.quantity == "device-idle")
    assert idle == pytest.approx(idle_of_steps(folder, page), abs=0.001)
    assert idle < 0.001


def core_moments(folder):
    """By core when its programs and ops begin and end."""
    (file,) = folder.glob("*.xplane.pb")
    for plane in read_xspace(file).planes:
        if "TPU:" in plane.name:
            events = [line.events() for line in plane.lines if line.name in ("XLA Modules", "XLA Ops")]
            yield np.concatenate([each for of in events for each in (of.start_ps, of.start_ps + of.duration_ps)])


def oracle_text(name):
    return json.dumps(oracle(name, "overview_page"))


def idle_of_steps(folder, page):
    """Counted from the events of the file alone: what of the steps no op of a core covers, a mean over cores."""
    (file,) = folder.glob("*.xplane.pb")
    space = read_xspace(file)
    cores = [
        line.events()
        for plane in space.planes
        if "TPU:" in plane.name
        for line in plane.lines
        if line.name == "XLA Ops"
    ]
    origin_ps = min(
        int(line.events().start_ps.min()) for plane in space.planes for line in plane.lines if len(line.events())
    )
    idle = []
    for events in cores:
        start = np.sort(events.start_ps - origin_ps)
        end = np.maximum.accumulate((events.start_ps + events.duration_ps - origin_ps)[np.argsort(events.start_ps)])
        gaps = [(int(a), int(b)) for a, b in zip(end[:-1], start[1:], strict=True) if b > a]
        for step in page.steps:
            first, last = step.start_ps, step.start_ps + step.duration_ps
            idle.append(sum(max(0, min(b, last) - max(a, first)) for a, b in gaps) / step.duration_ps)
    return float(np.mean(idle))
