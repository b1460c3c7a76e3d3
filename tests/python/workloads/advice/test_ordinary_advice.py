"""Ordinary training scripts, written with no rule in mind: all that is advised on them is true of them.

Six run by default, all with SCOPELIGHT_TEST_ORDINARY set, as `make test-advice` does.
"""

import os
from pathlib import Path

import pytest

from scopelight.analysis.advice.advice import advice_record
from scopelight.views.opening import open_subject

FOLDER = Path(__file__).resolve().parents[3] / "workloads" / "ordinary"
MADE = {"input-bound": "makes its batches in the loop, between two steps"}
SHORT = {"dispatch-bound": "its steps are shorter than a millisecond where nothing else runs"}
KEPT = {"missing-donation": "each call replaces its arguments, and keeps the old ones meanwhile"}
SPLIT = {"many-programs": "splits a key in the loop, op by op"}
TRUE = {
    "accumulated": {"many-programs": "makes zeros, adds and applies in programs of their own", **KEPT, **MADE},
    "attention": {**KEPT},
    "autoencoder": {**SHORT, **KEPT},
    "checkpointed": {**KEPT, **MADE, "periodic-stall": "saves the weights every 40 steps, while the device waits"},
    "cnn": {**KEPT},
    "contrastive": {"sync-in-step": "keeps the loss of each step as a number of Python's", **KEPT, **MADE},
    "diffusion": {},
    "distillation": {**KEPT},
    "dropout": {**SPLIT, **KEPT},
    "evaluated": {**SHORT, **KEPT},
    "gan": {**SPLIT, **KEPT, **MADE},
    "generator_loader": {**KEPT, **MADE},
    "last_batch_smaller": {"recompilation": "the last batch of an epoch has other sizes", **SHORT, **KEPT},
    "learning_rate": {**SHORT, **KEPT, **MADE},
    "linear_regression": {**SHORT},
    "logistic_regression": {
        **SHORT,
        "input-bound": "gathers its batches in the loop",
        "transfers": "moves all features to the device after each epoch, and a batch in each step",
    },
    "lstm": {**KEPT},
    "mixed_precision": {**KEPT},
    "mixture_of_experts": {**KEPT, **MADE},
    "mlp": {**KEPT, **MADE},
    "policy_gradient": {
        "many-programs": "splits a key and acts in each step of the environment",
        "sync-in-step": "reads each action",
    },
    "prefetched": {**KEPT},
    "progress_bar": {"sync-in-step": "prints the loss of each step", **KEPT, **MADE},
    "rematerialised": {},
    "resnet_block": {},
    "scanned_rnn": {**KEPT, **MADE},
    "sharded_batch": {**KEPT, **MADE},
    "sharded_weights": {},
    "trainer_class": {**KEPT, **MADE},
    "transformer": {**KEPT},
    "vae": {**SPLIT, **KEPT},
    "word2vec": {**KEPT, **MADE},
}
"""By script what may be said of it, and why."""
CERTAIN = {
    "accumulated": {"many-programs", "missing-donation"},
    "contrastive": {"sync-in-step"},
    "last_batch_smaller": {"recompilation"},
    "mlp": {"missing-donation"},
    "policy_gradient": {"many-programs"},
    "progress_bar": {"sync-in-step"},
    "transformer": {"missing-donation"},
}
"""What has to be said, however fast the machine is."""
BY_DEFAULT = (
    "accumulated",
    "last_batch_smaller",
    "learning_rate",
    "policy_gradient",
    "progress_bar",
    "sharded_weights",
)


@pytest.fixture(scope="module")
def advised(capture):
    def of(name):
        run = capture(f"ordinary-{name}", script=[str(FOLDER / f"{name}.py")], folder=FOLDER)
        assert run.exit_code == 0, run.messages
        return advice_record(open_subject(run.directory, FOLDER))

    return of


def test_every_script_has_been_judged():
    assert {each.stem for each in FOLDER.glob("*.py")} == set(TRUE)


@pytest.mark.parametrize("name", TRUE if os.environ.get("SCOPELIGHT_TEST_ORDINARY") else BY_DEFAULT)
def test_all_that_is_advised_is_true(advised, name):
    record = advised(name)
    found = {each.code for each in record.findings}
    assert record.steps >= 3
    assert found <= set(TRUE[name]), [(each.code, each.line, each.saving_ratio) for each in record.findings]
    assert found >= CERTAIN.get(name, set())


@pytest.mark.parametrize("name", BY_DEFAULT)
def test_savings_of_the_same_time_are_promised_once(advised, name):
    of_waiting = [each for each in advised(name).findings if each.saving_basis == "waiting" and each.within is None]
    assert sum(each.saving_ratio for each in of_waiting) <= 1
