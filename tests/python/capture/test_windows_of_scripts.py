"""Which part of a script is captured, seen on real scripts."""

import json
import os
import signal

import pytest

from made.findings import codes
from scopelight.analysis.steps.steps import find_repetition, find_steps
from scopelight.model.opening.profile import open_profile

LOOP = """
    import os, sys, time
    import jax, jax.numpy as jnp

    @jax.jit
    def step(w, x):
        h = jnp.tanh(x @ w)
        return w - 1e-3 * (h.T @ h)

    w, x = jnp.ones((200, 200)), jnp.ones((400, 200))
    most, pause_seconds = int(sys.argv[1]), float(sys.argv[2])
    steps = open("steps", "ab", buffering=0)
    count = 0
    while count < most and not os.path.exists("enough"):
        w = step(w, x).block_until_ready()
        time.sleep(pause_seconds)
        count += 1
        steps.write(b".")
    print(count)
"""
"""Steps with a pause after each: as many as the first argument says, or until there is a file ``enough``."""
ENDLESS = str(1 << 30)


ANNOTATED = """
    import os, sys, time
    import jax, jax.numpy as jnp

    @jax.jit
    def step(w, x):
        h = jnp.tanh(x @ w)
        return w - 1e-3 * (h.T @ h)

    w, x = jnp.ones((200, 200)), jnp.ones((400, 200))
    most, seconds = int(sys.argv[1]), float(sys.argv[2])
    count = 0
    while count < most and not os.path.exists("enough"):
        with jax.profiler.StepTraceAnnotation("fit", step_num=count):
            began = time.perf_counter()
            w = step(w, x).block_until_ready()
            time.sleep(max(0, seconds - (time.perf_counter() - began)))
        count += 1
    print(count)
"""
"""Annotated steps that take so many seconds: as many as the first argument says, or until there is ``enough``."""


def is_closed(information):
    """Whether the window is over."""
    return (information.get("window") or {}).get("closed_ns") is not None


def window_steps(profile):
    """How many of the script's steps a profile holds."""
    runs = [profile.executions.programs[row].name for row in profile.runs.program]
    return sum("step" in name for name in runs)


def steps_done(bench):
    """How many steps a script has done by now."""
    file = bench.folder / "steps"
    return file.stat().st_size if file.exists() else 0


def test_five_steps_are_captured_and_the_script_goes_on(bench):
    bench.write("loop.py", LOOP)
    captured = bench.capture_until(is_closed, "loop.py", ENDLESS, "0.03")
    run = captured.run
    assert captured.returncode == 0
    assert run["state"] == "captured" and run["window"]["kind"] == "steps", captured.stderr
    assert run["window"]["period_seconds"] > 0.03
    assert len(captured.profiles) == 1
    profile = open_profile(captured.out)
    assert find_repetition(profile).count >= 5
    assert window_steps(profile) < int(captured.stdout)


def test_a_step_longer_than_the_probe_is_found(bench):
    bench.write("loop.py", LOOP)
    captured = bench.capture_until(is_closed, "loop.py", ENDLESS, "1.2", steps=2, skip=1)
    assert captured.run["window"]["kind"] == "steps", captured.stderr
    assert find_repetition(open_profile(captured.out)).count >= 2


def test_a_script_that_ends_early_is_captured_whole(bench):
    bench.write("loop.py", LOOP)
    captured = bench.capture("loop.py", "4", "0.001")
    assert captured.run["window"]["kind"] == "whole"
    assert window_steps(open_profile(captured.out)) == 4


LATE = """
    import sys, time
    import jax, jax.numpy as jnp

    (thread,) = [each for name, each in sys.modules.items() if name.endswith("shim.unseen_thread")]
    run = thread.UnseenThread._run
    late_seconds, has_begun = float(sys.argv[1]), False

    def run_late(self):
        global has_begun
        time.sleep(late_seconds)
        has_begun = True
        run(self)

    thread.UnseenThread._run = run_late
"""
"""As on a machine that is busy: the thread that traces comes up late."""


def test_the_first_program_waits_for_a_trace_that_begins_late(bench):
    bench.write(
        "short.py",
        f"""{LATE}
    @jax.jit
    def step(x):
        return jnp.tanh(x @ x)

    x = jnp.ones((100, 100))
    for _ in range(20):
        x = step(x).block_until_ready()
    """,
    )
    captured = bench.capture("short.py", "0.5")
    assert captured.run["window"]["kind"] == "whole", captured.stderr
    assert window_steps(open_profile(captured.out)) == 20


