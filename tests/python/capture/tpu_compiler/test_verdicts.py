"""What was compiled once is not compiled again, and what says nothing of a program is not kept."""

import attrs
import pytest

from scopelight.capture.tpu_compiler.task import CompileTask, Verdict
from scopelight.capture.tpu_compiler.topologies import topology_named
from scopelight.capture.tpu_compiler.verdicts import Verdicts
from scopelight.model.run.prediction import PredictedMemory


def compiled(file):
    file.write_bytes(b"program")
    return Verdict(
        "compiled", seconds=2.5, parameter_shardings=("a", "b"), result_shardings=(), memory=PredictedMemory(1, 2, 3),
        file=file,
    )  # fmt: skip


def never(_):
    raise AssertionError("it is known")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "program.hlo.pb"


def test_a_verdict_is_known_again(tmp_path, file):
    first = Verdicts(tmp_path / "kept").of("key", file, compiled)
    file.unlink()
    assert Verdicts(tmp_path / "kept").of("key", file, never) == first
    assert file.read_bytes() == b"program"


@pytest.mark.parametrize("outcome", ["crashed", "memory-limit", "cancelled"])
def test_what_says_nothing_of_the_program_is_asked_again(tmp_path, file, outcome):
    verdicts = Verdicts(tmp_path / "kept")
    assert verdicts.of("key", file, lambda _: Verdict(outcome)).outcome == outcome
    assert verdicts.of("key", file, compiled).outcome == "compiled"


def test_a_refusal_is_kept_with_its_words(tmp_path, file):
    verdicts = Verdicts(tmp_path / "kept")
    verdicts.of("key", file, lambda _: Verdict("refused", "UNIMPLEMENTED: of no use", "JaxRuntimeError"))
    assert verdicts.of("key", file, never).message == "UNIMPLEMENTED: of no use"


def test_a_damaged_verdict_is_asked_again(tmp_path, file):
    verdicts = Verdicts(tmp_path / "kept")
    verdicts.of("key", file, compiled)
    (tmp_path / "kept" / "key" / "verdict.json").write_text("[]")
    assert verdicts.of("key", file, compiled).file.read_bytes() == b"program"


def test_the_oldest_make_room(tmp_path, file):
    verdicts = Verdicts(tmp_path / "kept", most_bytes=500)
    for each in ("first", "second", "third"):
        verdicts.of(each, file, compiled)
    assert verdicts.of("third", file, never).outcome == "compiled"
    assert not (tmp_path / "kept" / "first").exists()


def test_a_folder_that_cannot_be_written_costs_no_verdict(tmp_path, file):
    """What is compiled is lost for the next time, and not for this one."""
    (tmp_path / "kept").write_text("a file")
    assert Verdicts(tmp_path / "kept").of("key", file, compiled).outcome == "compiled"


def test_a_verdict_depends_on_all_that_the_compiler_is_told(tmp_path):
    module = tmp_path / "1.mlir"
    module.write_bytes(b"one")
    task, topology = CompileTask(1, "jit(f)", module, 8, (True,), (False,)), topology_named("v5e-8")
    keys = {
        task.key(topology, "compiler 1"),
        task.key(topology, "compiler 2"),
        task.key(topology_named("v5e-16"), "compiler 1"),
        task.key(topology_named("v5e:4x2"), "compiler 1"),
        *(
            attrs.evolve(task, **changed).key(topology, "compiler 1")
            for changed in (
                {"partitions": 4},
                {"propagates_to_parameters": (False,)},
                {"propagates_to_results": (True,)},
                {"uses_shardy": False},
                {"options": {"xla_tpu_scoped_vmem_limit_kib": "65536"}},
            )
        ),
    }
    module.write_bytes(b"other")
    keys.add(task.key(topology, "compiler 1"))
    assert len(keys) == 10
    module.write_bytes(b"one")
    assert attrs.evolve(task, program=7, name="jit(g)").key(topology, "compiler 1") in keys
