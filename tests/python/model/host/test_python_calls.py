"""Where a thread stood by the Python tracer, in traces that have it."""

import numpy as np

from scopelight.model.host.python_calls import PythonCalls, call_stands, joined_calls

NAMES = ["$train.py:3 main", "$train.py:9 load", "$api.py:150 reraise", "$builtins len", "$time sleep"]
PATHS = {"train.py": "/w/train.py"}


def calls(*rows):
    name, start_ps, end_ps = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return PythonCalls(name.astype(np.int32), start_ps, end_ps, NAMES)


def places(stands, *moments_ps):
    rows = stands.at(np.array(moments_ps)).tolist()
    return [[frame.function for frame in stands.stacks[row]] if row >= 0 else [] for row in rows]


def test_a_thread_stands_in_the_innermost_call_of_a_known_file():
    stands = call_stands(calls((0, 0, 100), (1, 10, 30), (4, 12, 28), (2, 40, 60), (1, 60, 70)), PATHS)
    assert places(stands, 5, 15, 35, 50, 65, 80) == [
        ["main"],
        ["load", "main"],
        ["main"],
        ["main"],
        ["load", "main"],
        ["main"],
    ]
    assert [(frame.path, frame.line) for frame in stands.stacks[int(stands.at(np.array([15]))[0])]] == [
        ("/w/train.py", 9),
        ("/w/train.py", 3),
    ]
    assert not stands.is_exact


def test_outside_of_all_calls_it_is_not_known_where():
    stands = call_stands(calls((1, 10, 30), (1, 40, 50)), PATHS)
    assert places(stands, 0, 20, 35, 45, 60) == [[], ["load"], [], ["load"], []]


def test_calls_that_begin_and_end_together_are_in_each_other():
    stands = call_stands(calls((1, 0, 10), (0, 0, 20), (1, 10, 20)), PATHS)
    assert places(stands, 5, 15) == [["load", "main"], ["load", "main"]]


def test_calls_without_time_or_file_tell_nothing():
    assert call_stands(calls((1, 10, 10), (3, 0, 5), (4, 0, 5)), PATHS) is None
    assert call_stands(calls((0, 0, 10)), {}) is None


def test_calls_of_several_traces_keep_their_names():
    first = calls((0, 0, 100), (1, 10, 30))
    later = PythonCalls(np.array([0, 1], np.int32), np.array([200, 210]), np.array([300, 220]), NAMES[1::-1])
    stands = call_stands(joined_calls([first, later]), PATHS)
    assert places(stands, 20, 150, 205, 215) == [["load", "main"], [], ["load"], ["main", "load"]]