def test_a_trace_that_does_not_begin_is_waited_for_only_once(bench):
    bench.write(
        "programs.py",
        f"""{LATE}
    for size in range(10, 20):
        jax.block_until_ready(jnp.ones((size, size)) @ jnp.ones((size, size)))
    print(has_begun)
    """,
    )
    captured = bench.capture("programs.py", "8")
    assert captured.stdout == "False\n", captured.stderr


def test_a_script_of_few_slow_steps_is_captured_whole(bench):
    # Steps too slow for the first probe: the traces follow on each other until the script ends.
    bench.write("loop.py", LOOP)
    captured = bench.capture("loop.py", "6", "0.6")
    assert captured.run["window"]["kind"] == "whole", captured.stderr
    assert len(captured.profiles) > 1
    profile = open_profile(captured.out)
    assert len(profile.executions.devices) == 1
    # A step may fall into the moment between two traces, no more.
    missing = len(captured.profiles) - 1
    assert 6 - missing <= window_steps(profile) <= 6
    assert find_repetition(profile).period_ps / 1e12 > 0.6


def test_the_annotated_steps_of_a_script_that_is_captured_in_parts_are_all_there(bench):
    bench.write("annotated.py", ANNOTATED)
    captured = bench.capture("annotated.py", "6", "0.4")
    assert captured.run["window"]["kind"] == "whole", captured.stderr
    cuts = len(captured.profiles) - 1
    assert cuts
    profile = open_profile(captured.out)
    assert len(profile.untraced.start_ps) == cuts
    (marks,) = profile.step_marks
    # A trace is cut where a step is about to begin, which waits for the next one to run.
    assert len(marks.number) == 6
    steps = find_steps(profile)
    assert steps.source == "annotation" and len(steps) == len(marks.number)
    assert max(steps.duration_ps) < 2 * 0.4e12


def test_the_short_steps_of_a_script_that_annotates_nothing_do_not_run_while_a_trace_is_cut(bench):
    # Many ops: stopping a trace takes longer than several steps.
    bench.write(
        "short.py",
        """
        import jax, jax.numpy as jnp

        @jax.jit
        def step(w, x):
            for _ in range(200):
                w = w - 1e-3 * (jnp.tanh(x @ w).T @ (x @ w))
            return w

        w, x = jnp.ones((60, 60)), jnp.ones((100, 60))
        for _ in range(160):
            w = step(w, x).block_until_ready()
        """,
    )
    captured = bench.capture("short.py", steps=1000)
    assert captured.run["window"]["kind"] == "whole", captured.stderr
    cuts = len(captured.profiles) - 1
    assert cuts
    profile = open_profile(captured.out)
    assert window_steps(profile) == 160
    # The last before a cut has no next one to end at, and so has the last of all.
    assert len(find_steps(profile)) >= 160 - cuts - 1


def test_steps_whose_programs_queue_behind_each_other_are_told_apart(bench):
    bench.write(
        "ahead.py",
        """
        import jax, jax.numpy as jnp
        step = jax.jit(lambda w, x: w - 1e-3 * (jnp.tanh(x @ w).T @ (x @ w)))
        w, x = jnp.ones((500, 500)), jnp.ones((1000, 500))
        for number in range(12):
            with jax.profiler.StepTraceAnnotation("fit", step_num=number):
                w = step(w, x)
        w.block_until_ready()
        """,
    )
    captured = bench.capture("ahead.py", whole=True)
    profile = open_profile(captured.out)
    steps = find_steps(profile)
    assert steps.source == "annotation" and len(steps) == 12
    ends = steps.start_ps + steps.duration_ps
    assert (ends[:-1] <= steps.start_ps[1:]).all()
    # Each has one run of the step, on the device.
    names = [profile.executions.programs[row].name for row in profile.runs.program]
    runs = [start for name, start in zip(names, profile.runs.start_ps.tolist(), strict=True) if "lambda" in name]
    assert len(runs) == 12
    assert [sum(first <= run < last for run in runs) for first, last in zip(steps.start_ps, ends, strict=True)] == (
        [1] * 12
    )


