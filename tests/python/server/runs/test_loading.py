"""Loading a run that is written meanwhile: the latest or a sentence, never what was read before."""

import shutil

import pytest

from made.findings import said
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.formats.errors import FormatError
from scopelight.model.opening.profile import open_profile
from scopelight.server.runs import loading
from scopelight.server.work import Cache, Work
from scopelight.source.workspace import line_options

pytestmark = pytest.mark.asyncio


def loader_of_its_own():
    work = Work()
    return loading.Loading(work, Cache(work))


@pytest.fixture
def run(captured, tmp_path):
    """A copy of the captured run, for tests that write to it; its profile is one file, however many were captured."""
    captured.copy_of_one_profile(tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def while_reading(monkeypatch):
    """Has a function called each time after a profile was read, with the number of readings so far."""
    read = loading._read

    def install(change):
        readings = []

        def reading(path):
            profile = read(path)
            readings.append(path)
            change(len(readings))
            return profile

        monkeypatch.setattr(loading, "_read", reading)
        return readings

    return install


def add_part(run):
    """Publish a later part of the profile, as a capture does."""
    first = next(run.rglob("*.xplane.pb"))
    shutil.copyfile(first, first.with_name(first.name.replace(".xplane.pb", ".part2.xplane.pb")))


def op_time_ps(run, root):
    profile = open_profile(run)
    return hot_lines(profile, line_options(profile, root)).op_time_ps


async def test_a_part_that_is_written_while_the_run_is_read_is_shown(captured, run, while_reading):
    without = op_time_ps(run, captured.folder)
    readings = while_reading(lambda number: add_part(run) if number == 1 else None)
    loader = loader_of_its_own()
    loaded = await loader.load(run, [captured.folder], "steps", lambda _: None)
    assert loaded.record.op_time_ps == op_time_ps(run, captured.folder) > without
    assert len(readings) == 2
    assert await loader.load(run, [captured.folder], "steps", lambda _: None) is loaded
    assert len(readings) == 2


async def test_a_run_that_is_written_all_the_while_gets_a_sentence(captured, run, while_reading):
    def grow(number):
        (run / "run.json").write_text((run / "run.json").read_text() + "\n" * number)

    while_reading(grow)
    loader = loader_of_its_own()
    with pytest.raises(FormatError, match="it is being written: open it again when its capture is done"):
        await loader.load(run, [captured.folder], "steps", lambda _: None)
    while_reading(lambda _: None)
    assert (await loader.load(run, [captured.folder], "steps", lambda _: None)).path == run


async def test_a_profile_that_is_half_written_gets_a_sentence_and_opens_when_it_is_whole(captured, run):
    profile = next(run.rglob("*.xplane.pb"))
    whole = profile.read_bytes()
    loader = loader_of_its_own()
    expected = (await loader.load(run, [captured.folder], "steps", lambda _: None)).record
    loader._cache.forget(run)
    half = profile.with_suffix(".half")
    half.write_bytes(whole[: len(whole) // 2])
    half.replace(profile)
    partial = (await loader.load(run, [captured.folder], "steps", lambda _: None)).record
    assert "cut off" in said(partial, "warning")
    with profile.open("ab") as file:
        file.write(whole[len(whole) // 2 :])
    assert (await loader.load(run, [captured.folder], "steps", lambda _: None)).record == expected
