"""What is made ahead for the questions to a timeline: the flows, once all its tracks are read."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from made.xspace import Line, plane, write
from scopelight.analysis.timeline.events.flows import Flows
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.model.slices import Lane
from scopelight.server.runs.loading import Loading
from scopelight.server.views import idle_time as idle_time_module
from scopelight.server.views.idle_time import LEAST_S, IdleTime
from scopelight.server.views.timeline_lookups import TimelineLookups
from scopelight.server.views.timeline_views import TimelineViews
from scopelight.server.work import Cache, Work

pytestmark = pytest.mark.asyncio


PATH = Path("run")


def made_lookups():
    work = Work()
    cache = Cache(work)
    return TimelineLookups(work, cache, Loading(work, cache))


def never_pause():
    """Nothing is more urgent."""


def launches(timeline):
    """The number of each launch of a kernel, and what the profile says of it."""
    for track in timeline.tracks:
        for number in range(min(2_000, track.events)):
            arguments = track.stored.arguments(number)
            if track.section.kind == "host" and arguments.get("correlation_id"):
                yield track, number, arguments


async def test_flows_that_were_made_ahead_are_those_that_are_made_when_asked_for(shared_data, monkeypatch):
    timeline = open_timeline(shared_data / "mi300x-conv/tw003.xplane.pb")
    asked = [*launches(timeline)]
    expected = [Flows(timeline).of(*each) for each in asked[:3]]
    assert any(expected)
    lookups = made_lookups()
    await lookups.prepare(PATH, timeline, never_pause)

    def refuse(_):
        raise AssertionError("events are decoded again")

    monkeypatch.setattr(Lane, "events_as_recorded", refuse)
    found = await lookups.of(PATH, timeline, None, ())
    assert [found.flows.of(*each) for each in asked[:3]] == expected


async def test_lookups_that_were_there_first_have_the_flows_that_are_prepared(shared_data, monkeypatch):
    timeline = open_timeline(shared_data / "mi300x-conv/tw003.xplane.pb")
    prepared = []
    monkeypatch.setattr(Flows, "prepare", lambda flows, _: prepared.append(flows))
    lookups = made_lookups()
    found = await lookups.of(PATH, timeline, None, ())
    await lookups.prepare(PATH, timeline, never_pause)
    assert prepared == [found.flows]


async def test_it_begins_when_all_tracks_of_a_complete_timeline_are_read(tmp_path):
    path = write(
        tmp_path / "a.xplane.pb",
        plane("/device:TPU:0", Line("XLA Ops", (("op.1", 10, 30), ("op.2", 50, 50)))),
        plane("/host:CPU", Line("python", (("$train.py:1 main", 0, 200),))),
    )
    told = asyncio.get_running_loop().create_future()

    class Told:
        async def prepare(self, _, timeline, _pause):
            told.set_result(timeline)

    work = Work()
    cache = Cache(work)
    views = TimelineViews(work, cache, Loading(work, cache), Told(), tuple)
    await views.opened(path)
    timeline = await asyncio.wait_for(told, 60)
    assert timeline is await views.present(path)
    assert timeline.record().complete
    assert timeline.tracks
    assert all(track.is_ready for track in timeline.tracks)


async def test_it_waits_for_what_is_more_urgent_until_somebody_asks(shared_data):
    timeline = open_timeline(shared_data / "mi300x-conv/tw003.xplane.pb")
    track, number, arguments = next(launches(timeline))
    expected = Flows(timeline).of(track, number, arguments)
    flows = Flows(timeline)
    pauses = []
    urgent, go_on = threading.Event(), threading.Event()

    def pause():
        pauses.append(None)
        urgent.set()
        go_on.wait(60)

    with ThreadPoolExecutor(2) as threads:
        ahead = threads.submit(flows.prepare, pause)
        assert urgent.wait(60)
        asked = threads.submit(flows.of, track, number, arguments)
        while not flows.is_awaited:
            time.sleep(0.001)
        go_on.set()
        assert asked.result(60) == expected
        ahead.result(60)
    # The rest was not paused.
    assert len(pauses) == 1


async def test_pictures_are_what_is_more_urgent(monkeypatch):
    now_s, slept_s = 100.0, []

    def sleep(seconds):
        nonlocal now_s
        slept_s.append(seconds)
        now_s += seconds
        if len(slept_s) == 1:
            # Meanwhile another picture is asked for.
            idle_time.interrupt()

    monkeypatch.setattr(idle_time_module, "time", SimpleNamespace(monotonic=lambda: now_s, sleep=sleep))
    idle_time = IdleTime()
    idle_time.wait()
    assert slept_s == []
    idle_time.interrupt()
    now_s += LEAST_S / 4
    idle_time.wait()
    assert slept_s == [LEAST_S * 3 / 4, LEAST_S]


async def test_the_event_loop_waits_for_a_pause_and_not_a_thread():
    idle_time = IdleTime()
    idle_time.interrupt()
    coming = asyncio.create_task(idle_time.come())
    for _ in range(5):
        await asyncio.sleep(LEAST_S / 2)
        assert not coming.done()
        idle_time.interrupt()
    await asyncio.wait_for(coming, 60)
