"""Flags that the environment has for libtpu are the compiler's as well, and no verdict is taken for another's."""

import pytest

from scopelight.capture.failures import Exit


@pytest.fixture
def asked(tmp_path):
    """Of each program that the compiler was asked for since the last call: its name, and the flags."""
    told = 0

    def lines():
        nonlocal told
        (file,) = (tmp_path / "cache" / "scopelight").glob("tpu-compiler-*/asked")
        found = file.read_text().splitlines()[told:]
        told += len(found)
        return [tuple(each.partition(" ")[::2]) for each in found if each.partition(" ")[0]]

    return lines


def flagged(flags):
    return {"LIBTPU_INIT_ARGS": flags}


def test_the_compiler_has_the_flags_and_other_flags_are_compiled_again(preflight, scripts_of_predictions, asked):
    script = scripts_of_predictions["step"]
    assert preflight(script).run["findings"] == []
    assert ("jit(train_step)", "") in asked()
    flags = "--xla_tpu_scoped_vmem_limit_kib=65536"
    predicted = preflight(script, variables=flagged(f" {flags} "), out="flagged")
    assert predicted.returncode == 0, predicted.stderr
    (said,) = predicted.run["findings"]
    assert (said["code"], said["values"]) == ("prediction-libtpu-flags", {"flags": flags})
    assert ("jit(train_step)", flags) in asked()
    preflight(script, variables=flagged(flags), out="again")
    assert asked() == []


def test_a_flag_that_libtpu_does_not_take_is_one_sentence_before_the_script_runs(preflight, bench):
    bench.write("one.py", "print('it runs')\nimport jax\njax.jit(lambda x: x + 1)(1.0)\n")
    predicted = preflight("one.py", variables=flagged("--xla_tpu_nonsense=1"))
    assert predicted.returncode == Exit.NOT_CAPTURED
    assert predicted.stderr.splitlines()[-1] == (
        "scopelight: libtpu does not take LIBTPU_INIT_ARGS (Unknown command line flag 'xla_tpu_nonsense'): mend or"
        " unset the variable, and try again."
    )
    assert "it runs" not in predicted.stderr
    assert not predicted.out.exists()


def test_flags_of_libtpu_that_jax_would_end_at_are_said_to_be_misplaced(preflight, bench):
    bench.write("one.py", "import jax\njax.jit(lambda x: x + 1)(1.0)\n")
    predicted = preflight("one.py", variables={"XLA_FLAGS": "--xla_tpu_scoped_vmem_limit_kib=1024"})
    assert predicted.returncode != 0
    assert "put them into LIBTPU_INIT_ARGS" in predicted.stderr
    assert predicted.run["state"] == "failed"
