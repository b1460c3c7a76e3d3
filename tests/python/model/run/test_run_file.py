"""``run.json``: what was written is read, older ones open, and whatever stands in it breaks nothing."""

import json
import math
from pathlib import Path

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scopelight.findings import note, warning
from scopelight.formats.errors import FormatError
from scopelight.model.memory.snapshots import snapshots_of_run
from scopelight.model.run.calibration import Calibration
from scopelight.model.run.information import (
    CaptureProgress,
    CaptureWindow,
    GitState,
    RaisedFrame,
    RecordedDevice,
    RecordedHost,
    RecordedMemory,
    RecordedOutOfMemory,
    RecordedServer,
    RecordedSnapshot,
    RecordedSource,
    RunInformation,
    ScriptError,
    TraceCost,
    WindowOptions,
)
from scopelight.model.run.listing import describe_run
from scopelight.model.run.run_file import find_run_information, read_progress, set_pinned, write_run_information

WHOLE = RunInformation(
    directory="/w/.scopelight/1",
    state="captured",
    failure="None.",
    created="2026-01-02T03:04:05+00:00",
    command=("python", "train.py", "--layers", "2"),
    script="train.py",
    is_module=True,
    args=("--layers", "2"),
    cwd="/w",
    python="/w/bin/python",
    platform="Linux",
    versions={"jax": "0.6.0"},
    environment={"XLA_FLAGS": "--xla_dump_to=/d"},
    jax_options={"jax_enable_x64": "True"},
    compilation_cache="bypassed",
    backend="cpu",
    predicted_for="v5e-8",
    devices=(RecordedDevice("cpu", "cpu", "0", 0), RecordedDevice("tpu", "TPU v4", "1", 0, (1, 2, 0), 1, 3, 2)),
    hosts=(RecordedHost("a_0", 0, 17), RecordedHost("a_1")),
    options=WindowOptions(steps=3, skip=1, seconds=0.5, whole=True),
    watches_memory=False,
    records_host=False,
    reads_resources=False,
    calibrates=False,
    calibration=Calibration({"f32": 1e12}, 1e10, 1 << 34, 2, "A CPU", "0.6.0", 0.5),
    progress=CaptureProgress(
        "capturing",
        programs=3,
        compiling="train_step",
        since_ns=1_700_000_000_000_000_000,
        has_jax=True,
        seen=2,
        waits=True,
        is_by_hand=True,
        steps=5,
        started_ns=1_700_000_000_000_000_000,
        period_seconds=0.25,
        seconds=1.5,
        pid=17,
    ),
    source=RecordedSource("server", (RecordedServer("a:9", "a", "a_9", 7, "train.py", "0.9", 1, 2, 3, "server-busy"),)),
    windows=(CaptureWindow("seconds", seconds=1.5, session="plugins/profile/1", first_step=3, slow_steps=(4,)),),
    has_ended=True,
    window=CaptureWindow("steps", 5, 2, 5, 1.25, 0.25, 1_700_000_000_000_000_000, 1_700_000_001_000_000_000, "/tmp/a"),
    pause_seconds=0.125,
    probes=(TraceCost(1.0, 1.7e9, 1.7e9, 0.5, 0.25, 1000, 2),),
    memory=RecordedMemory(7, 0.5, (RecordedSnapshot("memory/end.pprof", "end", 1_700_000_000_000_000_000, 0.1),)),
    error=ScriptError("ImportError", "cannot import", "/w/train.py", 3, "main", "flax"),
    out_of_memory=RecordedOutOfMemory(
        "Out of memory",
        (RaisedFrame("/w/train.py", 3, "f", True),),
        during_compilation=True,
        in_thread=True,
        caught=True,
    ),
    exit_code=1,
    git=GitState("0123456789abcdef", dirty=True),
    follows="20261128-101500-train",
    findings=(
        warning("script-still-compiles", programs=2),
        warning("path-ambiguous", files=("a.py", None)),
        note("window-of-bursts", complete=16, steps=5, burst_ps=7),
    ),
    pinned=True,
)


