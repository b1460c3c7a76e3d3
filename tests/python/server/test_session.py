"""Work that a session does beside requests."""

import asyncio
import gc
from types import SimpleNamespace

from scopelight.server.session import Session


def test_work_that_is_cancelled_before_it_began_leaves_no_warning(recwarn):
    async def work():
        raise AssertionError("it was cancelled")

    async def cancel_at_once():
        ended = []
        session = SimpleNamespace(_tasks=set(), _ended=ended.append)
        task = Session.spawn(session, work())
        task.cancel()
        await asyncio.wait([task])
        return ended

    (task,) = asyncio.run(cancel_at_once())
    assert task.cancelled()
    gc.collect()
    assert [str(each.message) for each in recwarn] == []
