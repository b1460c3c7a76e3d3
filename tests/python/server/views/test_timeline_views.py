"""Timelines that make room for others, and are asked for again by a page that still shows them."""

import asyncio
import base64

import numpy as np
import pytest

from made.xspace import Line, plane, write
from scopelight.analysis.timeline.windows import window as windows
from scopelight.analysis.totals import centre
from scopelight.analysis.totals.centre import Centre
from scopelight.protocol.timeline import WindowOptions
from scopelight.server.runs.loading import Loading
from scopelight.server.views.idle_time import IdleTime
from scopelight.server.views.timeline_lookups import TimelineLookups
from scopelight.server.views.timeline_views import FIRST_RESOLUTIONS, KEPT_TIMELINES, TimelineViews
from scopelight.server.work import Cache, Work, begin

pytestmark = pytest.mark.asyncio

DERIVED = ("device:/device:TPU:0/Free time", "device:/device:TPU:0/Transfers", "device:/device:TPU:0/Computation")


def made(folder, name):
    """A profile of a device and of a host, of which computation and transfers are worked out."""
    return write(
        folder / f"{name}.xplane.pb",
        plane(
            "/device:TPU:0",
            Line("XLA Modules", (("jit_step(1)", 0, 100),)),
            Line("XLA Ops", (("%fusion.1 = f32[8] fusion()", 10, 30), ("%copy-start.2 = f32[8] copy-start()", 50, 50))),
        ),
        plane("/host:CPU", Line("python", (("$train.py:1 main", 0, 200),))),
    )


def views():
    work = Work()
    cache = Cache(work)
    loading = Loading(work, cache)
    return TimelineViews(work, cache, loading, TimelineLookups(work, cache, loading), tuple)


async def complete(views, path):
    while not (timeline := await views.opened(path)).record().complete:
        await asyncio.sleep(0.01)
    return timeline


async def window(views, path, tracks):
    """A window of which every track was read."""
    while True:
        record = await views.window(path, WindowOptions(tracks, (9,) * len(tracks), 0, 200, 100), None)
        if all(track.ready for track in record.tracks):
            return record


async def names(views, path, boxes):
    """The names of a window's boxes, as they are known now."""
    data = base64.b64decode(boxes.packed)
    at = 16 * boxes.boxes + 8 * boxes.merged + 4 * (boxes.rows + 1)
    known = (await views.present(path)).slices.names
    return [known.text(each) for each in np.frombuffer(data, "<u4", boxes.boxes, at).tolist()]


async def pushed_out(views, folder):
    """Open so many others that what was open is closed."""
    for number in range(KEPT_TIMELINES):
        await views.opened(made(folder, f"other{number}"))


async def test_what_nobody_asked_for_is_read_and_merged_in_pauses(tmp_path, monkeypatch):
    pause = asyncio.Event()
    monkeypatch.setattr(IdleTime, "come", lambda _: pause.wait())
    monkeypatch.setattr(windows, "LEAST_MERGED", 1)
    shown = views()
    path = made(tmp_path, "a")
    whole = await complete(shown, path)
    asked, *_ = tracks = [track for track in whole.tracks if len(track.lane()) > 1]
    await window(shown, path, (asked.id,))
    await asyncio.sleep(0.2)
    assert [track.id for track in whole.tracks if track.is_ready] == [asked.id]
    assert not asked.index()._merged.keys() - set(resolutions(whole, asked)[:FIRST_RESOLUTIONS])
    pause.set()
    async with asyncio.timeout(60):
        while not all(set(resolutions(whole, track)) == track.index()._merged.keys() for track in tracks):
            await asyncio.sleep(0.01)
        # Those that hold one event have nothing to merge: they may come last.
        while not all(track.is_ready for track in whole.tracks):
            await asyncio.sleep(0.01)


def resolutions(timeline, track):
    return track.index().resolutions(timeline.slices.duration_ps, 1)


async def test_the_colours_of_a_timeline_and_the_lines_of_its_run_are_of_one_centre(tmp_path, monkeypatch):
    centres = []
    monkeypatch.setattr(centre, "Centre", lambda *arguments: centres.append(arguments) or Centre(*arguments))
    work = Work()
    cache = Cache(work)
    loading = Loading(work, cache)
    roots = (tmp_path,)
    path = made(tmp_path, "a")
    timeline = await complete(
        TimelineViews(work, cache, loading, TimelineLookups(work, cache, loading), lambda: roots), path
    )
    run = await loading.load(path, roots, "steps", lambda _: None)
    assert run.options.roots == (str(tmp_path),)
    assert await loading.profile(path, run.identity) is timeline.profile
    assert len(centres) == 1


async def test_a_timeline_that_made_room_for_others_has_all_its_tracks_when_it_is_asked_for_again(tmp_path):
    shown, path = views(), made(tmp_path, "first")
    await complete(shown, path)
    before = await window(shown, path, DERIVED)
    await pushed_out(shown, tmp_path)
    assert await window(shown, path, DERIVED) == before


async def test_names_that_a_page_knows_by_their_ids_stay_the_same(tmp_path):
    shown, path = views(), made(tmp_path, "first")
    await complete(shown, path)
    # Ids are given in the order in which tracks are drawn; here, the last one first.
    before = [(await window(shown, path, (track,))).boxes for track in DERIVED]
    expected = [await names(shown, path, boxes) for boxes in before]
    assert {name for each in expected for name in each} >= {"idle", "computation"}
    await pushed_out(shown, tmp_path)
    assert [await names(shown, path, boxes) for boxes in before] == expected
    for track in reversed(DERIVED):
        await window(shown, path, (track,))
    assert [await names(shown, path, boxes) for boxes in before] == expected


async def test_many_pages_that_ask_at_once_are_all_answered(tmp_path):
    shown = views()
    paths = [made(tmp_path, f"page{number}") for number in range(KEPT_TIMELINES + 2)]
    for path in paths:
        await complete(shown, path)
    records = await asyncio.wait_for(asyncio.gather(*(window(shown, path, DERIVED) for path in paths)), 60)
    assert all(record == records[0] for record in records)


async def test_a_track_that_is_nowhere_is_still_refused(tmp_path):
    shown, path = views(), made(tmp_path, "first")
    await shown.opened(path)
    with pytest.raises(LookupError, match="no track 'device:none'"):
        await window(shown, path, ("device:none",))


async def test_a_timeline_that_is_closed_while_it_is_opened_does_not_come_back(tmp_path, monkeypatch):
    path = made(tmp_path, "a")
    opened = views()
    gate, identify = asyncio.Event(), opened._loading.identify

    async def identify_later(path):
        await gate.wait()
        return await identify(path)

    monkeypatch.setattr(opened._loading, "identify", identify_later)

    async def ask():
        begin()
        return await opened.opened(path)

    asked = asyncio.create_task(ask())
    await asyncio.sleep(0)
    opened._cache.forget(path)
    opened.forget(path)
    gate.set()
    assert (await asked).tracks
    assert not opened._open
    assert (await complete(opened, path)).record().complete
