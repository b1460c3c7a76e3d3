"""Work that a session does beside requests."""

import asyncio
import gc
import warnings
from types import SimpleNamespace

from scopelight.server.session import Session


async def _nothing():
    raise AssertionError("it was cancelled")


async def _cancelled_at_once():
    ended = []
    task = Session.spawn(SimpleNamespace(_tasks=set(), _ended=ended.append), _nothing())
    task.cancel()
    await asyncio.wait([task])
    return ended


def test_work_that_is_cancelled_before_it_began_leaves_no_warning():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        (task,) = asyncio.run(_cancelled_at_once())
        assert task.cancelled()
        del task
        gc.collect()
    assert [str(each.message) for each in told] == []
