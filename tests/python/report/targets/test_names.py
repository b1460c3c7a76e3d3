"""What compared runs are called: no two the same, in as few words as that takes."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.run.information import RecordedDevice, RunInformation
from scopelight.report.targets.names import names_of, title_of


def run(name, **fields):
    return Path("/w/.scopelight", name), RunInformation(script="jobs/step.py", **fields)


def test_the_tpu_is_enough_where_nothing_else_differs():
    runs = [
        run("a", predicted_for="v5e-8", args=("--batch", "8")),
        run("b", predicted_for="v6e-8", args=("--batch", "8")),
    ]
    names = names_of(runs)
    assert names == ["v5e-8", "v6e-8"]
    assert title_of(runs, names) == "step.py: v5e-8, v6e-8"


def test_arguments_that_differ_are_named_and_others_not():
    runs = [
        run("a", predicted_for="v5e-8", args=("--batch", "64", "--layers", "4")),
        run("b", predicted_for="v5e-8", args=("--batch", "128", "--layers", "4")),
        run("c", predicted_for="v5e-8", args=("--layers", "4", "--batch=256")),
    ]
    assert names_of(runs) == ["v5e-8 --batch 64", "v5e-8 --batch 128", "v5e-8 --batch=256"]


def test_what_was_measured_has_the_name_of_its_devices():
    devices = (RecordedDevice(platform="tpu", kind="TPU v5 lite"),) * 8
    runs = [run("a", predicted_for="v5e-8"), run("b", devices=devices), (Path("/logs/other"), None)]
    assert names_of(runs) == ["v5e-8", "8 × TPU v5e", "other"]


def test_runs_that_nothing_tells_apart_have_the_names_of_their_folders():
    runs = [run("a", predicted_for="v5e-8"), run("b", predicted_for="v5e-8")]
    assert names_of(runs) == ["v5e-8 (a)", "v5e-8 (b)"]
    assert title_of([(Path("/logs/one"), None)], ["one"]) == "one"


def of_script(script, **fields):
    return Path("/w/.scopelight", script.replace("/", "-")), RunInformation(script=script, cwd="/w", **fields)


def test_runs_of_different_scripts_are_named_by_them():
    runs = [
        of_script("jobs/step.py", predicted_for="v5e-8"),
        of_script("evaluate.py", predicted_for="v5e-8", args=("--batch", "8")),
        of_script("evaluate.py", devices=(RecordedDevice(platform="tpu", kind="TPU v5 lite"),)),
        (Path("/logs/other"), None),
    ]
    names = names_of(runs)
    assert names == ["step.py for v5e-8", "evaluate.py for v5e-8 --batch 8", "evaluate.py on 1 × TPU v5e", "other"]
    assert title_of(runs, names) == ", ".join(names)


def test_scripts_of_one_name_are_told_apart_by_their_folders():
    runs = [of_script("a/train.py", predicted_for="v5e-8"), of_script("b/train.py", predicted_for="v5e-8")]
    assert names_of(runs) == ["a/train.py for v5e-8", "b/train.py for v5e-8"]


def test_a_script_is_the_same_wherever_it_was_started_from_or_lies_on_another_machine():
    here = run("a", predicted_for="v5e-8", cwd="/w")
    below = Path("/w/b"), RunInformation(script="step.py", cwd="/w/jobs", predicted_for="v6e-8")
    elsewhere = run("c", predicted_for="v6e-8", cwd="/srv")
    for other in (below, elsewhere):
        names = names_of([here, other])
        assert names == ["v5e-8", "v6e-8"]
        assert title_of([here, other], names) == "step.py: v5e-8, v6e-8"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["v5e-8", "v6e-8", None]),
            st.lists(st.sampled_from(["--batch", "8", "16", "--x=1", "a b"]), max_size=4),
            st.sampled_from(["jobs/step.py", "step.py", "other/step.py", "pkg.step", None]),
        ),
        max_size=6,
    )
)
def test_no_two_have_one_name(given_runs):
    runs = [
        (Path(f"/w/.scopelight/run{row}"), RunInformation(script=script, predicted_for=tpu, args=tuple(args)))
        for row, (tpu, args, script) in enumerate(given_runs)
    ]
    names = names_of(runs)
    assert len(set(names)) == len(runs) == len(names)
