"""What an address stands for is downloaded before it is opened."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event

from scopelight.model.remote.fetched import Fetched
from scopelight.report.language import text
from scopelight.report.numbers import byte_size
from scopelight.server.session import Session


async def downloaded(session: Session, address: str, report: Callable[[str], None]) -> Path:
    """Where what is at an address lies here; ``report`` is told how far that is. Cancelling ends the download.

    Raises `FormatError` with a sentence where it cannot be had.
    """
    stopped = Event()
    loop = asyncio.get_running_loop()

    def tell(done: int, total: int) -> None:
        if stopped.is_set():
            raise InterruptedError
        said = text("downloading {done} of {total}", done=byte_size(done), total=byte_size(total))
        loop.call_soon_threadsafe(report, said)

    def fetched() -> Fetched:
        # Few paths are addresses.
        from scopelight.model.remote.fetching import fetch  # noqa: PLC0415

        return fetch(address, tell)

    report(text("asking the server"))
    try:
        found = await session.work.run("long", fetched)
    finally:
        stopped.set()
    session.fetched[found.path] = found
    return found.path
