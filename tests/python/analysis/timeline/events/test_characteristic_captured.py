"""Characteristic events of a captured run: a call of Python, a compilation inside a step, sums across devices."""

import os
import subprocess
import sys

import pytest

from made.findings import said
from scopelight.analysis.timeline.events.event import event_record
from scopelight.analysis.timeline.events.selection import selection_record
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.model.opening.profile import open_profile

SCRIPT = """
import sys
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec

mesh = Mesh(np.array(jax.devices()), ("devices",))

@jax.jit
def step(x):
    total = jax.shard_map(
        lambda part: jax.lax.psum(part @ part.T, "devices"),
        mesh=mesh,
        in_specs=PartitionSpec("devices"),
        out_specs=PartitionSpec(),
    )(x)
    return total

@jax.jit
def asks(x):
    return jax.pure_callback(lambda each: np.asarray(each) + 1, jax.ShapeDtypeStruct(x.shape, x.dtype), x) * 2

def run(rows):
    x = jnp.ones((2 * rows, rows))
    return jax.block_until_ready((step(x), asks(x)))

run(64)
with jax.profiler.trace(sys.argv[1]):
    for number in range(4):
        with jax.profiler.StepTraceAnnotation("train", step_num=number):
            run(96 if number == 2 else 64)
"""


@pytest.fixture(scope="module")
def lookups(tmp_path_factory):
    folder = tmp_path_factory.mktemp("captured")
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    subprocess.run([sys.executable, "-c", SCRIPT, str(folder)], env=environment, check=True, timeout=300)
    profile, timeline = open_profile(folder), open_timeline(folder)
    return Lookups(timeline.completed(profile, derive(timeline.slices, profile)))


def explained(lookups, matches):
    """The explanations of all slices whose shown name matches."""
    names = lookups.timeline.slices.names
    return [
        said(event_record(lookups, track, number))
        for track in lookups.timeline.tracks
        for number, name in enumerate(track.lane().name.tolist())
        if matches(names.shown(name))
    ]


def test_a_call_of_python(lookups):
    ops = {op.name for op in lookups.timeline.profile.executions.ops if "custom-call" in (op.category, op.name[:11])}
    sentences = explained(lookups, ops.__contains__)
    assert len(sentences) >= 4
    assert all("calls Python on the host" in each for each in sentences)


def test_sums_across_replicas_and_their_waits(lookups):
    sums = explained(lookups, lambda name: name.startswith("psum"))
    assert len(sums) >= 8
    assert all("sum across replicas" in each for each in sums)
    waits = explained(lookups, lambda name: name == "Rendezvous")
    assert waits
    assert all("waits for the other devices" in each for each in waits)


def test_a_pass_of_the_compiler_is_no_sum(lookups):
    assert set(explained(lookups, lambda name: name == "all-reduce-promotion")) == {""}


def test_a_compilation_is_inside_its_step(lookups):
    compiling = explained(lookups, lambda name: name.startswith("backend_compile"))
    assert any("inside a step" in each for each in compiling)


def test_what_computes_is_not_explained(lookups):
    computing = explained(
        lookups, lambda name: name.startswith(("dot", "transpose", "multiply", "add", "PjitFunction"))
    )
    assert computing
    assert not any(computing)


def test_selections_explain_the_same(lookups):
    timeline = lookups.timeline
    ids = [track.id for track in timeline.tracks if track.kind == "ops"]
    record = selection_record(lookups, ids, 0, timeline.slices.duration_ps + 1)
    sentences = {row.shown_name: said(row) for row in record.rows}
    assert any(each and "calls Python on the host" in each for each in sentences.values())
    assert any(each and "sum across replicas" in each for each in sentences.values())
    assert any(each == "" for each in sentences.values())
