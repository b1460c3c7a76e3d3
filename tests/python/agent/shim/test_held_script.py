"""How the shim holds a script's main thread, which is the one that runs these tests."""

import os
import signal
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from scopelight_agent.shim import held_script
from scopelight_agent.shim.held_script import HeldScript

HELD_SECONDS = 0.2


def beside(work):
    """A thread, as the agent's is, that does this."""
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def run_until(is_over, step):
    """A script: does its steps until all is over."""
    end = time.monotonic() + 10
    while not is_over() and time.monotonic() < end:
        step()


def test_no_statement_of_the_script_runs_between_holding_it_and_letting_it_go():
    script, steps, seen = HeldScript(5.0), [], []

    def cut():
        script.hold()
        seen.append(len(steps))
        time.sleep(HELD_SECONDS)
        seen.append(len(steps))
        script.let_go()

    agent = beside(cut)
    run_until(lambda: len(seen) == 2 and len(steps) > seen[-1], lambda: steps.append(time.monotonic()))
    agent.join()
    held, let_go = seen
    assert held == let_go < len(steps)


def test_a_script_that_is_not_let_go_goes_on_by_itself():
    script, began = HeldScript(HELD_SECONDS), time.monotonic()
    agent = beside(script.hold)
    run_until(lambda: not agent.is_alive(), lambda: None)
    agent.join()
    assert time.monotonic() - began >= HELD_SECONDS
    script.let_go()


def test_a_script_inside_a_long_call_is_not_held_after_it(monkeypatch):
    monkeypatch.setattr(held_script, "LONGEST_WAIT_SECONDS", 0.05)
    script = HeldScript(60.0)

    def cut():
        script.hold()
        script.let_go()

    agent = beside(cut)
    # A call that no statement interrupts, as jax's wait for a result is.
    agent.join()
    began = time.monotonic()
    run_until(lambda: True, lambda: None)
    assert time.monotonic() - began < 30


def test_it_can_be_held_again():
    script, seen = HeldScript(5.0), []

    def cut():
        for _ in range(3):
            script.hold()
            seen.append(time.monotonic())
            script.let_go()

    agent = beside(cut)
    run_until(lambda: not agent.is_alive(), lambda: None)
    agent.join()
    assert len(seen) == 3


def test_an_interrupt_reaches_a_script_that_is_held():
    script = HeldScript(30.0)

    def interrupt():
        script.hold()
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        beside(interrupt)
        run_until(lambda: False, lambda: None)
    script.let_go()


def test_a_forked_child_is_not_held():
    script = HeldScript(60.0)
    script._process = os.getpid() + 1
    agent = beside(script.hold)
    began = time.monotonic()
    run_until(lambda: not agent.is_alive(), lambda: None)
    agent.join()
    assert time.monotonic() - began < 30
    script.let_go()


class Array:
    """An array that is computed after some looks; one that was deleted cannot be asked."""

    def __init__(self, looks, is_deleted=False):
        self.looks, self.is_deleted = looks, is_deleted

    def is_ready(self):
        if self.is_deleted:
            raise RuntimeError("Array has been deleted.")
        self.looks -= 1
        return self.looks < 0


def test_what_the_devices_have_queued_is_waited_for(monkeypatch):
    arrays = [Array(0), Array(5), Array(0, is_deleted=True), Array(3)]
    monkeypatch.setitem(sys.modules, "jax", SimpleNamespace(live_arrays=lambda: arrays))
    held_script.wait_for_devices()
    assert [each.looks for each in arrays] == [-1, -1, 0, -1]


def test_devices_that_take_long_are_not_waited_for(monkeypatch):
    monkeypatch.setattr(held_script, "LONGEST_WAIT_SECONDS", 0.05)
    monkeypatch.setitem(sys.modules, "jax", SimpleNamespace(live_arrays=lambda: [Array(10**9)]))
    began = time.monotonic()
    held_script.wait_for_devices()
    assert time.monotonic() - began >= 0.05
