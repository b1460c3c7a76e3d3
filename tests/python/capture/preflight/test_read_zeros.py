"""Lines whose Python reads zeros in place of what programs return are told, and those that decide by them are named."""

import attrs
import pytest

from scopelight.analysis.steps.steps import find_steps
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.prediction import Prediction, read_prediction, write_prediction

READS = """
import jax, jax.numpy as jnp, numpy as np

loss = jax.jit(lambda w: (w @ w).sum())
w = jnp.ones((64, 64))
for _ in range(3):
    value = loss(w)
    if value > 0.5:
        break
    print(float(value), value.item(), f"{value:.3f}", value)
while not value:
    break
np.zeros(value.astype(int))
if jnp.array(0.0) or jnp.array(1.0) > jnp.array(2.0):
    print("known")
print(max(range(4), key=lambda each: loss(w) + each))
"""


def findings(predicted):
    return {each["code"]: each["values"] for each in predicted.run["findings"]}


def test_lines_that_read_zeros_are_told_and_those_that_decide_are_named(preflight, bench):
    bench.write("reads.py", READS)
    predicted = preflight("reads.py")
    assert predicted.returncode == 0, predicted.stderr
    told = {(each.line, each.how): each.times for each in read_prediction(predicted.out).read_zeros}
    assert told == {
        (8, "bool"): 3,
        (10, "float"): 3,
        (10, "item"): 3,
        (11, "bool"): 1,
        (13, "index"): 1,
        (16, "bool"): 3,
    }
    (places,) = findings(predicted)["prediction-decided-by-zeros"].values()
    assert sorted(places) == ["reads.py:11", "reads.py:13", "reads.py:16", "reads.py:8"]


def test_a_script_that_computes_reads_no_zeros(preflight, bench):
    bench.write("reads.py", READS)
    predicted = preflight("reads.py", options=("--observe",))
    assert predicted.returncode == 0, predicted.stderr
    assert read_prediction(predicted.out).read_zeros == ()
    assert findings(predicted) == {}


@pytest.mark.parametrize(("reads", "how"), [("float", "float"), ("jax.device_get", "copy")])
def test_where_no_step_is_found_lines_that_read_numbers_are_named(preflight, bench, reads, how):
    bench.write(
        "waits.py",
        f"""
        import jax, jax.numpy as jnp

        loss = jax.jit(lambda w: (w @ w).sum())
        while {reads}(loss(jnp.ones((64, 64)))) > 0.5:
            pass
        """,
    )
    predicted = preflight("waits.py")
    assert findings(predicted) == {}
    (read,) = read_prediction(predicted.out).read_zeros
    assert (read.line, read.how) == (5, how)
    why = find_steps(open_profile(predicted.out)).why_none
    assert (why.code, why.values["read_zeros_at"]) == ("no-steps-predicted", ("waits.py:5",))


def test_predictions_of_before_have_none(tmp_path):
    written = Prediction(target="v5e-8")
    write_prediction(tmp_path, written)
    file = tmp_path / "prediction.json"
    text = file.read_text().replace('"read_zeros": []', '"unknown": []')
    assert '"unknown"' in text
    file.write_text(text)
    assert read_prediction(tmp_path) == attrs.evolve(written, read_zeros=())
