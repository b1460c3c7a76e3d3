"""Scripts that run out of memory and do not end with the error itself: caught, passed on, in a thread, in a child."""

import json
from pathlib import Path

import pytest

from made.findings import codes, said
from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.opening.profile import open_profile

TOO_LARGE_BYTES = 1_200_000 * 250_000 * 4

SCRIPT = """
    import logging
    import sys
    import threading
    import jax
    import jax.numpy as jnp

    def allocate():
        return jnp.broadcast_to(jnp.float32(1), (1_200_000, 250_000))

    def work():
        held = [jnp.full((512, 512), number) for number in range(8)]
        jax.block_until_ready(held)
        allocate()

    def main():
{main}

    if __name__ == "__main__":
        main()
    """
ALLOCATE_LINE = 9
HELD_LINE = 12
HELD_BYTES = 8 * 512 * 512 * 4

CAUGHT = """
        try:
            work()
        except jax.errors.JaxRuntimeError as error:
            print(error)
            {leave}
"""

PASSED_ON = """
        try:
            work()
        except Exception as error:
            logging.exception("the work failed")
            raise {passed}
"""

PASSED_ON_AND_CAUGHT = """
        try:
            try:
                work()
            except Exception as error:
                raise ValueError("the work failed") from error
        except ValueError as error:
            print("RESOURCE_EXHAUSTED", error)
            sys.exit(4)
"""

THREAD = """
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
        print(float(jnp.ones(3).sum()))
        sys.exit({code})
"""

WENT_ON = """
        for attempt in range(3):
            try:
                work()
            except jax.errors.JaxRuntimeError as error:
                print(error)
        print(float(jnp.ones(3).sum()))
"""

FAILED_LATER = """
        try:
            work()
        except jax.errors.JaxRuntimeError as error:
            print(error)
        {fail}
"""

POOL = """
        import multiprocessing
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            pool.apply(work)
"""


def script(main, **fields):
    """A script with ``main`` as the body of its main function."""
    return SCRIPT.format(main=main.format(**fields).strip("\n"))


def record_of(captured):
    profile = open_profile(captured.out)
    return memory_profile(profile, LineOptions(roots=(str(captured.out.parent),)))


def explained(captured):
    """The record of how memory ran out, checked against the script's lines."""
    record = record_of(captured).out_of_memory
    assert (record.stage, record.requested_bytes) == ("run", TOO_LARGE_BYTES)
    first = record.culprits[0]
    assert (first.path, first.line, first.function) == ("script.py", ALLOCATE_LINE, "allocate")
    assert first.bytes == TOO_LARGE_BYTES
    return record


@pytest.mark.parametrize("leave", ["sys.exit(3)", "raise SystemExit(3)", "exit(3)"])
def test_an_error_that_the_script_catches_and_leaves_with_is_told(bench, leave):
    bench.write("script.py", script(CAUGHT, leave=leave))
    captured = bench.capture("script.py")
    assert captured.returncode == 3, captured.stderr
    assert captured.run["exit_code"] == 3
    assert "RESOURCE_EXHAUSTED" in captured.stdout
    record = explained(captured)
    # What was alive as memory ran out, although it was let go of by the script's end.
    held = next(each for each in record.culprits if each.basis == "snapshot")
    assert (held.path, held.line, held.bytes) == ("script.py", HELD_LINE, HELD_BYTES)


def test_an_error_that_was_passed_on_and_caught_is_told(bench):
    bench.write("script.py", script(PASSED_ON_AND_CAUGHT))
    captured = bench.capture("script.py")
    assert captured.returncode == 4, captured.stderr
    explained(captured)


@pytest.mark.parametrize("passed", ['ValueError("no") from error', 'ValueError("no")', 'ValueError("no") from None'])
def test_an_error_that_is_logged_and_passed_on_as_another_is_told(bench, passed):
    bench.write("script.py", script(PASSED_ON, passed=passed))
    captured = bench.capture("script.py")
    assert captured.returncode == 1
    assert "ValueError: no" in captured.stderr
    explained(captured)


