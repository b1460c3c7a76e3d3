"""Windows that code opens: when they open and close, and what is said of mistakes."""

import asyncio
import threading

import pytest

import scopelight_agent
from scopelight_agent.interface import CaptureError, capture, start, stop


def test_a_block_is_a_window(agent):
    with capture():
        agent.heard.append("work")
    assert agent.heard == ["open", "work", "close"]


def test_an_exception_leaves_the_block_and_the_window_is_closed(agent):
    with pytest.raises(ZeroDivisionError), capture():
        1 / 0  # noqa: B018
    assert agent.heard == ["open", "close"]


def test_start_and_stop_are_a_window(agent):
    start()
    stop()
    start()
    stop()
    assert agent.heard == ["open", "close"] * 2


def test_a_decorated_function_is_captured_at_its_first_call(agent):
    @capture
    def double(value, *, by=2):
        """Doubles."""
        return value * by

    assert (double.__name__, double.__doc__) == ("double", "Doubles.")
    assert [double(3), double(3, by=3)] == [6, 9]
    assert agent.heard == ["open", "close"]


def test_a_decorated_function_is_captured_at_the_calls_that_are_asked_for(agent):
    @capture(skip=2, calls=2)
    def work(number):
        agent.heard.append(number)

    for number in range(6):
        work(number)
    assert agent.heard == [0, 1, "open", 2, "close", "open", 3, "close", 4, 5]


def test_a_coroutine_is_captured_until_it_has_returned(agent):
    @capture
    async def work():
        await asyncio.sleep(0)
        agent.heard.append("work")
        return 5

    assert asyncio.run(work()) == 5
    assert agent.heard == ["open", "work", "close"]


def test_a_generator_cannot_be_decorated():
    with pytest.raises(CaptureError, match="around the loop"):

        @capture
        def numbers():
            yield 1


def test_a_nested_capture_says_where_the_other_began(agent):
    with capture():
        with pytest.raises(CaptureError, match=r"begun in .*test_windows\.py, line \d+: end it before"):
            start()
        with pytest.raises(CaptureError, match=r"test_windows\.py"), capture():
            pass
        agent.heard.append("work")
    assert agent.heard == ["open", "work", "close"]


def test_a_capture_in_another_thread_says_so_too(agent):
    told = []

    def other():
        try:
            start()
        except CaptureError as error:
            told.append(str(error))

    with capture():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert "whichever of its threads" in told[0]


def test_nothing_can_be_stopped_that_was_not_begun(agent):
    with pytest.raises(CaptureError, match="begin one with"):
        stop()
    start()
    stop()
    with pytest.raises(CaptureError, match="begin one with"):
        stop()


def test_an_unknown_option_is_an_error_at_once():
    with pytest.raises(TypeError, match="'outt'"):
        capture(outt="run")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"out": ""}, "out names no folder"),
        ({"skip": -1}, "skip is -1"),
        ({"calls": 0}, "calls is 0"),
    ],
)
def test_what_cannot_be_meant_is_an_error_at_once(agent, options, why):
    with pytest.raises(ValueError, match=why):
        capture(**options)
    if "out" in options:
        with pytest.raises(ValueError, match=why):
            start(**options)
    assert agent.heard == []
    # Nothing was begun that would have to be ended.
    with capture(out="run", skip=0, calls=1):
        pass
    assert agent.heard == ["open", "close"]


def test_the_script_goes_on_where_nothing_can_be_captured(agent, capfd):
    def fail():
        raise OSError("no space left on device")

    agent.open_window = fail
    with capture():
        agent.heard.append("work")
    assert agent.heard == ["work"]
    assert "nothing is captured from" in capfd.readouterr().err


def test_both_packages_have_the_interface():
    import scopelight  # noqa: PLC0415

    for name in scopelight_agent.__all__:
        assert callable(getattr(scopelight, name))
    assert scopelight.step is scopelight_agent.step


@pytest.mark.parametrize("word", ["off", "0"])
def test_all_of_it_does_nothing_where_the_variable_says_off(run_python, word):
    told = run_python(
        """
import sys
import scopelight

with scopelight.capture(out="", calls=0) as nothing:
    with scopelight.capture():
        scopelight.start()
scopelight.stop()
@scopelight.capture
def numbers():
    yield 1
loader = [1, 2]
assert scopelight.data(loader) is loader
assert list(scopelight.steps(loader)) == loader
with scopelight.step(7) as number:
    assert number == 7
scopelight.epoch()
callback = scopelight.Callback(from_step=0)
callback.on_train_batch_begin(0)
callback.on_train_batch_end(0)
callback.on_train_end()
assert "scopelight_agent.entrance" not in sys.modules
assert "scopelight_agent.options" not in sys.modules
print("done")
""",
        SCOPELIGHT_OPTIONS=word,
    )
    assert told == "done\n"


def test_importing_it_takes_the_standard_library_alone_and_little_of_it(run_python):
    told = run_python(
        """
import sys
before = set(sys.modules)
import scopelight
scopelight.capture, scopelight.Callback
print(*sorted(set(sys.modules) - before))
"""
    )
    imported = {name.partition(".")[0] for name in told.split()} - {"scopelight", "scopelight_agent"}
    import sys  # noqa: PLC0415

    assert imported <= sys.stdlib_module_names
    # The slow ones.
    assert not imported & {"typing", "dataclasses", "inspect", "json", "re", "asyncio", "socket", "subprocess"}
