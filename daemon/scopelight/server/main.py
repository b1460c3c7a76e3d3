"""The server: put together, run on standard input and output, and ended with its client."""

import asyncio
import gc
import logging
import os
import sys

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from scopelight import __version__, garbage
from scopelight.formats.heap import keep_freed_memory
from scopelight.model.run.capture_process import is_alive
from scopelight.server.commands import register_commands
from scopelight.server.documents import cells, files
from scopelight.server.documents.notebooks import SYNCHRONISED
from scopelight.server.lines import annotations, code_actions, code_lens, diagnostics, hover, inlay_hints, moved_lines
from scopelight.server.requests import register_requests
from scopelight.server.runs.runs import watch_runs
from scopelight.server.runs.shown_capture import follow_capture_of_shown_run
from scopelight.server.runs.shown_run import follow_settings
from scopelight.server.session import Session
from scopelight.server.settings import configuration_changed, initialization_options
from scopelight.server.wire.faults import AnswersAreNoFaults
from scopelight.server.wire.transport import Transport

logger = logging.getLogger(__name__)

PARENT_POLL_SECONDS = 5.0


class Server(LanguageServer):
    """pygls' server; what happens outside of requests goes to the log, not into the user's face."""

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 (pygls names it)
        """Note a message that could not be handled."""
        logger.error("A message could not be handled: %s", error, exc_info=error)


def serve() -> None:
    """Serve the client on standard input and output until it ends."""
    _log_to_standard_error()
    keep_freed_memory()
    garbage.look_for_it_seldom()
    # Whatever prints to standard output, a library's warning as well, must not get between the messages.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server = Server(
        "scopelight",
        __version__,
        notebook_document_sync=SYNCHRONISED,
        protocol_cls=Transport,
        converter_factory=default_converter,
    )
    _register(server)
    # What was imported stays: the garbage collector need not look through it again and again.
    gc.freeze()
    server.start_io(stdout=output)
    # Work that no one waits for any more may still run in threads: the process does not wait for it either.
    logging.shutdown()
    transport = server.protocol
    assert isinstance(transport, Transport)
    os._exit(0 if transport.is_shut_down else 1)


def _register(server: Server) -> None:
    transport = server.protocol
    assert isinstance(transport, Transport)
    session = Session(transport)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        session.begin(params, initialization_options(params.initialization_options))
        session.documents.codec = server.workspace.position_codec

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:  # noqa: ARG001 (pygls gives it)
        session.spawn(session.loading.warm())
        if not session.is_foreign:
            session.spawn(watch_runs(session))
        if server.process_id is not None and is_alive(server.process_id):
            session.spawn(_end_with(server.process_id))

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        configuration_changed(session, params.settings)

    follow_settings(session)
    follow_capture_of_shown_run(session)
    register_requests(server, session)
    register_commands(session)
    for feature in (files, cells, annotations, diagnostics, code_actions, moved_lines, hover, code_lens, inlay_hints):
        feature.register(server, session)


async def _end_with(parent: int) -> None:
    """End the process when the client's is gone; its end of the pipe may live on in another child of it."""
    while is_alive(parent):
        await asyncio.sleep(PARENT_POLL_SECONDS)
    logger.warning("The editor's process %d is gone: the daemon ends too.", parent)
    logging.shutdown()
    os._exit(1)


def _log_to_standard_error() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(AnswersAreNoFaults())
    logging.basicConfig(
        level=logging.INFO, handlers=[handler], format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    # It logs every message in full.
    logging.getLogger("pygls").setLevel(logging.WARNING)
