"""The input and the threads of a host in the terminal: what is measured with its unit, what is estimated as such."""

import io
from pathlib import Path

import attrs
from rich.console import Console

from made.host.input_host import GET_OPTIONS, input_profile, main_stands, reader_stands
from scopelight.analysis.host.input.records import InputRecord
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.host.threads.records import DarkFunction, HostThreadsRecord
from scopelight.analysis.host.threads.view import host_record
from scopelight.findings import PROFILE_SCRIPT, empty
from scopelight.report.host.input import render_input
from scopelight.report.host.threads import render_host


def printed(render, record, **how):
    file = io.StringIO()
    console = Console(file=file, width=240)
    render(record, console, **{"base": Path("/home/me"), "limit": 20, **how})
    return file.getvalue()


def shown_input(**how):
    return printed(render_input, input_record(input_profile(), GET_OPTIONS), **how)


def row(text, beginning):
    return next(line.split() for line in text.splitlines() if line.startswith(beginning))


def test_the_verdict_comes_first_with_its_line():
    text = shown_input()
    first, second, *_ = text.splitlines()
    assert first.startswith("Input: 56.")
    assert first.endswith("complete steps, highly input-bound.")
    assert second == "Verdict: making the data is slow."
    assert row(text, "train.py:5")[1:3] == ["56.7", "%"]


def test_code_is_quoted_where_it_is_known():
    code = {("/home/me/reader.py", 3): "        x = decode()", ("/home/me/train.py", 5): "        x = ready.get()"}
    text = shown_input(line_text=lambda file, line: code.get((file, line)))
    assert "x = ready.get()" in text
    assert text.index("x = decode()") > text.index("x = ready.get()")


def test_each_table_has_what_it_is_of():
    text = shown_input()
    assert row(text, "waits for input  1")[3] == "17.0"
    assert "other data reading or processing" in text
    assert row(text, "ready ")[:7] == ["ready", "queue", "of", "threads", "0.0", "of", "4"]
    assert "holds the others up" in text
    assert "One thread, reader, fills the queue that the steps take from." in text


def test_what_is_of_the_window_rather_than_of_the_steps_says_so():
    text = shown_input()
    assert "the host, in the window" in text
    assert "stage, in the window" in text
    assert "busy in the window" in text


def test_one_is_no_plural():
    found = input_record(input_profile(), GET_OPTIONS)
    queues = tuple(attrs.evolve(each, gets=1, empty_gets=1, full_gets=0) for each in found.queues)
    one = attrs.evolve(found, step_count=1, steady_steps=1, launches=1, idle_launches=1, queues=queues)
    text = printed(render_input, one)
    assert "of the wall clock of 1 complete step, " in text
    assert "The one launch met an idle device." in text
    assert "1 of 1 get " in text
    threads = host_record(input_profile(), GET_OPTIONS)
    assert printed(render_host, attrs.evolve(threads, threads=threads.threads[:1])).startswith("1 thread in a window")


def test_estimates_are_marked():
    made = input_profile(main=main_stands(is_exact=False), reader=reader_stands(is_exact=False))
    assert "≈ 48.0 ms" in printed(render_input, input_record(made, GET_OPTIONS))
    assert "≈ 48.0 ms" in printed(render_host, host_record(made, GET_OPTIONS))


def test_few_rows_say_of_how_many():
    assert "1 of " in shown_input(limit=1)
    assert "1 of 2 threads." in printed(render_host, host_record(input_profile(), GET_OPTIONS), limit=1)


def test_nothing_to_show_says_why():
    record = InputRecord(findings=(empty("input-host-not-traced", PROFILE_SCRIPT),))
    assert printed(render_input, record).startswith("What the host did was not traced")
    record = HostThreadsRecord(findings=(empty("host-not-traced", PROFILE_SCRIPT),))
    assert printed(render_host, record).startswith("The profile has nothing of the host")


def test_threads_have_their_states_and_lines():
    record = host_record(input_profile(), GET_OPTIONS)
    text = printed(render_host, record)
    assert text.startswith("2 threads in a window of 120 ms, Python 3.12.1.")
    assert "reading results 33" in text
    assert row(text, "reader  ")[:1] == ["reader"]
    assert "reader.py:4" in text
    dark = DarkFunction("train.py", "/home/me/train.py", 3, "tokenise")
    assert "Lines of tokenise (train.py:3) were told apart no more" in printed(
        render_host, attrs.evolve(record, dark=(dark,))
    )


def test_names_of_others_do_nothing_to_the_terminal():
    record = input_record(input_profile(), GET_OPTIONS)
    evil = "\x1b[2Jwiped"
    stages = tuple(attrs.evolve(each, kind="grain", name=evil) for each in record.stages)
    operations = tuple(attrs.evolve(each, name=evil) for each in record.operations)
    queues = tuple(attrs.evolve(each, name=evil) for each in record.queues)
    text = printed(render_input, attrs.evolve(record, stages=stages, operations=operations, queues=queues))
    assert "\x1b" not in text
