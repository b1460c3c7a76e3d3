"""What views share of one run is made once, and a few of a kind are kept."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import KEPT_OF_A_KIND, Subject


def subject():
    return Subject(Path("run"), lambda: pytest.fail("nothing asks for the profile"), lambda _: None)


def test_threads_that_ask_at_once_share_one_computation():
    asked, gate, made = subject(), threading.Event(), []

    def make():
        gate.wait()
        made.append(1)
        return object()

    with ThreadPoolExecutor(3) as pool:
        pending = [pool.submit(asked.once, "table", "all", make) for _ in range(3)]
        gate.set()
        first, *others = [each.result() for each in pending]
    assert all(each is first for each in others)
    assert len(made) == 1


def test_an_error_is_raised_to_who_waits_and_not_kept():
    asked = subject()

    def fail():
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        asked.once("table", "all", fail)
    assert asked.once("table", "all", lambda: "mended") == "mended"


def test_the_latest_of_each_kind_are_kept():
    asked, made = subject(), []

    def make(key):
        made.append(key)
        return key

    for key in range(KEPT_OF_A_KIND + 1):
        asked.once("table", key, lambda key=key: make(key))
    asked.once("other kind", 0, lambda: make("other"))
    assert asked.once("table", KEPT_OF_A_KIND, lambda: pytest.fail("it was kept")) == KEPT_OF_A_KIND
    asked.once("table", 0, lambda: make("again"))
    assert made == [*range(KEPT_OF_A_KIND + 1), "other", "again"]


def test_a_target_is_named_or_the_subject_s_own():
    asked = subject()
    assert asked.target_named(None) is None
    assert asked.target_named("TPU v5e").name == "TPU v5e"
    with pytest.raises(OptionError, match="'banana' is not known; those with tiles are TPU") as raised:
        asked.target_named("banana")
    assert raised.value.option == "target"
