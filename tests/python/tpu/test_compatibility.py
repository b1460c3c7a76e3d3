"""What is said of ops is what the compiler for TPUs does with them: small programs, and parts counted by hand."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import attrs
import pytest

from made import scripts
from scopelight.analysis.compatibility.view import compatibility
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.prediction import read_prediction
from scopelight.source.workspace import line_options

SCRIPTS = Path(scripts.__file__).parent
TIMEOUT_SECONDS = 500

VERDICTS = {
    **dict.fromkeys(("f64_product", "f64_sine", "int64_sum", "uint64_product"), ("emulated", "wide-numbers")),
    **dict.fromkeys(("complex64_product", "complex128_sum"), ("emulated", "complex-numbers")),
    "f8_product": ("emulated", "float8-numbers"),
    **dict.fromkeys(("pure_callback", "ordered_callback", "printed"), ("on-host", "callback")),
    "on_the_host": ("on-host", "host-compute"),
    **dict.fromkeys(("eigenvalues", "schur"), ("refused", "decomposition")),
    "indices_of_nonzero": ("refused", "size-unknown"),
    "unaligned_blocks": ("refused", "block-shape"),
    "triton_kernel": ("refused", "triton"),
    "fft_of_c128": ("refused", "fft-of-doubles"),
    "foreign_call": ("refused", "custom-call"),
    "tf32_product": ("refused", "dot-algorithm"),
    "too_much_of_vmem": ("refused", "vector-memory"),
    "own_partitioning": ("unjudged", "partitioning"),
}
"""Of the small programs that have an op which is not native, what and why; all others have none."""


@attrs.frozen
class Judged:
    """A run, its record, and the lines of the functions of its script."""

    run: Path
    record: object
    functions: dict


@pytest.fixture(scope="module")
def judged(tpu_python, tmp_path_factory):
    """``judged(script, argument, …)``: a script of `made/scripts/predicted` for v5e-8, once."""
    kept = {}

    def judge(name, *arguments):
        if (name, *arguments) not in kept:
            folder = tmp_path_factory.mktemp("judged")
            script = folder / f"{name}.py"
            script.write_text((SCRIPTS / "predicted" / script.name).read_text())
            command = [sys.executable, SCRIPTS / "preflight_once.py", Path(tpu_python).parents[1], folder / "run"]
            ran = subprocess.run(
                list(map(str, [*command, "v5e-8", script.name, *arguments])),
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
            assert ran.returncode == 0, ran.stderr
            profile = open_profile(folder / "run")
            record = compatibility(Subject.of(profile, line_options(profile, folder)), NoOptions())
            tree = ast.parse(script.read_text())
            functions = {
                each.name: range(each.lineno, each.end_lineno + 1)
                for each in ast.walk(tree)
                if isinstance(each, ast.FunctionDef)
            }
            kept[name, *arguments] = Judged(folder / "run", record, functions)
        return kept[name, *arguments]

    return judge


def test_of_seventy_small_programs_every_op_is_what_the_compiler_makes_of_it(judged):
    small = judged("small_programs")
    programs = [each for each in small.record.programs if each.name.removeprefix("jit(")[:-1] in small.functions]
    # The one that cannot be traced is none.
    assert len(programs) >= 70
    found = {}
    for each in small.record.ops:
        (name,) = (name for name, lines in small.functions.items() if name in VERDICTS and each.line in lines)
        found[name] = (each.verdict, each.cause)
    assert found == VERDICTS


def test_beside_an_op_that_is_refused_all_others_are_what_they_are_alone(judged):
    """No program compiles: each op is judged alone, and none is taken for refused that is not."""
    spoilt = judged("small_programs", "--spoilt")
    ones = [each for each in spoilt.record.programs if each.name.startswith("jit(spoilt_")]
    assert len(ones) >= 70
    assert {each.outcome for each in ones} == {"not-lowered"}
    found = {}
    for each in spoilt.record.ops:
        if each.line in spoilt.functions["both"]:
            assert (each.primitive, each.verdict) == ("eig", "refused")
            continue
        (name,) = (name for name, lines in spoilt.functions.items() if name in VERDICTS and each.line in lines)
        found[name] = (each.verdict, each.cause)
    assert found == VERDICTS


def test_none_of_those_that_compile_is_called_invalid(judged):
    small = judged("small_programs")
    compiled = [each for each in small.record.programs if each.outcome == "compiled"]
    assert len(compiled) >= 60
    assert {each.valid_ratio for each in compiled if each.ops} == {1.0}
    refused = [each for each in small.record.programs if each.outcome in ("refused", "not-lowered")]
    assert {each.valid_ratio for each in refused} == {0.0}
    assert "refused-together" not in {each.code for each in small.record.findings}


def test_what_is_emulated_is_what_the_compiler_splits_into_pairs(judged):
    """Fourier transforms of complex64 apart: their halves are put together around an op that the TPU has.

    Products of 8 bits are widened within an instruction.
    """
    small = judged("small_programs")
    wide = [each for each in small.record.ops if each.verdict == "emulated" and each.cause != "float8-numbers"]
    emulated = {name for each in wide for name in each.programs}
    profile = open_profile(small.run)
    split = set()
    names = {str(each.number): each.name for each in read_prediction(small.run).programs}
    for program in profile.programs:
        targets = {each.custom_call_target for each in program.module().instructions if each.opcode == "custom-call"}
        if any(target.startswith(("X64", "X128")) for target in targets):
            split.add(names[program.program_id])
    assert split - {"jit(fft_of_c64)", "jit(fft_of_f32)"} == emulated


def test_what_was_said_of_refused_ops_is_a_sentence_of_the_compilers(judged):
    said = {each.cause: each.sentence for each in judged("small_programs").record.ops if each.verdict == "refused"}
    assert said["decomposition"].startswith("MLIR translation rule for primitive")
    assert said["custom-call"] == "Custom emitter for made_up_target not found"
    assert said["vector-memory"].startswith("Allocation (size=268435456) would exceed memory")
    assert said["block-shape"].startswith("The Pallas TPU lowering currently requires that the last two dimensions")
    assert not any("\n" in each or "Suspected" in each or "#loc" in each for each in said.values())


def test_parts_have_the_shares_that_are_counted_by_hand(judged):
    parts = judged("parts")
    record = parts.record
    counted = {
        each.name: (each.native, each.emulated, each.on_host, each.refused, each.unjudged) for each in record.scopes
    }
    assert counted == {
        "model": (5, 11, 1, 3, 0),
        "model/dense": (3, 0, 0, 1, 0),
        "model/precise": (0, 10, 0, 0, 0),
        "model/precise/whole": (0, 4, 0, 0, 0),
        "model/spectrum": (1, 0, 0, 1, 0),
        "model/waves": (0, 1, 0, 0, 0),
        "model/outside": (1, 0, 1, 1, 0),
        "small": (1, 2, 0, 0, 0),
    }
    assert {each.name: each.valid_ratio for each in record.scopes} == {
        "model": 17 / 20,
        "model/dense": 3 / 4,
        "model/precise": 1,
        "model/precise/whole": 1,
        "model/spectrum": 1 / 2,
        "model/waves": 1,
        "model/outside": 2 / 3,
        "small": 1,
    }
    assert {each.name: each.valid_ratio for each in record.programs} == {"jit(step)": 17 / 20, "jit(small)": 1}
    functions = {each.name: each.valid_ratio for each in record.functions}
    assert functions["dense"] == 3 / 4
    assert functions["outside"] == 2 / 3
    assert record.total.ops == 23
    of_lines = Counter()
    for each in record.lines:
        of_lines.update(ops=each.ops, refused=each.refused, emulated=each.emulated, on_host=each.on_host)
    assert of_lines == {"ops": 23, "refused": 3, "emulated": 13, "on_host": 1}


def test_every_refused_op_of_the_parts_is_found_and_not_the_first_alone(judged):
    parts = judged("parts")
    refused = [each for each in parts.record.ops if each.verdict == "refused"]
    assert {each.primitive for each in refused} == {"dot_general", "eig", "ffi_call"}
    where = {"dot_general": "dense", "eig": "spectrum", "ffi_call": "outside"}
    for each in refused:
        assert each.line in parts.functions[where[each.primitive]]
        assert each.judged_by == "alone"