@pytest.mark.parametrize("script", [LOOP, ANNOTATED], ids=["loop", "annotated"])
@pytest.mark.parametrize("seconds", ["0.002", "0.1"])
def test_as_many_steps_are_captured_as_were_asked_for(bench, script, seconds):
    bench.write("steps.py", script)
    captured = bench.capture_until(is_closed, "steps.py", ENDLESS, seconds, steps=4)
    window = captured.run["window"]
    assert window["kind"] == "steps", captured.stderr
    assert window["steps"] == window["complete_steps"] == 4
    steps = find_steps(open_profile(captured.out))
    assert steps.source == ("annotation" if script is ANNOTATED else "repetition")
    assert len(steps) == 4


def test_whole_captures_from_the_first_program_to_the_last(bench):
    bench.write("loop.py", LOOP)
    captured = bench.capture("loop.py", "50", "0.05", whole=True)
    assert captured.run["window"]["kind"] == "whole"
    assert window_steps(open_profile(captured.out)) == int(captured.stdout) == 50


@pytest.mark.parametrize(("limit", "most"), [("most_seconds", 2.5), ("most_bytes", 8_000_000)])
def test_a_whole_script_that_reaches_its_limit_is_kept_up_to_there(bench, limit, most):
    bench.write("loop.py", LOOP)
    captured = bench.capture_until(is_closed, "loop.py", ENDLESS, "0.002", whole=True, **{limit: most})
    window = captured.run["window"]
    size = sum(each["bytes"] for each in captured.run["probes"])
    assert window["kind"] == "seconds"
    assert "rest-left-out" in codes(captured.run)
    if limit == "most_seconds":
        assert window["seconds"] == pytest.approx(most, abs=1.0)
    else:
        assert 0.8 * most < size < 1.3 * most
        assert ("larger-than-asked" in codes(captured.run)) == (size > most)
    assert 0 < window_steps(open_profile(captured.out)) < int(captured.stdout)


def test_a_window_of_seconds(bench):
    bench.write("loop.py", LOOP)
    captured = bench.capture_until(is_closed, "loop.py", ENDLESS, "0.01", seconds=0.5)
    assert captured.run["window"]["kind"] == "seconds"
    assert captured.run["window"]["seconds"] >= 0.5
    assert 0 < window_steps(open_profile(captured.out)) < int(captured.stdout)


def test_a_script_that_compiles_on_still_gets_a_profile(bench):
    bench.write(
        "shapes.py",
        """
        import jax, jax.numpy as jnp
        step = jax.jit(lambda x: jnp.tanh(x @ x.T).sum())
        for size in range(20, 60):
            step(jnp.ones((size, size))).block_until_ready()
        """,
    )
    captured = bench.capture("shapes.py")
    assert captured.run["window"]["kind"] == "whole"
    assert len(open_profile(captured.out).modules) >= 40


def test_an_exception_keeps_the_profile_and_the_exit_code(bench):
    bench.write(
        "raises.py",
        """
        import jax, jax.numpy as jnp
        step = jax.jit(lambda x: jnp.tanh(x @ x))
        x = jnp.ones((100, 100))
        for number in range(20):
            x = step(x).block_until_ready()
        raise RuntimeError("midway")
        """,
    )
    captured = bench.capture("raises.py")
    plain = bench.plain("raises.py")
    assert captured.returncode == plain.returncode == 1
    assert plain.stderr in captured.stderr
    assert captured.run["exit_code"] == 1
    assert len(open_profile(captured.out).executions) > 20


def test_interrupting_the_terminals_group_keeps_the_profile(bench):
    bench.write("loop.py", LOOP)
    process = bench.start("loop.py", ENDLESS, "0.001", whole=True)
    bench.wait(process, lambda: steps_done(bench) > 12)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr.count("KeyboardInterrupt") == 1
    assert "window: whole" in stderr
    assert len(open_profile(bench.folder / "run").runs) > 10


def test_interrupting_scopelight_alone_reaches_the_script(bench):
    bench.write("loop.py", LOOP)
    process = bench.start("loop.py", ENDLESS, "0.001", whole=True)
    bench.wait(process, lambda: bench.information.get("backend"))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert open_profile(bench.folder / "run")


