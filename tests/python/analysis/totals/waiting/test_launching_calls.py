"""Which line launches a program that is known from samples: the call that comes next where the thread stands."""

import ast
import textwrap

import numpy as np
import pytest

from made.host.idle import user_frames
from scopelight.analysis.totals.waiting.launching import LaunchingThread
from scopelight.analysis.totals.waiting.launching_calls import launching_call, next_call
from scopelight.model.host.stands import Stands
from scopelight.program.hlo.frames import Frame

SCRIPT = textwrap.dedent(
    """\
    step(w, x)
    def load():
        return read()
    def train(w):
        for x in data:
            wait()
            for part in x:
                look(part)
            w = step(w, x)
            log(w)
        return step(w, x)
    train(step(w, x))
    """
)
LINES = SCRIPT.splitlines()


@pytest.mark.parametrize(
    ("line", "call"),
    [
        (6, (9, True)),
        (8, (9, True)),
        (9, (9, True)),
        # The next pass.
        (10, (9, True)),
        (11, (11, False)),
        (1, (1, False)),
        (12, (12, False)),
        (3, None),
    ],
)
def test_the_next_call_in_the_loop_around_a_line(line, call):
    assert next_call(ast.parse(SCRIPT), line, "step") == call


def frame(line, function):
    return Frame("/home/me/train.py", line, function)


def launched(stood, moments, *, is_exact=False, function="step", stacks=None, lines=LINES):
    load, module = frame(3, "load"), frame(12, "<module>")
    stacks = stacks or [(load, frame(6, "train"), module), (frame(1, "<module>"),), (load,)]
    start_ps, stack = np.array(stood, dtype=np.int64).T
    told = Stands(start_ps, stack, stacks, is_exact)
    thread = LaunchingThread(1, np.array(moments), {}, {}, told)
    text = lambda _path, line: lines[line - 1] if line <= len(lines) else None  # noqa: E731
    return launching_call(function, np.array(moments), [thread], user_frames(), text)


def test_a_program_is_launched_where_the_innermost_frame_that_calls_it_does_so_next():
    assert launched([(0, 0)], [5, 15]) == (frame(9, "train"), frame(12, "<module>"))


def test_a_comprehension_before_the_loop_launches_what_it_calls_itself_alone():
    # Python up to 3.11 has frames for them, on a line of the function around.
    script = ["kept = [make(x) for x in data]", "for x in data:", "    w = step(w, x)"]
    stacks = [(frame(1, "<listcomp>"), frame(1, "<module>")), (frame(2, "<module>"),)]

    def of(function):
        return launched([(0, 0), (30, 1)], [5, 15, 25, 35], stacks=stacks, function=function, lines=script)

    assert of("step") == (frame(3, "<module>"),)
    assert of("make") == (frame(1, "<listcomp>"),)


def test_so_does_one_of_several_lines_whose_function_has_a_frame_too():
    script = ["def main():", "    kept = [", "        make(x)", "        for x in data]", "    step(w, kept)", "main()"]
    main, module = frame(2, "main"), frame(6, "<module>")
    stacks = [(frame(3, "main.<locals>.<listcomp>"), main, module)]
    assert launched([(0, 0)], [5], stacks=stacks, lines=script) == (frame(5, "main"), module)


def test_most_launches_count_and_those_before_anything_is_known_do_not():
    assert launched([(10, 0), (20, 1)], [5, 12, 14, 25])[0] == frame(9, "train")
    assert launched([(10, 0), (20, 1)], [12, 25, 26])[0] == frame(1, "<module>")


def test_where_nothing_calls_it_by_name_it_is_not_known():
    assert launched([(0, 2)], [5]) == ()
    assert launched([(0, 0)], [5], function="other") == ()
    assert launched([(0, 0)], []) == ()


def test_a_thread_whose_lines_are_told_exactly_is_known_without():
    assert launched([(0, 0)], [5], is_exact=True) == ()
