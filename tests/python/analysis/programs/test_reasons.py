"""What jax says of a miss of its cache, by the texts of its versions."""

import pytest

from scopelight.analysis.programs.compiled import _compiled
from scopelight.analysis.programs.reasons import ChangedArgument, function_in, reason_of
from scopelight.model.run.compilations import Compilation

_DIFFERS = "TRACING CACHE MISS at /u/t.py:8:12 (<module>):\n  for step defined at /u/t.py:3\n" + (
    "  all previously seen cache keys differ. For the closest previous key:\n"
)
_OLDER = "TRACING CACHE MISS at /u/t.py:9 (<module>) costing 1.773 ms because:\n  for step defined at /u/t.py:3\n" + (
    "  all previously seen cache keys are different. Several previous keys are closest:\n"
)


@pytest.mark.parametrize(
    ("said", "cause", "changed"),
    [
        (
            f"{_DIFFERS}  different input types:\n  * at x, now f32[8,9] and before f32[8,4]",
            "argument",
            [("x", "f32[8,4]", "f32[8,9]")],
        ),
        (
            f"{_DIFFERS}  different input pytree:\n  * at input path [1]['n'], now <class 'jax._src.tree_util.Static'>"
            " with pytree metadata Static(val=2) and before <class 'jax._src.tree_util.Static'> with pytree metadata"
            " Static(val=1), so the pytree node metadata does not match",
            "static",
            [("n", "1", "2")],
        ),
        (
            f"{_DIFFERS}  Tracing context doesn't match, e.g. due to config or context manager.\n"
            "  * jax_default_matmul_precision differs: now float32 and before None",
            "context",
            [("jax_default_matmul_precision", "None", "float32")],
        ),
        (f"{_DIFFERS}  cache miss explanation unavailable", "unexplained", []),
        (
            f"{_OLDER}  * key with different input types:\n      types now: x: f32[8,15]\n"
            "        * at x, now f32[8,15] and before f32[8,10]\n  * key with different input types:\n"
            "        * at x, now f32[8,15] and before f32[8,14]",
            "argument",
            [("x", "f32[8,14]", "f32[8,15]")],
        ),
        (f"{_OLDER}  * key with different value of static args:\n      now 4 and before 2", "static", [("", "2", "4")]),
    ],
)
def test_what_changed_is_read_from_what_jax_says(said, cause, changed):
    reason = reason_of(said, was_traced=True)
    assert reason.cause == cause
    assert list(reason.changed) == [ChangedArgument(*each) for each in changed]
    assert function_in(said) == "step"


def test_a_function_that_was_not_traced_again_has_its_arrays_elsewhere():
    assert reason_of(None, was_traced=False).cause == "placement"


def test_a_function_that_is_defined_again_is_told_from_one_that_is_new():
    new = "TRACING CACHE MISS at /u/t.py:9 (f):\n  never seen function:\n    inner id=1 defined at /u/t.py:8"
    again = f"{new}\n  but seen another function defined on the same line; maybe the function is\n  being re-defined"
    assert reason_of(new, was_traced=True).cause == "first"
    assert reason_of(again, was_traced=True).cause == "redefined"
    assert function_in(new) == "inner"


def test_what_a_function_was_compiled_for_already_is_not_why_again():
    # jax 0.12 compares with a call that is as close as the one that tells of a static argument.
    said = (
        "TRACING CACHE MISS at /w/t.py:18:19 (<module>):\n  for step defined at /w/t.py:11\n"
        "  all previously seen cache keys differ. For the closest previous key:\n  different input types:\n"
        "  * at x, now f32[33,64] and before f32[32,64]"
    )
    compilations = [Compilation(number, 1.0, "jit(step)", 0.1, 0.1, said) for number in range(3)]
    causes = [each.reason.cause for each in _compiled(compilations, 0)]
    assert causes == ["argument", "unexplained", "unexplained"]