def written(path, information=WHOLE):
    write_run_information(path, information)
    return json.loads((path / "run.json").read_text())


def places(value, path=()):
    """Every place in a JSON value, as keys and indices from its top."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


def replaced(value, path, other):
    """The JSON value with another in one place."""
    if not path:
        return other
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], other)
    return copy


def test_all_that_is_written_is_read(tmp_path):
    written(tmp_path)
    assert find_run_information(tmp_path) == attrs.evolve(WHOLE, path=tmp_path)
    default = RunInformation()
    names = {each.name for each in attrs.fields(RunInformation)}
    unlike = {name for name in names if getattr(WHOLE, name) != getattr(default, name)}
    assert unlike == names - {"format_version", "path"}, "every field is tried"


def test_an_older_run_opens_with_what_it_says(tmp_path):
    (tmp_path / "run.json").write_text('{"format_version": 1, "script": "train.py", "state": "captured", "new": [1]}')
    run = find_run_information(tmp_path)
    assert run == RunInformation(script="train.py", state="captured", path=tmp_path)
    assert run.watches_memory and run.calibrates, "what did not exist was not turned off"


def test_a_newer_run_is_refused_and_what_is_none_is_said(tmp_path):
    for content, sentence in (
        ('{"format_version": 2}', "format version 2, newer than this Scopelight reads"),
        ("[]", "not the description of a run"),
        ('{"format_version": "new"}', "not the description of a run"),
        ('{"format_version": 1e999}', "not the description of a run"),
        ("[" * 100_000, "not the description of a run"),
    ):
        (tmp_path / "run.json").write_text(content)
        with pytest.raises(FormatError, match=sentence):
            find_run_information(tmp_path)
        assert describe_run(tmp_path).problem is not None
    assert find_run_information(tmp_path / "none") is None


def test_where_it_is_now_is_not_what_the_file_says(tmp_path):
    (tmp_path / "run.json").write_text('{"path": "/etc", "directory": "/w"}')
    run = find_run_information(tmp_path)
    assert (run.path, run.directory) == (tmp_path, "/w")


def test_pinning_keeps_what_is_not_understood(tmp_path):
    (tmp_path / "run.json").write_text('{"format_version": 1, "later": {"a": 1}}')
    set_pinned(tmp_path, True)
    assert json.loads((tmp_path / "run.json").read_text()) == {"format_version": 1, "later": {"a": 1}, "pinned": True}


ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([-1, 1 << 62, 1 << 63, 10**400, math.nan, math.inf, -math.inf, -0.5, 1e308]),
        st.text(max_size=5),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_it_is_left_out_and_the_rest_is_read(tmp_path, data):
    content, changed = written(tmp_path), set()
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from([each for each in places(content) if each]))
        content = replaced(content, path, data.draw(ANYTHING))
        changed.add(path[0])
    for name in data.draw(st.sets(st.sampled_from(sorted(content)), max_size=2)):
        del content[name]
        changed.add(name)
    (tmp_path / "run.json").write_text(json.dumps(content))
    try:
        run = find_run_information(tmp_path)
    except FormatError:
        assert "format_version" in changed
        return
    for each in attrs.fields(RunInformation):
        if each.name not in {*changed, "path"}:
            assert getattr(run, each.name) == getattr(WHOLE, each.name)
    # What is read can be written and read again, listed, followed, and asked for all that is derived from it.
    write_run_information(tmp_path, run)
    assert find_run_information(tmp_path) == run
    assert describe_run(tmp_path).problem is None
    read_progress(tmp_path)
    snapshots_of_run(run)
    assert all(isinstance(each, str) for each in run.device_kinds)
    assert isinstance(run.process_index("a_0"), int | None)
    assert run.sources is None or isinstance(run.sources, Path)
    if run.out_of_memory is not None:
        assert isinstance(run.out_of_memory.waits, bool)