@pytest.mark.parametrize("code", [0, 5])
def test_an_error_that_ends_a_thread_is_told(bench, code):
    bench.write("script.py", script(THREAD, code=code))
    captured = bench.capture("script.py")
    assert captured.returncode == code, captured.stderr
    assert captured.stdout == "3.0\n"
    assert "Exception in thread" in captured.stderr
    assert captured.run["state"] == "captured"
    record = explained(captured)
    assert said(record).startswith("A thread of the script ran out of memory at script.py:9")


@pytest.mark.parametrize(("main", "stdout"), [(CAUGHT, 1), (WENT_ON, 4)])
def test_a_script_that_caught_the_error_and_ended_well_did_not_fail(bench, main, stdout):
    bench.write("script.py", script(main, leave="sys.exit(0)"))
    captured = bench.capture("script.py")
    assert captured.returncode == 0, captured.stderr
    assert len(captured.stdout.splitlines()) == stdout
    assert captured.run["state"] == "captured"
    assert captured.run["out_of_memory"] is None
    assert record_of(captured).out_of_memory is None
    # Once, however often it tried: each costs time.
    names = [each["name"] for each in captured.run["memory"]["snapshots"]]
    assert names.count("out-of-memory") == 1


RETURNED_A_CODE = """
        def attempt():
            try:
                work()
            except Exception as error:
                print(error)
                return 2
        sys.exit(attempt())
"""

KEPT_THE_ERROR = """
        failure = None
        try:
            work()
        except Exception as error:
            failure = error
        if failure is not None:
            sys.exit(2)
"""

WORKER = """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(2) as pool:
            try:
                pool.submit(work).result()
            except Exception as error:
                raise SystemExit("a worker failed") from None
"""

LEFT_AT_ONCE = """
        import os
        try:
            work()
        except Exception as error:
            os._exit(7)
"""


@pytest.mark.parametrize(
    ("main", "code"), [(RETURNED_A_CODE, 2), (KEPT_THE_ERROR, 2), (WORKER, 1), (LEFT_AT_ONCE, 7), (FAILED_LATER, 5)]
)
def test_an_error_that_was_dealt_with_before_the_script_left_is_told_as_caught(bench, main, code):
    bench.write("script.py", script(main, fail="sys.exit(5)"))
    captured = bench.capture("script.py")
    assert captured.run["exit_code"] == code, captured.stderr
    record = explained(captured)
    lead = f"The script ran out of memory at script.py:{ALLOCATE_LINE}, caught it, and left with code {code}: "
    assert said(record).startswith(lead)
    held = next(each for each in record.culprits if each.basis == "snapshot")
    assert (held.line, held.bytes) == (HELD_LINE, HELD_BYTES)


def test_a_script_that_went_on_and_failed_of_another_error_did_not_fail_of_memory(bench):
    bench.write("script.py", script(FAILED_LATER, fail='raise ValueError("something else")'))
    captured = bench.capture("script.py")
    assert captured.returncode == 1
    assert captured.run["out_of_memory"] is None


def test_an_error_of_a_child_process_that_reaches_the_script_is_told(bench):
    bench.write("script.py", script(POOL))
    captured = bench.capture("script.py")
    assert captured.returncode == 1
    assert "RESOURCE_EXHAUSTED" in captured.stderr
    assert record_of(captured).out_of_memory.requested_bytes == TOO_LARGE_BYTES


LOOK = """
    import gc, json, os, pickle, sys, threading, traceback
    import jax, jax.numpy as jnp

    seen = {}

    def allocate():
        return jnp.broadcast_to(jnp.float32(1), (1_200_000, 250_000))

    def look(name, error):
        copied = pickle.loads(pickle.dumps(error))
        seen[name] = [
            type(error).__name__, type(error).__module__, str(error), error.args, str(copied), sorted(vars(error)),
            [[each.name, each.lineno] for each in traceback.extract_tb(error.__traceback__)],
        ]

    try:
        allocate()
    except jax.errors.JaxRuntimeError as error:
        look("caught", error)
    try:
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: out of memory, says the script")
    except RuntimeError as error:
        look("raised", error)
    threading.excepthook = lambda arguments: look("thread", arguments.exc_value)
    worker = threading.Thread(target=allocate)
    worker.start()
    worker.join()
    child = os.fork()
    if child == 0:
        try:
            raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: out of memory")
        except jax.errors.JaxRuntimeError:
            os._exit(7)
    seen["child"] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # jax 0.6 itself leaves a circle of frames behind each error.
    gc.collect()
    seen["live"] = len(jax.live_arrays())
    print(json.dumps(seen, sort_keys=True))
    """


