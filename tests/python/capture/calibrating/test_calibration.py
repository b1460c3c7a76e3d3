"""The machine is measured once, in a process of the user's interpreter, and no failure of it is the script's."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import attrs
import pytest

from scopelight.capture.calibrating import calibrator as calibrating
from scopelight.capture.calibrating.calibrator import MEASURING, Calibrator, cache_folder
from scopelight.capture.calibrating.hardware import core_count, memory_bytes
from scopelight.formats.lenient import from_json
from scopelight.model.devices.peaks import find_peaks
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.calibration import Calibration

SCRIPT = """
    import jax, jax.numpy as jnp
    step = jax.jit(lambda x: jnp.tanh(x @ x))
    x = jnp.ones((100, 100))
    for _ in range(20):
        x = step(x).block_until_ready()
"""
KNOWN = Calibration({"f32": 7e15}, 3e10, 2**34, core_count(), "A CPU", "1.2", others_ratio=0.05)


@pytest.fixture
def calibrator(tmp_path):
    """Make a calibrator whose interpreter is a shell script."""

    def make(script, say=lambda _: None, others_ratio=lambda: 0.6, **environment):
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
        variables = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), **environment}
        return Calibrator(str(python), tmp_path, variables, say, others_ratio)

    return make


def says(*known):
    return "\n".join(f"echo '{json.dumps(each)}'" for each in known)


@pytest.mark.parametrize("python", os.environ.get("SCOPELIGHT_TEST_PYTHONS", sys.executable).split(os.pathsep))
def test_every_rate_of_this_machine_is_measured(python):
    # With more time than users are made to wait: this machine may be busy.
    measured = subprocess.run(
        [python, str(MEASURING), "60", str(core_count()), str(memory_bytes()[1])],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    said = [json.loads(line) for line in measured.stdout.splitlines()]
    rates = {name: rate for each in said for name, rate in each.get("flops_per_s", {}).items()}
    assert next(iter(rates)) == "f32"
    assert set(rates) == {"f32", "f64", "bf16", "f16", "s8"}, [each for each in said if "problem" in each]
    assert all(1e6 < rate < 1e16 for rate in rates.values())
    assert min(rates["f32"], rates["f64"]) > 1e9
    (copied,) = [each["bytes_per_s"] for each in said if "bytes_per_s" in each]
    assert 1e8 < copied < 1e14
    (cached,) = [each["cache_bytes_per_s"] for each in said if "cache_bytes_per_s" in each]
    assert copied < cached < 1e15, "caches are faster than main memory"


def test_what_was_measured_is_kept_and_not_measured_again(calibrator):
    told = []
    measuring = calibrator(
        says({"jax": "1.2"}, {"flops_per_s": {"f32": 1e11}}, {"bytes_per_s": 1e10}, {"flops_per_s": {"f64": 5e10}}),
        told.append,
    )
    assert measuring.known("1.2") is None
    assert measuring.is_due("1.2")
    measured, problem = measuring.measure("1.2")
    assert problem is None
    assert len(told) == 1
    assert measured.flops_per_s == {"f32": 1e11, "f64": 5e10}
    assert (measured.bytes_per_s, measured.cores, measured.jax) == (1e10, core_count(), "1.2")
    assert measured.memory_bytes > 2**28
    assert measuring.known("1.2") == measured
    assert not measuring.is_due("1.2")
    assert measuring.is_due("1.3"), "another version of jax may be faster"
    other = attrs.evolve(measuring, environment={**measuring.environment, "XLA_FLAGS": "--xla_cpu_use_onednn=false"})
    assert other.is_due("1.2"), "so may jax with other flags"


def test_a_disturbed_measurement_is_made_again_later_and_each_rate_keeps_its_best(calibrator):
    disturbed = calibrator(
        says({"flops_per_s": {"f32": 1e11, "f64": 9e10}}, {"bytes_per_s": 1e10}, {"others_ratio": 0.6})
    )
    disturbed.measure("1.2")
    assert not disturbed.is_due("1.2")
    (kept,) = cache_folder(disturbed.environment).iterdir()
    os.utime(kept, (0, 0))
    assert disturbed.is_due("1.2")
    quiet = calibrator(says({"flops_per_s": {"f32": 2e11, "f64": 8e10}}, {"bytes_per_s": 2e10}, {"others_ratio": 0.0}))
    measured, _ = quiet.measure("1.2")
    assert (measured.flops_per_s, measured.bytes_per_s) == ({"f32": 2e11, "f64": 9e10}, 2e10)
    os.utime(kept, (0, 0))
    assert not quiet.is_due("1.2")


@pytest.mark.parametrize(("others_ratio", "is_due"), [(0.6, False), (0.05, True), (None, False)])
def test_a_disturbed_measurement_is_made_again_as_soon_as_the_machine_is_quiet(calibrator, others_ratio, is_due):
    disturbed = says({"flops_per_s": {"f32": 1e11}}, {"bytes_per_s": 1e10}, {"others_ratio": 0.6})
    measuring = calibrator(disturbed, others_ratio=lambda: others_ratio)
    measuring.measure("1.2")
    assert measuring.is_due("1.2") == is_due


def test_how_busy_others_keep_the_machine_is_a_share_of_its_processors():
    others_ratio = calibrating.others_ratio_now()
    assert others_ratio is None or 0 <= others_ratio <= 1.1


def test_an_unfinished_measurement_is_made_again_with_the_next_run_and_says_what_is_lacking(calibrator):
    unfinished = calibrator(says({"flops_per_s": {"f32": 1e11}}, {"problem": "no memory is free"}))
    measured, problem = unfinished.measure("1.2")
    assert (measured.bytes_per_s, measured.lacking) == (None, ("bandwidth",))
    assert (problem.code, problem.severity) == ("machine-measured-in-part", "warning")
    assert dict(problem.values) == {"lacking": ("bandwidth",), "problem": "no memory is free"}
    assert unfinished.is_due("1.2")
    measured, problem = calibrator(says({"bytes_per_s": 1e10})).measure("1.2")
    assert (measured.flops_per_s, measured.bytes_per_s, problem) == ({"f32": 1e11}, 1e10, None)
    assert not unfinished.is_due("1.2")


@pytest.fixture
def short_of_time(monkeypatch):
    """Processes that sleep are ended soon."""
    monkeypatch.setattr(calibrating, "MOST_SECONDS", (2.0, 2.0, 2.0))


@pytest.mark.usefixtures("short_of_time")
@pytest.mark.parametrize(
    ("first", "then"),
    [
        ({"flops_per_s": {"f32": 1e11}}, {"bytes_per_s": 1e10}),
        ({"bytes_per_s": 1e10}, {"flops_per_s": {"f32": 1e11}}),
    ],
)
def test_a_measurement_that_lacked_time_is_repeated_until_it_has_both(calibrator, tmp_path, first, then):
    """As on a busy machine: the process is ended before it has measured all. The next measures what is lacking."""
    asked = tmp_path / "asked"
    script = f"""echo "$@" >> {asked}
        if [ "$(wc -l < {asked})" -lt 3 ]; then {says(first)}; exec sleep 600; fi
        {says(then)}"""
    told = []
    measured, problem = calibrator(script, told.append).measure("1.2")
    assert problem is None
    assert (measured.flops_per_s, measured.bytes_per_s) == ({"f32": 1e11}, 1e10)
    (essential,) = [{"flops_per_s": "f32", "bytes_per_s": "bandwidth"}[each] for each in first]
    assert [line.split()[4:] for line in asked.read_text().splitlines()] == [[], [essential], [essential]]
    assert len(told) == 1


@pytest.mark.usefixtures("short_of_time")
def test_where_time_never_suffices_it_says_so(calibrator, tmp_path):
    asked = tmp_path / "asked"
    script = f"echo >> {asked}; {says({'flops_per_s': {'f32': 1e11}})}; exec sleep 600"
    measured, problem = calibrator(script).measure("1.2")
    assert (measured.bytes_per_s, measured.lacking) == (None, ("bandwidth",))
    assert problem.code == "machine-measured-in-part"
    assert "longer than 2 s" in problem.values["problem"]
    assert len(asked.read_text().splitlines()) == 3


def test_a_measurement_that_failed_is_not_repeated(calibrator, tmp_path):
    asked = tmp_path / "asked"
    measured, problem = calibrator(f"echo >> {asked}; {says({'bytes_per_s': 1e10})}; kill -SEGV $$").measure("1.2")
    assert measured.lacking == ("f32",)
    assert "code -11" in problem.values["problem"]
    assert len(asked.read_text().splitlines()) == 1


def test_what_is_lacking_is_measured_and_not_what_is_known():
    def rates(available_bytes, *known):
        command = [sys.executable, str(MEASURING), "60", "1", str(available_bytes), *known]
        said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout.splitlines()
        return {name: value for line in reversed(said) for name, value in json.loads(line).items()}, said

    found, said = rates(memory_bytes()[1], "f32")
    assert found["bytes_per_s"] > 1e8
    assert not any("f32" in line for line in said)
    found, _ = rates(1 << 20, "f32")
    assert "bytes_per_s" not in found
    assert "memory" in found["problem"]


def test_how_busy_the_machine_was_stays_known_where_one_of_two_measurements_could_not_say(calibrator):
    calibrator(says({"flops_per_s": {"f32": 1e11}})).measure("1.2")
    measured, _ = calibrator(says({"bytes_per_s": 1e10}, {"others_ratio": 0.6})).measure("1.2")
    assert measured.is_disturbed


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo \"ModuleNotFoundError: No module named 'jax'\" >&2; exit 1", "No module named 'jax'"),
        ("kill -SEGV $$", "code -11"),
        ("echo nonsense; echo '[1]'; echo '{\"flops_per_s\": 3}'", "code 0"),
    ],
)
def test_what_cannot_be_measured_says_why_and_is_not_kept(calibrator, script, why):
    measuring = calibrator(script)
    measured, problem = measuring.measure("1.2")
    assert measured is None
    assert problem.code == "machine-not-measured"
    assert why in problem.values["problem"]
    assert measuring.is_due("1.2")


def test_a_process_that_takes_too_long_is_ended_and_what_it_said_counts(calibrator, monkeypatch):
    monkeypatch.setattr(calibrating, "MOST_SECONDS", (2.0,))
    measured, problem = calibrator(f"{says({'flops_per_s': {'f32': 1e11}})}\nexec sleep 600").measure("1.2")
    assert problem.code == "machine-measured-in-part"
    assert measured.flops_per_s == {"f32": 1e11}
    _, problem = calibrator("exec sleep 600", XDG_CACHE_HOME="/dev/null").measure("1.2")
    assert "longer than 2 s" in problem.values["problem"]


def is_waiting_for_a_process():
    """Whether the main thread waits for what a process says."""
    frame = sys._current_frames()[threading.main_thread().ident]
    return any(each.f_code is subprocess.Popen.communicate.__code__ for each, _ in traceback.walk_stack(frame))


def test_an_interrupt_skips_the_measurement(calibrator):
    def interrupt():
        while not is_waiting_for_a_process():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    measured, problem = calibrator("exec sleep 600").measure("1.2")
    assert measured is None
    assert "interrupted" in problem.values["problem"]
    measured, problem = calibrator("kill -INT $$").measure("1.2")
    assert measured is None
    assert "interrupted" in problem.values["problem"], "in a terminal the process is interrupted too"


def test_a_cache_that_cannot_be_written_or_read_is_no_failure(calibrator, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    measuring = calibrator(says({"flops_per_s": {"f32": 1e11}}))
    measured, problem = measuring.measure("1.2")
    assert (measured.flops_per_s, problem.values["lacking"]) == ({"f32": 1e11}, ("bandwidth",))
    assert measuring.known("1.2") is None
    (tmp_path / "cache").unlink()
    measuring.measure("1.2")
    (kept,) = cache_folder(measuring.environment).iterdir()
    for damaged in ("", "[]", "{", '{"calibration": {"flops_per_s": {"f32": "fast"}}}', "[" * 100_000):
        kept.write_text(damaged)
        assert measuring.known("1.2") is None
        assert measuring.is_due("1.2")


def test_the_measurement_leaves_nothing_behind_for_the_user(calibrator, tmp_path):
    seen = tmp_path / "seen"
    measuring = calibrator(
        f"env > {seen}; {says({'flops_per_s': {'f32': 1.0}})}",
        XLA_FLAGS="--xla_dump_to=/somewhere --xla_cpu_use_onednn=false",
        JAX_DISABLE_JIT="1",
    )
    measuring.measure("1.2")
    told = dict(line.split("=", 1) for line in seen.read_text().splitlines() if "=" in line)
    assert told["XLA_FLAGS"] == "--xla_cpu_use_onednn=false"
    assert told["JAX_DISABLE_JIT"] == told["JAX_ENABLE_COMPILATION_CACHE"] == "false"


def command(bench, *options):
    environment = {**bench.environment, "XDG_CACHE_HOME": str(bench.folder / "cache")}
    arguments = ["run", "--python", bench.python, "--out", "run", *options, "script.py"]
    finished = subprocess.run(
        [sys.executable, "-m", "scopelight.cli.main", *arguments],
        cwd=bench.folder,
        env={**environment, "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return finished, json.loads((bench.folder / "run" / "run.json").read_text())


def test_a_run_on_the_cpu_records_what_the_machine_can_do(bench, calibrator):
    bench.write("script.py", SCRIPT)
    finished, run = command(bench)
    assert finished.returncode == 0, (finished.stderr, run["probes"], run["findings"])
    assert finished.stderr.count("measuring what this machine can do") == 1
    assert (run["state"], run["exit_code"]) == ("captured", 0)
    found = from_json(run["calibration"], Calibration)
    could_not = [each["code"] for each in run["findings"] if each["code"].startswith("machine-")]
    why = ["machine-not-measured"] if found is None else ["machine-measured-in-part"] if found.lacking else []
    assert could_not == why, "a busy machine may not be measured in time, and then it says so"
    # From now on it is known, and there as soon as the backend is.
    environment = {"XDG_CACHE_HOME": str(bench.folder / "cache")}
    calibrator(says(attrs.asdict(KNOWN)), **environment).measure(run["versions"]["jax"])
    finished, run = command(bench)
    assert "measuring what" not in finished.stderr
    assert from_json(run["calibration"], Calibration).flops_per_s["f32"] == KNOWN.flops_per_s["f32"]
    profile = open_profile(bench.folder / "run")
    peaks, why_none = find_peaks(profile)
    assert why_none is None
    assert [(each.basis, each.flops_per_s_of("f32")) for each in peaks] == [("calibrated", KNOWN.flops_per_s["f32"])]


def test_a_run_without_calibration_says_what_is_missing(bench):
    bench.write("script.py", SCRIPT)
    finished, run = command(bench, "--no-calibration")
    assert finished.returncode == 0
    assert "measuring what" not in finished.stderr
    assert run["calibration"] is None
    peaks, why_none = find_peaks(open_profile(bench.folder / "run"))
    assert not peaks
    assert (why_none.code, why_none.values["why"]) == ("utilisation-unknown", "not-to-be-measured")
