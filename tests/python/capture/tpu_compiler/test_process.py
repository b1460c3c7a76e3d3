"""Whatever becomes of the compiler's process, whoever asked gets a verdict, and the next program is compiled."""

import threading

import pytest

from made.compilers import stand_in
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.task import CompileTask
from scopelight.capture.tpu_compiler.topologies import topology_named
from scopelight.formats.hlo.reader import read_hlo_file

V5E = topology_named("v5e-8")


@pytest.fixture
def compiler(tmp_path):
    """``compiler(most_bytes, **orders)``: a process that is closed at the end."""
    made = []

    def make(most_bytes=None, **orders):
        made.append(CompilerProcess(stand_in(tmp_path, **orders), most_bytes))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def task(tmp_path):
    """``task(name)``: a program of that name."""

    def make(name):
        module = tmp_path / "1.mlir"
        module.write_bytes(b"module")
        return CompileTask(1, f"jit({name})", module, 1, (), ())

    return make


def test_a_program_is_kept_as_the_compiler_left_it(compiler, task, tmp_path):
    file = tmp_path / "program.hlo.pb"
    verdict = compiler().compile(task("train_step"), V5E, file)
    assert (verdict.outcome, verdict.file) == ("compiled", file)
    assert read_hlo_file(file).hlo_module.name.startswith("jit_train_step")
    assert verdict.memory is not None and verdict.memory.peak_bytes > 2 << 30


@pytest.mark.parametrize(
    ("order", "most_bytes", "outcome", "said"),
    [
        ("die", None, "crashed", "the compiler's process was killed"),
        ("babble", None, "crashed", "answered with something else"),
        ("grow", 200 << 20, "memory-limit", "the compiler took more than 0.2 GB of memory"),
    ],
)
def test_a_process_that_fails_is_told_of_and_the_next_program_is_compiled(
    compiler, task, tmp_path, order, most_bytes, outcome, said
):
    process = compiler(most_bytes, train_step=order)
    verdict = process.compile(task("train_step"), V5E, tmp_path / "program.hlo.pb")
    assert (verdict.outcome, verdict.file) == (outcome, None)
    assert said in verdict.message
    assert not verdict.is_lasting
    again = process.compile(task("train_step"), V5E, tmp_path / "program.hlo.pb")
    assert again.outcome == "compiled"


def test_a_process_that_is_cancelled_ends_at_once_and_compiles_nothing_more(compiler, task, tmp_path):
    process = compiler(train_step="hang")
    threading.Timer(1.0, process.cancel).start()
    assert process.compile(task("train_step"), V5E, tmp_path / "program.hlo.pb").outcome == "cancelled"
    assert process.compile(task("initial"), V5E, tmp_path / "program.hlo.pb").outcome == "cancelled"


def test_an_environment_that_does_not_start_is_told_of(task, tmp_path):
    environment = stand_in(tmp_path)
    environment.python.write_text("#!/bin/sh\nexit 3\n")
    process = CompilerProcess(environment, None)
    verdict = process.compile(task("train_step"), V5E, tmp_path / "program.hlo.pb")
    assert (verdict.outcome, verdict.message) == ("crashed", "the compiler's process did not start")
    process.close()


def test_an_environment_that_is_gone_is_told_of(task, tmp_path):
    environment = stand_in(tmp_path)
    environment.python.unlink()
    process = CompilerProcess(environment, None)
    verdict = process.compile(task("train_step"), V5E, tmp_path / "program.hlo.pb")
    assert verdict.outcome == "crashed"
    process.close()
