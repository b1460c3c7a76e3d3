"""A pause in what a person does: work that nobody waits for is done then, and not beside what they see."""

import asyncio
import time

LEAST_S = 0.25
"""Longer than the time between two pictures of somebody who pans or zooms."""


class IdleTime:
    """Tells work ahead when to go on. Safe for several threads."""

    def __init__(self) -> None:
        self._interrupted_s = -LEAST_S

    def interrupt(self) -> None:
        """Somebody waits for a picture, or for an answer."""
        self._interrupted_s = time.monotonic()

    def wait(self) -> None:
        """Return once nobody has asked for anything for a while. Blocks its thread."""
        while (left_s := self._left_s) > 0:
            time.sleep(left_s)

    async def come(self) -> None:
        """As `wait`, for what runs on the event loop: the threads stay free for who asks."""
        while (left_s := self._left_s) > 0:
            await asyncio.sleep(left_s)

    @property
    def _left_s(self) -> float:
        return self._interrupted_s + LEAST_S - time.monotonic()
