"""Progress of one request, and its cancellation by the client."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Callable

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from scopelight.server.session import Session


@contextlib.asynccontextmanager
async def progress(
    session: Session, token: str | int | None, title: str, *, create: bool = False
) -> AsyncIterator[Callable[[str], None]]:
    """Show ``title`` as progress while the block runs; yields what reports a message.

    Under the client's ``token``. Without one nothing is shown, unless ``create`` asks the client for one of ours and it
    can show it. Cancelling the progress cancels the task that runs the block.
    """
    if token is None and create and session.client.window is not None and session.client.window.work_done_progress:
        token = await _created(session)
    if token is None:
        yield lambda _: None
        return
    task = asyncio.current_task()
    assert task is not None
    session.transport.made_cancellable(token, task)

    def send(value: object) -> None:
        session.transport.notify(types.PROGRESS, types.ProgressParams(token, value))

    send(types.WorkDoneProgressBegin(title, cancellable=True))
    try:
        yield lambda message: send(types.WorkDoneProgressReport(message=message))
    finally:
        send(types.WorkDoneProgressEnd())


async def _created(session: Session) -> str | None:
    token = str(uuid.uuid4())
    try:
        await session.transport.send_request_async(
            types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(token)
        )
    except JsonRpcException:
        # The client would not show it: the work goes on unseen.
        return None
    return token
