"""What is found of the shown run's lines, and how long those who ask for it are kept waiting."""

import asyncio

import pytest

from scopelight.server.events import Event
from scopelight.server.lines.of_shown_run import OfShownRun
from scopelight.server.session import Session

pytestmark = pytest.mark.asyncio

RUN = object()
"""Which run it is, and nothing of it, is asked for here."""


class Costs(OfShownRun[str]):
    """Found when the test says so."""

    def __init__(self):
        super().__init__(Session(None), Event())
        self.found = asyncio.Event()

    def update(self):
        pass

    async def find(self, _run):
        await self.found.wait()
        return "costs"


async def test_all_who_ask_while_it_is_being_found_wait_for_it_together():
    costs = Costs()
    costs.start(RUN)
    assert await costs.soon(RUN, 0.001) is None
    # The time to wait has passed: however long another one would wait, there is an answer at once.
    assert await asyncio.wait_for(costs.soon(RUN, 3600), 60) is None
    costs.found.set()
    costs.start(RUN, "another setting")
    assert await asyncio.wait_for(costs.soon(RUN, 3600), 60) == "costs"


async def test_what_is_found_meanwhile_is_waited_for_no_longer():
    costs = Costs()
    costs.start(RUN)
    asked = asyncio.ensure_future(costs.soon(RUN, 3600))
    await asyncio.sleep(0)
    costs.found.set()
    assert await asyncio.wait_for(asked, 60) == "costs"