def test_an_end_asked_of_scopelight_saves_the_trace_first(bench):
    bench.write("loop.py", LOOP)
    process = bench.start("loop.py", ENDLESS, "0.001", whole=True)
    bench.wait(process, lambda: steps_done(bench) > 2)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 143
    assert len(open_profile(bench.folder / "run").runs) > 0


def test_the_scripts_own_trace_wins(bench):
    bench.write(
        "own.py",
        """
        import jax, jax.numpy as jnp
        from jax.profiler import start_trace, stop_trace
        step = jax.jit(lambda x: jnp.tanh(x @ x))
        x = step(jnp.ones((100, 100))).block_until_ready()
        start_trace("logs")
        for number in range(7):
            x = step(x).block_until_ready()
        stop_trace()
        for number in range(30):
            x = step(x).block_until_ready()
        """,
    )
    captured = bench.capture("own.py")
    assert captured.returncode == 0, captured.stderr
    assert captured.run["window"]["kind"] == "script"
    (theirs,) = (bench.folder / "logs").glob("plugins/profile/*/*.xplane.pb")
    (ours,) = captured.profiles
    assert ours.read_bytes() == theirs.read_bytes()
    assert len(open_profile(captured.out).runs) == 7


def test_a_profiler_server_of_the_script_starts_beside_the_capture(bench):
    bench.write(
        "server.py",
        """
        import jax, jax.numpy as jnp, socket
        with socket.socket() as free:
            free.bind(("localhost", 0)); port = free.getsockname()[1]
        x = jnp.ones((100, 100)) @ jnp.ones((100, 100))
        jax.profiler.start_server(port)
        jax.jit(lambda x: jnp.tanh(x @ x))(x).block_until_ready()
        """,
    )
    captured = bench.capture("server.py")
    assert captured.returncode == 0, captured.stderr
    assert captured.run["state"] == "captured"


def test_several_devices_of_the_host(bench):
    bench.write(
        "sharded.py",
        """
        import os
        os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
        import jax, jax.numpy as jnp
        y = jax.pmap(lambda x: x @ x)(jnp.ones((4, 64, 64))).block_until_ready()
        print(len(jax.devices()))
        """,
    )
    captured = bench.capture("sharded.py")
    assert captured.stdout == "4\n"
    assert len(captured.run["devices"]) == 4


def test_the_cache_does_not_bring_back_old_lines(bench):
    program = """
        import os
        os.environ["JAX_COMPILATION_CACHE_DIR"] = os.path.abspath("cache")
        os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
        os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"
        import jax, jax.numpy as jnp
        {blank}
        def step(x):
            return jnp.tanh(x @ x)
        x = jnp.ones((100, 100))
        step = jax.jit(step)
        for number in range(10):
            x = step(x).block_until_ready()
    """
    bench.write("edited.py", program.format(blank=""))
    assert bench.plain("edited.py").returncode == 0
    assert list((bench.folder / "cache").iterdir())
    bench.write("edited.py", program.format(blank="# one\n        # two\n        # three"))
    captured = bench.capture("edited.py")
    assert captured.returncode == 0, captured.stderr
    lines = {
        frame.line
        for module in open_profile(captured.out).modules
        if "step" in module.name
        for instruction in module.instructions
        for frame in instruction.stack
        if frame.path.endswith("edited.py")
    }
    source = (bench.folder / "edited.py").read_text().splitlines()
    assert lines and any("tanh" in source[line - 1] for line in lines)
    assert all(not source[line - 1].startswith(("#", "def")) for line in lines)


def test_a_module_imported_and_edited_later_is_saved_as_it_was(bench):
    bench.write("layers.py", "import jax.numpy as jnp\ndef layer(x):\n    return jnp.tanh(x @ x)\n")
    bench.write(
        "train.py",
        """
        import jax, jax.numpy as jnp
        from layers import layer
        x = jnp.ones((100, 100))
        step = jax.jit(layer)
        for number in range(10):
            x = step(x).block_until_ready()
        open("layers.py", "w").write("# edited\\n")
        """,
    )
    captured = bench.capture("train.py")
    index = json.loads((captured.out / "sources" / "index.json").read_text())
    (stored,) = (value["file"] for path, value in index.items() if path.endswith("layers.py"))
    assert "return jnp.tanh(x @ x)" in (captured.out / "sources" / stored).read_text()
    assert any(path.endswith("train.py") for path in index)
