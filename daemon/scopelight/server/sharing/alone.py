"""A report where no server runs: for the command line."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from scopelight import __version__
from scopelight.protocol.reports import WriteReport
from scopelight.server.session import Session
from scopelight.server.sharing.report import report_of
from scopelight.server.wire.transport import Transport


def report_alone(params: WriteReport, roots: Sequence[Path]) -> bytes:
    """What is in a report; the user's files are those in ``roots``. Raises what `report_of` raises."""
    server = LanguageServer("scopelight", __version__, protocol_cls=Transport, converter_factory=default_converter)
    transport = server.protocol
    assert isinstance(transport, Transport)

    async def report() -> bytes:
        session = Session(transport)
        session.folders = {root.as_uri(): root for root in roots}
        return await report_of(session, params)

    return asyncio.run(report())
