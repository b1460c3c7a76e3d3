"""Lines by the interpreter's own events: what is told of whom, and that nothing is left when it stops."""

import itertools

from made.scripts.watched_program import PROGRAM, TRACED
from scopelight_agent.shim.host.line_monitor import BASE, LINE, ON_BASE, RETURN, START


def test_the_lines_that_begin_are_those_that_a_debugger_sees(run):
    found = run(
        PROGRAM
        + TRACED
        + """
wanted = traced()
monitor.start()
monitor.take()
work()
monitor.stop()
rows = told(monitor.take())
answer(wanted=wanted, rows=rows)
"""
    )
    lines = [[line, function] for kind, line, function, _ in found["rows"] if kind == LINE and function != "<module>"]
    # A debugger hears of a line again where a loop jumps back in it.
    mine, wanted = ([line for line, _ in itertools.groupby(each)] for each in (lines, found["wanted"]))
    assert mine == [each for each in wanted if each[1] != "traced"]
    assert {"numbers", "fails", "catches", "again", "<genexpr>"} <= {name for _, name in mine}


def test_calls_pauses_and_returns_are_told_in_their_order(run):
    found = run(
        PROGRAM
        + """
monitor.start()
monitor.take()
work()
monitor.stop()
answer(rows=told(monitor.take()))
"""
    )
    stack, deepest = [], 0
    for kind, _, function, _ in found["rows"]:
        if function == "<module>":
            continue
        if kind == START:
            stack.append(function)
        elif kind == RETURN:
            # What raised has no return of its own.
            while stack[-1] != function:
                assert stack.pop() == "fails"
            stack.pop()
        else:
            assert function in stack
        deepest = max(deepest, stack.count("again"))
    assert stack == []
    assert deepest == 3


def test_where_threads_stand_when_it_begins_is_told_outermost_first(run):
    found = run(
        """
        import threading
        def outer():
            inner()
        def inner():
            elsewhere(monitor.start)
            monitor.stop()
        ready, ends = threading.Event(), threading.Event()
        def other():
            ready.set(); ends.wait()
        thread = threading.Thread(target=other)
        thread.start()
        ready.wait()
        outer()
        ends.set()
        answer(rows=told(monitor.take()), other=thread.ident)
        """
    )
    rows = [(kind, line, function) for kind, line, function, thread in found["rows"] if thread != found["other"]]
    assert rows[:3] == [(BASE, 15, "<module>"), (ON_BASE, 5, "outer"), (ON_BASE, 7, "inner")]
    theirs = [(kind, line, function) for kind, line, function, thread in found["rows"] if thread == found["other"]]
    assert theirs == [(BASE, 11, "other")]


def test_after_rows_are_taken_they_begin_anew(run):
    found = run(
        """
        def work():
            elsewhere(monitor.take)
            x = 1
            return told(monitor.take())
        monitor.start()
        answer(rows=work())
        """
    )
    kinds = [(kind, function) for kind, _, function, _ in found["rows"]]
    assert kinds[:2] == [(BASE, "<module>"), (ON_BASE, "work")]
    assert [line for kind, line, *_ in found["rows"] if kind == LINE] == [5, 6]


def test_nothing_is_left_when_it_stops(run):
    found = run(
        PROGRAM
        + """
before = [sys.monitoring.get_tool(each) for each in range(6)]
monitor.start()
during = [sys.monitoring.get_tool(each) for each in range(6)]
work()
monitor.stop()
monitor.take()
work()
answer(before=before, during=during, after=[sys.monitoring.get_tool(each) for each in range(6)],
       rows=len(monitor.take()), left=local_events(numbers, fails, catches, again, work))
"""
    )
    assert found["before"] == found["after"] == [None] * 6
    assert found["during"] == [None] * 4 + ["scopelight", None]
    assert (found["rows"], found["left"]) == (0, 0)


def test_it_can_begin_again(run):
    found = run(
        PROGRAM
        + """
def lines():
    monitor.start()
    monitor.take()
    work()
    monitor.stop()
    return [row[:3] for row in told(monitor.take()) if row[2] != "<module>" and row[2] != "lines"]
answer(first=lines(), second=lines())
"""
    )
    assert found["first"] == found["second"] != []


def test_threads_tell_their_own_lines(run):
    found = run(
        """
        import threading
        def one():
            x = 1
        def two():
            y = 2
        monitor.start()
        threads = [threading.Thread(target=each) for each in (one, two)]
        for each in threads:
            each.start(); each.join()
        names = {}
        for kind, line, function, thread in told(monitor.take()):
            names.setdefault(function, set()).add(thread)
        monitor.stop()
        answer(one=len(names["one"]), two=len(names["two"]), main=threading.get_ident() in names["one"] | names["two"])
        """
    )
    assert found == {"one": 1, "two": 1, "main": False}


def test_what_gave_way_goes_on_at_the_line_where_it_did(run):
    found = run(
        """
        import asyncio

        async def batches():
            for number in range(2):
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                yield number

        async def train():
            async for batch in batches():
                batch + 1

        def numbers():
            yield 1
            yield 2

        def ones():
            for _ in range(3): yield 1

        monitor.start()
        monitor.take()
        asyncio.run(train())
        list(numbers())
        list(ones())
        monitor.stop()
        first = {each.__name__: each.__code__.co_firstlineno for each in (batches, train, numbers, ones)}
        answer(rows=[row for row in told(monitor.take()) if row[2] in first], first=first)
        """
    )
    first, begun, last = found["first"], set(), {}
    for kind, line, function, _ in found["rows"]:
        if kind == START:
            assert line == (last[function] if function in begun else first[function])
            begun.add(function)
        if kind in (START, LINE):
            last[function] = line
    assert len({line for kind, line, function, _ in found["rows"] if kind == START and function == "batches"}) == 4
