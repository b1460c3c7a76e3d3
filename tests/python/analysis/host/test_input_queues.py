"""What is slow about the input: what the queues held when the steps took from them, beside what devices waited for."""

import attrs
import numpy as np
import pytest

from made.findings import codes, values
from made.host.input_host import (
    GET,
    GET_OPTIONS,
    MAIN,
    QUEUE_GET,
    STARVED,
    input_profile,
    main_stands,
    queue,
    stands,
)
from made.host.waiting_host import LINE_ID, MS, PREPARE
from scopelight.analysis.host.input import queue_verdict
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.totals.centre import centre_of
from scopelight.model.host.states import HostState
from scopelight.program.hlo.frames import Frame


def record(**parts):
    return input_record(input_profile(**parts), GET_OPTIONS)


def holding(held):
    """A queue that always holds as much."""
    return queue(dict.fromkeys(STARVED, held))


def waits_for(waits_ms, works_ms=0):
    """Where the thread stood that waits at the queue for so long in each step of 30 ms, and then works on the data."""
    begin_ms = 27 - waits_ms - works_ms
    rows = [(0, 2), (begin_ms, 0), (begin_ms + waits_ms, 3), (27, 1)] if works_ms else [(0, 2), (begin_ms, 0), (27, 1)]
    stacks = [*main_stands().stacks, (PREPARE, GET, MAIN)]
    return stands(stacks, *((at * 30 + begin, stack) for at in range(4) for begin, stack in rows))


