"""Of what the compiler says its gist is kept, without status, dumps and places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.compatibility.compiler_words import LONGEST, sentence

SAID = {
    "MLIR translation rule for primitive 'eig' not found for platform tpu": (
        "MLIR translation rule for primitive 'eig' not found for platform tpu"
    ),
    "INVALID_ARGUMENT: during context [pre-optimization]: Unexpected operand type for FFT: c128[8,8]{1,0}\n\t\n\n"
    "Suspected Python Code Location:\n  train.py:3:1 [step]": "Unexpected operand type for FFT: c128[8,8]{1,0}",
    "RESOURCE_EXHAUSTED: Allocation (size=268435456) would exceed memory (size=134217728) :: #allocation3 [shape ="
    " 'f32', space=vmem] :: pallas_call.2": "Allocation (size=268435456) would exceed memory (size=134217728)",
    "UNIMPLEMENTED: While rewriting computation to not contain X{64|128} element types, XLA encountered an HLO for"
    " which this rewriting is not implemented: %dot.14 = f32[8,8]{1,0} dot(%a, %b)": (
        "While rewriting computation to not contain X{64|128} element types, XLA encountered an HLO for which this"
        " rewriting is not implemented"
    ),
    "The last two dimensions of your block shape are divisible by 8 and 128. Block spec for args[0] has (3, 50).": (
        "The last two dimensions of your block shape are divisible by 8 and 128"
    ),
    "UNIMPLEMENTED: Dot algorithm ALG_DOT_TF32_TF32_F32 is not supported.": (
        "Dot algorithm ALG_DOT_TF32_TF32_F32 is not supported"
    ),
    "INVALID_ARGUMENT: Custom emitter for f not found [xla::PythonStackTrace='']": "Custom emitter for f not found",
    "needs libtpu 0.0.51 or newer, e.g. the next. Or not.": "needs libtpu 0.0.51 or newer, e.g. the next",
    "": "",
    "\n\n": "",
}


@pytest.mark.parametrize("message", SAID)
def test_the_gist_of_what_was_said(message):
    assert sentence(message) == SAID[message]


@given(st.text(max_size=2000))
def test_whatever_is_said_one_line_is_kept(message):
    kept = sentence(message)
    assert len(kept) <= LONGEST
    assert len(kept.splitlines()) <= 1
