"""Other tools that watch the interpreter, and children of the script: all see what they see without the shim."""

from made.scripts.watched_program import PROGRAM, TRACED


def test_with_one_id_taken_the_other_is_used_and_with_both_it_does_not_begin(run):
    found = run(
        """
        import sys
        from shim.host.line_monitor import is_available
        sys.monitoring.use_tool_id(4, "mine")
        one = monitor.start()
        used = sys.monitoring.get_tool(3)
        monitor.stop()
        sys.monitoring.use_tool_id(3, "mine")
        answer(one=one, used=used, both=monitor.start(), available=is_available(),
               tools=[sys.monitoring.get_tool(each) for each in (3, 4)], rows=len(told(monitor.take())) > 0)
        monitor.stop()
        """
    )
    assert (found["one"], found["used"]) == (True, "scopelight")
    assert (found["both"], found["available"]) == (False, False)
    assert found["tools"] == ["mine", "mine"]


def test_a_tool_of_the_script_gets_the_id_that_it_asks_for_and_lines_are_told_on(run):
    found = run(
        """
        import sys
        own = sys.monitoring.use_tool_id
        def work():
            a = 1
            b = 2
        monitor.start()
        monitor.take()
        work()
        used = next(each for each in (3, 4) if sys.monitoring.get_tool(each) == "scopelight")
        sys.monitoring.use_tool_id(used, "mine")
        seen = []
        sys.monitoring.register_callback(used, sys.monitoring.events.LINE, lambda code, line: seen.append(line))
        sys.monitoring.set_local_events(used, work.__code__, sys.monitoring.events.LINE)
        work()
        both = sorted([sys.monitoring.get_tool(3), sys.monitoring.get_tool(4)])
        monitor.stop()
        lines = [line - work.__code__.co_firstlineno for kind, line, name, _ in told(monitor.take())
                 if name == "work" and kind == 0]
        answer(lines=lines, seen=len(seen), both=both, is_back=sys.monitoring.use_tool_id is own,
               left=[sys.monitoring.get_tool(each) for each in range(6)].count("scopelight"))
        """
    )
    assert found == {"lines": [1, 2, 1, 2], "seen": 2, "both": ["mine", "scopelight"], "is_back": True, "left": 0}


def test_a_script_that_takes_all_ids_gets_them_and_nothing_is_told_of_lines_any_more(run):
    found = run(
        """
        import sys
        def work():
            a = 1
        def main():
            work()
            for each in (4, 3):
                sys.monitoring.use_tool_id(each, "mine")
            work()
        monitor.start()
        monitor.take()
        main()
        rows = told(monitor.take())
        answer(rows=[[kind, name] for kind, _, name, _ in rows], dark=len(monitor.dark),
               tools=[sys.monitoring.get_tool(each) for each in (3, 4)])
        monitor.stop()
        """
    )
    assert found["tools"] == ["mine", "mine"]
    # Of both functions the lines were told once; the last rows say that they are told no more.
    assert [name for kind, name in found["rows"] if name == "work" and kind == 0] == ["work"]
    assert found["rows"][-1][0] == 5
    assert found["dark"] >= 2


def test_where_no_id_is_free_samples_tell_the_lines(run):
    found = run(
        """
        import sys
        from shim.host.recording import Recording
        from shim.host.sampler import ALONE_NS
        for each in (3, 4):
            sys.monitoring.use_tool_id(each, "mine")
        recording = Recording()
        own = sys.getswitchinterval()
        recording.begin(is_window=True)
        period = recording._sampler._period_ns
        recorded = recording.cut()
        has_lines = recording._described(recorded)["has_lines"]
        recording.end()
        answer(has_lines=has_lines, hurried=period == ALONE_NS, same=own == sys.getswitchinterval(),
               lines=len(recorded.rows["lines"]))
        """
    )
    assert found == {"has_lines": False, "hurried": True, "same": True, "lines": 0}


def test_a_debugger_sees_what_it_sees_without_it(run):
    found = run(
        PROGRAM
        + TRACED
        + """
alone = traced()
monitor.start()
beside = traced()
monitor.stop()
answer(alone=alone, beside=beside, after=traced(), rows=len(told(monitor.take())))
"""
    )
    assert found["alone"] == found["beside"] == found["after"]
    assert len(found["alone"]) > 30 and found["rows"] > 30


COVERED = """
def covered(watch):
    m, lines, calls = sys.monitoring, set(), []

    def line(code, number):
        if code.co_filename == sys.argv[0]:
            lines.add((code.co_name, number))
        # As coverage does: each line once.
        return m.DISABLE

    def start(code, offset):
        if code.co_filename == sys.argv[0]:
            calls.append(code.co_name)

    m.use_tool_id(m.COVERAGE_ID, "coverage")
    m.use_tool_id(m.PROFILER_ID, "profiler")
    m.register_callback(m.COVERAGE_ID, m.events.LINE, line)
    m.register_callback(m.PROFILER_ID, m.events.PY_START, start)
    m.set_events(m.COVERAGE_ID, m.events.LINE)
    m.set_events(m.PROFILER_ID, m.events.PY_START)
    m.restart_events()
    if watch == "after":
        monitor.start()
    work()
    if watch == "during":
        monitor.stop()
        work()
    m.set_events(m.COVERAGE_ID, 0)
    m.set_events(m.PROFILER_ID, 0)
    m.free_tool_id(m.COVERAGE_ID)
    m.free_tool_id(m.PROFILER_ID)
    if watch == "after":
        monitor.stop()
    mine = [each for each in calls if each not in ("covered", "line", "start")]
    return sorted(each for each in lines if each[0] != "covered"), mine
"""


def test_tools_that_measure_coverage_or_profile_see_what_they_see_without_it(run):
    found = run(
        PROGRAM
        + COVERED
        + """
alone = covered("")
monitor.start()
before = covered("")
monitor.stop()
after = covered("after")
monitor.start()
during = covered("during")
answer(alone=alone, before=before, after=after, during=during)
"""
    )
    lines, calls = found["alone"]
    assert len(lines) > 15 and calls.count("again") == 3
    assert found["before"] == found["after"] == [lines, calls]
    assert found["during"] == [lines, calls * 2]


def test_a_forked_child_is_not_recorded_and_holds_nothing_open(run):
    found = run(
        """
        import gc, os, sys, threading, time, warnings
        from shim.host.recording import Recording
        warnings.simplefilter("ignore")
        def state():
            return [sorted(os.listdir("/proc/self/fd")), len(threading.enumerate()), len(gc.callbacks),
                    [sys.monitoring.get_tool(each) for each in range(6)], sys.getswitchinterval()]
        def work():
            x = 1
        recording = Recording()
        before = state()
        recording.begin(is_window=True)
        while not recording._sampler._waits:
            time.sleep(0.001)
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            recording.leave_the_child()
            os.close(reads); os.close(writes)
            told_before = len(recording._monitor.rows)
            work()
            ok = state() == before and len(recording._monitor.rows) == told_before
            if state() != before:
                os.write(2, repr((state(), before)).encode())
            os._exit(0 if ok and not local_events(work) else 1)
        _, status = os.waitpid(child, 0)
        os.close(reads); os.close(writes)
        during = state()
        recording.end()
        answer(status=status, threads=during[1] - before[1], tool=during[3][4], same=state() == before)
        """
    )
    assert found == {"status": 0, "threads": 0, "tool": "scopelight", "same": True}