class TestQueues:
    def test_at_each_get_what_it_held_while_the_step_waited(self):
        (found,) = record().queues
        assert (found.name, found.capacity, found.is_nearest) == ("ready", 4, True)
        assert (found.gets, found.empty_gets, found.full_gets) == (len(found.step_held),) * 2 + (0,)
        assert (found.path, found.line) == ("train.py", 5)
        assert (found.producers, found.consumers) == (("reader",), ("MainThread",))
        assert found.use_ratio == 0

    @pytest.mark.parametrize(("held", "verdict"), [(0, "barely"), (2, "keeps-up"), (4, "consumer")])
    def test_the_verdict_is_of_what_the_gets_found_where_devices_hardly_wait(self, held, verdict):
        found = record(queues=[holding(held)], main=waits_for(1))
        assert (found.level, found.verdict) == ("low", verdict)
        said = {"barely": "input-queue-often-empty", "keeps-up": "input-keeps-up", "consumer": "input-queue-full"}
        assert set(codes(found)) == {said[verdict]}

    @pytest.mark.parametrize(("waits_ms", "level"), [(3, "moderate"), (12, "high")])
    @pytest.mark.parametrize(("held", "verdict"), [(0, "processing"), (2, "gets"), (4, "gets")])
    def test_where_devices_wait_at_a_queue_that_is_not_empty_taking_from_it_is_slow(
        self, held, verdict, waits_ms, level
    ):
        found = record(queues=[holding(held)], main=waits_for(waits_ms))
        assert (found.level, found.verdict) == (level, verdict)
        assert ("input-queue-empty" in codes(found)) == (verdict == "processing")
        assert ("input-gets-slow" in codes(found)) == (verdict == "gets")
        assert not {"input-queue-full", "input-keeps-up", "input-queue-often-empty"} & set(codes(found))
        if verdict == "gets":
            assert found.suspected is None
            told = values(found, "input-gets-slow")
            assert (told["held"], told["gets"], told["file"], told["line"]) == (found.queues[0].gets,) * 2 + (
                "train.py",
                GET.line,
            )
            assert told["per_step_ps"] == pytest.approx(waits_ms * MS, rel=0.02)

    @pytest.mark.parametrize(("held_then", "verdict"), [(0, "processing"), (3, "gets")])
    def test_of_a_queue_that_is_filled_in_bursts_the_gets_count_at_which_devices_waited(
        self, held_then, verdict, monkeypatch
    ):
        monkeypatch.setattr(queue_verdict, "MOST_EMPTY", 0.4)
        # The second of three complete steps waits for 12 ms, the others for hardly any.
        waits_ms = (1, 12, 1, 1)
        rows = [
            (at * 30 + begin, stack)
            for at, waited_ms in enumerate(waits_ms)
            for begin, stack in ((0, 2), (27 - waited_ms, 0), (27, 1))
        ]
        sizes = {at: held_then if 35 <= at < 60 else 3 for at in STARVED}
        found = record(queues=[queue(sizes)], main=stands(main_stands().stacks, *rows))
        assert (found.level, found.verdict) == ("moderate", verdict)
        assert found.queues[0].empty_gets == (verdict == "processing")

    @pytest.mark.parametrize("held", [2, 4])
    def test_where_the_loop_works_on_what_it_took_it_is_what_devices_wait_for(self, held):
        found = record(queues=[holding(held)], main=waits_for(2, works_ms=10))
        assert (found.level, found.verdict) == ("high", "loop")
        told = values(found, "input-loop-works")
        assert (told["file"], told["line"]) == ("loader.py", PREPARE.line)
        assert told["per_step_ps"] == pytest.approx(10 * MS, rel=0.02)
        assert not {"input-queue-full", "input-keeps-up", "input-gets-slow"} & set(codes(found))
        assert found.suspected is None

    def test_where_the_steps_wait_for_something_else_than_the_queue_it_is_elsewhere(self):
        result = Frame("/usr/lib/python3.12/concurrent/futures/_base.py", 451, "Future.result")
        sampled = {LINE_ID: [(QUEUE_GET, GET, MAIN), (result, PREPARE, GET, MAIN)]}
        found = record(queues=[holding(2)], main=waits_for(2, works_ms=10), sampled=sampled)
        assert (found.level, found.verdict) == ("high", "elsewhere")
        assert found.queues[0].line == GET.line
        assert "input-waits-elsewhere" in codes(found)

    def test_where_devices_wait_for_transfers_of_what_was_taken_these_are_slow(self):
        made = input_profile(queues=[holding(2)], main=waits_for(2, works_ms=10))
        (states,) = made.host_states
        begin_ms = np.arange(4) * 30 + 16
        moves = attrs.evolve(
            states,
            state=np.append(states.state, np.full(4, HostState.TRANSFER, dtype=np.int8)),
            start_ps=np.append(states.start_ps, begin_ms * MS),
            end_ps=np.append(states.end_ps, (begin_ms + 9) * MS),
        )
        made = attrs.evolve(made, host_states=[moves])
        found = input_record(made, GET_OPTIONS)
        assert (found.level, found.verdict) == ("high", "transfer")
        assert "input-transfer-slow" in codes(found)
        # Views of lines call it a transfer, and no input.
        scoped = centre_of(made, GET_OPTIONS).scoped("steps")
        of_input = scoped.waiting.classes_ps["input"] / found.wall_ps
        told = values(found, "input-of-other-classes")
        assert told == {"other_ratio": pytest.approx(9 / 30)}
        assert found.input_ratio == pytest.approx(of_input + told["other_ratio"])

    def test_without_a_bound_none_is_full(self):
        (found,) = record(queues=[queue(dict.fromkeys(STARVED, 9), capacity=0)]).queues
        assert (found.capacity, found.use_ratio, found.full_gets, found.mean_held) == (None, None, 0, 9.0)

    def test_a_loaders_own_queue_is_a_part_of_it(self):
        loader = queue(STARVED, kind="torch", ends={(LINE_ID, "_next_data"): 9}, id_=5)
        inner = queue(STARVED, kind="processes", ends={(LINE_ID, "get"): 9}, id_=6)
        assert [each.kind for each in record(queues=[inner, loader]).queues] == ["torch"]

    def test_a_queue_that_was_never_read_says_nothing(self):
        found = record(queues=[queue({})])
        assert (found.verdict, found.queues[0].mean_held, found.queues[0].gets) == (None, None, 0)

    def test_a_kind_of_tomorrow_is_left_out(self):
        assert record(queues=[queue(STARVED, kind="telepathy")]).queues == ()