def test_a_script_that_catches_errors_of_memory_sees_no_difference(bench):
    bench.write("script.py", LOOK)
    plain = bench.plain("script.py")
    captured = bench.capture("script.py")
    assert plain.returncode == captured.returncode == 0, captured.stderr
    assert json.loads(captured.stdout) == json.loads(plain.stdout)
    assert json.loads(plain.stdout)["child"] == 7
    assert captured.run["out_of_memory"] is None


def test_what_a_thread_ends_with_is_printed_as_ever(bench):
    bench.write("script.py", script(THREAD, code=0))
    plain = bench.plain("script.py")
    captured = bench.capture("script.py")
    assert plain.stderr in captured.stderr


NO_ROOM_FOR_A_NUMBER = """
    import resource
    import sys
    import jax
    import jax.numpy as jnp

    kept = []

    def leak(number):
        kept.append(jnp.full((1024, 1024), number, jnp.float32).block_until_ready())

    def fill():
        with open("/proc/self/statm") as file:
            size = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + (400 << 20),) * 2)
        for number in range(2000):
            leak(float(number))

    leak(0.0)
    {main}
    """
LEAK_LINE = 10
NUMBER_CAUGHT = """try:
        fill()
    except Exception as error:
        print(type(error).__name__)
        sys.exit(4)"""
NUMBER_KEPT = """failures = []
    try:
        fill()
    except Exception as error:
        failures.append(error)
    print(type(failures[0]).__name__)
    raise SystemExit(4)"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the script limits itself by /proc")
@pytest.mark.parametrize(("main", "code"), [("fill()", 1), (NUMBER_CAUGHT, 4), (NUMBER_KEPT, 4)])
def test_an_error_of_pythons_own_class_is_told(bench, main, code):
    bench.write("script.py", NO_ROOM_FOR_A_NUMBER.format(main=main))
    captured = bench.capture("script.py")
    assert captured.returncode == code, captured.stderr
    assert "ValueError" in captured.stderr + captured.stdout
    record = record_of(captured).out_of_memory
    assert record.requested_bytes == 4 << 20
    # The arrays that piled up, at the line that made them.
    first = record.culprits[0]
    assert (first.path, first.line, first.function, first.basis) == ("script.py", LEAK_LINE, "leak", "snapshot")
    assert first.bytes > 100 << 20
    assert ("caught it, and left with code 4" in said(record)) == (code == 4)


WITHOUT_ROOM_FOR_A_RESULT = """
    import jax
    import jax.numpy as jnp

    @jax.jit
    def model(values):
        scaled = jnp.sin(values)
        return jnp.outer(scaled, scaled)

    values = jnp.ones(600_000)
    out = model(values)
    {wait}
    """
MODEL_LINE, CALL_LINE, WAIT_LINE = 8, 11, 12


@pytest.mark.parametrize(
    "wait", ["out.block_until_ready()", "print(out[0, 0])", "jax.block_until_ready(out)", "float(out.sum())"]
)
def test_a_program_without_room_for_its_result_is_named_and_not_the_line_that_waits_for_it(bench, wait):
    bench.write("script.py", WITHOUT_ROOM_FOR_A_RESULT.format(wait=wait))
    captured = bench.capture("script.py")
    assert captured.returncode == 1, captured.stderr
    made = record_of(captured)
    record = made.out_of_memory
    assert record.requested_bytes == 600_000**2 * 4
    first, second = record.culprits[:2]
    assert (first.path, first.line, first.basis) == ("script.py", MODEL_LINE, "compiler")
    assert (second.line, second.bytes, codes(second)) == (WAIT_LINE, None, ["where-it-came-up"])
    assert f"(it came up at script.py:{WAIT_LINE})" in said(record)
    # What never got memory took none.
    assert CALL_LINE not in [each.line for each in record.culprits]
    assert max(each.bytes for each in made.snapshots) < record.requested_bytes
