"""Which step of a script runs, as the agent counts it from what jax tells."""

from types import SimpleNamespace

import pytest

from scopelight_agent.shim.steps.counter import StepCounter


def function(name, module="__main__"):
    return SimpleNamespace(__name__=name, __module__=module)


class Heard:
    """A counter, and what it tells: ``("ended", 3)``."""

    def __init__(self):
        self.counter, self.told = StepCounter(), []
        self.counter.begins = lambda step: self.told.append(("begins", step))
        self.counter.ended = lambda step: self.told.append(("ended", step))

    def call(self, *functions):
        for each in functions:
            self.counter.called(each, (), {}, None)

    def compile(self, name):
        """A call that compiles, as it goes through jax."""

        def cache_miss():
            self.counter.compiled(name)

        cache_miss()


@pytest.fixture
def heard():
    return Heard()


def test_what_the_script_calls_again_is_the_step_until_it_is_told(heard):
    step, noise = function("train_step"), function("add", "jax._src.numpy.ufuncs")
    heard.compile("jit(init)")
    heard.compile("jit(train_step)")
    heard.call(noise, noise, step, noise, step)
    assert heard.told == [("ended", 1), ("begins", 2), ("ended", 2), ("begins", 3)]


def test_calls_are_counted_before_it_is_known_which_are_the_steps(heard):
    prepare, step = function("prepare"), function("train_step")
    heard.compile("jit(train_step)")
    heard.call(prepare, prepare, step, prepare, step)
    heard.told.clear()
    heard.counter.count("jit_train_step")
    heard.call(step, prepare)
    assert heard.told == [("ended", 3), ("begins", 4)]


def test_functions_of_one_name_cannot_be_told_apart_and_it_is_known(heard):
    one, another = function("<lambda>"), function("<lambda>")
    heard.call(one, one)
    assert not heard.counter.is_of_several
    heard.call(another)
    assert heard.counter.is_of_several
    heard.counter.count("jit__lambda")
    assert heard.counter.is_of_several and heard.counter.follows == "<lambda>"


def test_a_compilation_ahead_of_time_is_no_call(heard):
    heard.counter.count("jit_train_step")
    heard.counter.compiled("jit(train_step)")
    heard.call(function("train_step"))
    assert heard.told == [("ended", 0), ("begins", 1)]


def test_a_program_that_was_compiled_ahead_of_time_has_no_name_and_is_the_one_called_most(heard):
    often, seldom = SimpleNamespace(), SimpleNamespace()
    heard.call(often, seldom, often, often)
    heard.told.clear()
    heard.counter.count("jit_train_step")
    heard.call(seldom, often)
    assert heard.told == [("ended", 3), ("begins", 4)]


def test_a_lambda_is_known_by_the_name_of_its_program(heard):
    heard.counter.count("jit__lambda_")
    heard.call(function("<lambda>"))
    assert not heard.told
    heard.counter.count("jit__lambda_")
    heard.call(function("<lambda>"))
    assert heard.told == [("ended", 1), ("begins", 2)]


def test_annotations_go_before_calls_and_say_their_numbers_themselves(heard):
    step = function("train_step")
    heard.call(step, step)
    heard.told.clear()
    number = heard.counter.enters("train", 1000)
    heard.call(step)
    heard.counter.leaves(number)
    assert heard.told == [("begins", 1000), ("ended", 1000)]
    assert heard.counter.next_step == 1001


def test_annotations_without_numbers_are_counted_and_others_are_not_steps(heard):
    for name in ("train", "evaluate", "train"):
        heard.counter.leaves(heard.counter.enters(name, None))
    assert heard.told == [("begins", 0), ("ended", 0), ("begins", 1), ("ended", 1)]


def test_what_the_conductor_says_goes_before_annotations_of_something_else(heard):
    step = function("train_step")
    heard.counter.count("jit_train_step")
    heard.counter.leaves(heard.counter.enters("evaluate", 7))
    heard.call(step)
    assert heard.told == [("ended", 0), ("begins", 1)]
