"""A pod on one machine: processes that stand for hosts train together and are profiled, with known troubles.

    python pod.py OUT --hosts 4 --devices 2 --slow 2 --kind device --ms 8 --clocks 1:+7.0,2:-3.5

OUT becomes a log directory with one session, in which process R has written ``hostR.xplane.pb``, and ``truth.json``,
which says what was done to whom. What takes time on a device is a callback that sleeps, so that many devices share few
cores. A host that is slow has a ``--kind`` of trouble, ``--ms`` long:

    device   each layer takes longer on its devices
    host     it sleeps before it launches a step
    input    the same, marked as ``next_batch``

With ``--until FILE`` processes profile nothing and train until the file is there: something else captures them.
"""

# ruff: noqa: PLC0415 (who starts the processes of a pod needs no jax)

import argparse
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

SESSION = "2026_03_01_12_00_00"
WARM_STEPS = 2


def options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--devices", type=int, default=2, help="of each host")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=256, help="of the weights; a multiple of hosts and devices")
    parser.add_argument("--rows", type=int, default=8, help="of the batch of one device; a multiple of devices")
    parser.add_argument("--work-ms", type=float, default=4.0, help="that a layer takes on every device")
    parser.add_argument("--slow", type=int, help="the host that is slow")
    parser.add_argument("--kind", choices=["device", "host", "input"], default="device")
    parser.add_argument("--ms", type=float, default=8.0)
    parser.add_argument("--every", type=int, default=1, help="the last of every so many steps is slow")
    parser.add_argument("--clocks", default="", help="HOST:MS,...: by how much the clocks of hosts are wrong")
    parser.add_argument("--namespaces", default="", help="the name of each host's network namespace, with {} for it")
    parser.add_argument("--address", default="127.0.0.1", help="where host 0 is found")
    parser.add_argument("--until", type=Path)
    parser.add_argument("--rank", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def train(given, folder):
    """Be one host: train, and leave a profile and what was seen from outside of it in a folder."""
    import jax

    if given.hosts > 1:
        jax.distributed.initialize(f"{given.address}:{given.port}", given.hosts, given.rank)
    import jax.numpy as jnp
    import numpy as np
    from jax.experimental.multihost_utils import sync_global_devices
    from jax.sharding import AxisType, NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = jax.make_mesh((given.hosts, given.devices), ("data", "model"), axis_types=(AxisType.Auto, AxisType.Auto))
    successors = [(each, (each + 1) % given.hosts) for each in range(given.hosts)]

    ended_ns = {each.id: [] for each in jax.local_devices()}

    def work(device, milliseconds):
        time.sleep(float(milliseconds) / 1000)
        ended_ns[int(device)].append(time.time_ns())
        return milliseconds

    def layer(carry, _):
        shard, tokens, device, milliseconds = carry
        weights = jax.lax.all_gather(shard, "data", tiled=True)
        tokens = jnp.tanh(tokens @ weights)
        # It begins when the product is there, and what follows waits for it.
        begin = milliseconds[0] + 0 * tokens[0, 0]
        worked = jax.pure_callback(work, jax.ShapeDtypeStruct((), jnp.float32), device[0], begin)
        tokens = tokens + 0 * worked
        if given.hosts > 1:
            tokens = (tokens + jax.lax.ppermute(tokens, "data", successors)) / 2
        experts = jax.lax.all_to_all(tokens, "model", split_axis=1, concat_axis=0, tiled=True)
        tokens = jax.lax.all_to_all(jnp.sin(experts), "model", split_axis=0, concat_axis=1, tiled=True)
        gradient = tokens.T @ tokens / given.rows
        shard = shard - 1e-3 * jax.lax.psum_scatter(gradient, "data", scatter_dimension=0, tiled=True)
        return (shard, tokens, device, milliseconds), None

    def forward(shard, tokens, device, milliseconds):
        (shard, tokens, *_), _ = jax.lax.scan(layer, (shard, tokens, device, milliseconds), length=given.layers)
        return shard, jax.lax.pmean(jnp.mean(tokens**2), ("data", "model"))

    everywhere = P(("data", "model"))
    train_step = jax.jit(
        jax.shard_map(
            forward,
            mesh=mesh,
            in_specs=(P("data"), everywhere, everywhere, everywhere),
            out_specs=(P("data"), P()),
            check_vma=False,
        )
    )

    def spread(value, spec):
        return jax.make_array_from_callback(value.shape, NamedSharding(mesh, spec), lambda place: value[place])

    random, devices = np.random.default_rng(7), given.hosts * given.devices
    shape = (given.width, given.width)
    weights = spread(random.normal(0, given.width**-0.5, shape).astype(np.float32), P("data"))
    batch = spread(random.normal(size=(devices * given.rows, given.width)).astype(np.float32), everywhere)
    usual = np.full(devices, given.work_ms, np.float32)
    longer = usual + given.ms * (np.arange(devices) // given.devices == given.slow)
    usual, longer = spread(usual, everywhere), spread(longer, everywhere)
    ids = spread(np.array([each.id for each in mesh.devices.ravel()], np.int32), everywhere)
    is_late = given.slow == given.rank and given.kind != "device"
    seen = []

    def step(number, weights):
        is_slow = given.slow is not None and number % given.every == given.every - 1
        began_ns = time.time_ns()
        if is_slow and is_late:
            with jax.profiler.TraceAnnotation("next_batch") if given.kind == "input" else contextlib.nullcontext():
                time.sleep(given.ms / 1000)
        launched_ns = time.time_ns()
        weights, loss = train_step(weights, batch, ids, longer if is_slow and given.kind == "device" else usual)
        loss.block_until_ready()
        seen.append((began_ns, launched_ns, time.time_ns()))
        return weights

    greatest = jax.jit(jnp.max)

    def any_host(is_so):
        """Whether it is so on any host; all have come then, and every device of this one is done with all it had."""
        return bool(jax.block_until_ready(greatest(spread(np.full(devices, is_so, np.int32), everywhere))))

    for each in range(WARM_STEPS):
        weights = step(each, weights)
    if given.until is not None:
        print("ready", os.getpid(), flush=True)
        # All hosts take as many steps: the first one says when it is enough.
        number = WARM_STEPS
        while not any_host(given.until.exists()):
            weights = step(number, weights)
            number += 1
        return
    seen.clear()
    for each in ended_ns.values():
        each.clear()
    profiling = jax.profiler.ProfileOptions()
    profiling.python_tracer_level = 0
    profiling.session_id = SESSION
    # Not `sync_global_devices`: a device may run its program still when the process goes on.
    any_host(False)
    jax.profiler.start_trace(folder, profiler_options=profiling)
    for each in range(given.steps):
        with jax.profiler.StepTraceAnnotation("train", step_num=each):
            weights = step(each, weights)
    jax.profiler.stop_trace()
    said = {
        "jax": jax.__version__,
        "devices": [each.id for each in jax.local_devices()],
        "mesh": dict(mesh.shape),
        "mesh_devices": [each.id for each in mesh.devices.ravel()],
        "steps_ns": seen,
        "worked_until_ns": ended_ns,
    }
    (folder / "seen.json").write_text(json.dumps(said))
    if given.hosts > 1:
        # Who leaves first takes the others' connections along.
        sync_global_devices("all are profiled")
        jax.distributed.shutdown()


def shift_clock(file, milliseconds):
    """Make a file as a process would have written it whose clock is wrong: it began and ended at other times.

    Both times are stats of the plane of the environment, and stand nowhere else in the file.
    """
    from jax.profiler import ProfileData

    data = file.read_bytes()
    environment = ProfileData.from_serialized_xspace(data).find_plane_with_name("Task Environment")
    times_ns = {name: int(value) for name, value in environment.stats if name.startswith("profile_st")}
    assert set(times_ns) == {"profile_start_time", "profile_stop_time"}, times_ns
    for time_ns in times_ns.values():
        old, new = _varint(time_ns), _varint(time_ns + round(milliseconds * 1e6))
        assert data.count(old) == 1, "a number of nine bytes is not there by chance"
        assert len(old) == len(new), "lengths of messages stay"
        data = data.replace(old, new)
    file.write_bytes(data)


def _varint(number):
    groups = [number >> shift & 0x7F for shift in range(0, max(1, number.bit_length()), 7)]
    return bytes([*(each | 0x80 for each in groups[:-1]), groups[-1]])


def clocks_of(text):
    """``{1: 7.0}`` of ``1:+7.0``."""
    return {int(host): float(ms) for host, _, ms in (each.partition(":") for each in text.split(",") if each)}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def start_member(given, rank, port, **how):
    """Start the process of one host."""
    inside = ["ip", "netns", "exec", given.namespaces.format(rank)] if given.namespaces else []
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={given.devices}"
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "JAX_CPU_COLLECTIVES_IMPLEMENTATION": "gloo"}
    environment |= {"XLA_FLAGS": flags.strip(), **how.pop("env", {})}
    command = [*inside, sys.executable, __file__, *_as_arguments(given), "--rank", str(rank), "--port", str(port)]
    return subprocess.Popen(command, env=environment, **how)


def _as_arguments(given):
    named = {name: value for name, value in vars(given).items() if name not in ("out", "rank", "port")}
    of_options = [f"--{name.replace('_', '-')}={value}" for name, value in named.items() if value not in (None, "")]
    return [str(given.out), *of_options]


def held_up_ms(given, seen):
    """By how much each host held all others up in a step: what it launched, or was done with in a layer, after them.

    Others are held up as well where the machine is busy, so that a host that is slow costs less than was added to it.
    """
    launched_ns = [[launched for _, launched, _ in each["steps_ns"]] for each in seen]
    # The devices of a host are done with a layer when the last one is.
    worked_ns = [[max(ends) for ends in zip(*each["worked_until_ns"].values(), strict=True)] for each in seen]
    held_up_ns = [0] * given.hosts
    for moments in (*zip(*launched_ns, strict=True), *zip(*worked_ns, strict=True)):
        for host, moment in enumerate(moments):
            last_other = max((*moments[:host], *moments[host + 1 :]), default=moment)
            held_up_ns[host] += max(0, moment - last_other)
    return [each / given.steps / 1e6 for each in held_up_ns]


def make(given):
    """Make a pod: what was done to it."""
    began = time.monotonic()
    out = given.out.absolute()
    shutil.rmtree(out, ignore_errors=True)
    session = out / "plugins" / "profile" / SESSION
    session.mkdir(parents=True)
    port, processes, folders = free_port(), [], []
    for rank in range(given.hosts):
        # Each has a folder of its own: they would all write a file of this machine's name.
        folder = out / f"of{rank}"
        folder.mkdir()
        with (folder / "log").open("w") as log:
            processes.append(start_member(given, rank, port, stdout=log, stderr=subprocess.STDOUT))
        folders.append(folder)
    codes = [process.wait() for process in processes]
    if any(codes):
        logs = "\n".join((folder / "log").read_text()[-2000:] for folder in folders)
        sys.exit(f"{logs}\nProcesses of the pod ended with {codes}.")
    seen, clocks = [], clocks_of(given.clocks)
    for rank, folder in enumerate(folders):
        (written,) = folder.rglob("*.xplane.pb")
        file = written.rename(session / f"host{rank}.xplane.pb")
        seen.append(json.loads((folder / "seen.json").read_text()))
        shutil.rmtree(folder)
        if rank in clocks:
            shift_clock(file, clocks[rank])
    slow_steps = 0 if given.slow is None else given.steps // given.every
    once_ms = given.ms * (given.layers if given.kind == "device" else 1)
    walls_ms = [
        (max(each[2] for each in of_step) - min(each[0] for each in of_step)) / 1e6
        for of_step in zip(*(each["steps_ns"] for each in seen), strict=True)
    ]
    truth = {
        "jax": seen[0]["jax"],
        "slow": None if given.slow is None else f"host{given.slow}",
        "reason": None if given.slow is None else "worked-longer" if given.kind == "device" else "launched-late",
        "extra_ms_per_step": once_ms * slow_steps / given.steps,
        "held_up_ms_per_step": held_up_ms(given, seen),
        "clocks_ms": {f"host{rank}": ms for rank, ms in clocks.items()},
        "steps": given.steps,
        "slept_ms": given.work_ms * given.layers + once_ms * slow_steps / given.steps,
        "step_ms": statistics.median(walls_ms),
        "mesh": seen[0]["mesh"],
        "mesh_devices": seen[0]["mesh_devices"],
        "devices": [each["devices"] for each in seen],
        "seconds": time.monotonic() - began,
    }
    (out / "truth.json").write_text(json.dumps(truth, indent=1))
    return truth


if __name__ == "__main__":
    asked = options()
    if asked.rank is not None:
        train(asked, asked.out / f"of{asked.rank}")
    else:
        made = make(asked)
        print(json.dumps({name: made[name] for name in ("jax", "slow", "extra_ms_per_step", "step_ms", "seconds")}))
