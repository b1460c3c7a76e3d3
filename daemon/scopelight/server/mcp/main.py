"""The server for agents: on standard input and output, on which nothing else is ever written, until its client ends."""

import gc
import logging
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType

from scopelight import garbage
from scopelight.agents.desk import Desk
from scopelight.agents.table import TOOLS
from scopelight.agents.workspace import Workspace
from scopelight.server.mcp.conversation import Conversation
from scopelight.server.mcp.messages import Writer, read_messages

logger = logging.getLogger(__name__)


def serve(roots: Sequence[Path]) -> None:
    """Serve the client on standard input and output; nothing outside of these folders is read."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    garbage.look_for_it_seldom()
    # Whatever prints to standard output, a library's warning as well, must not get between the messages.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    conversation = Conversation(Desk(Workspace.of(roots)), Writer(output), _warm)
    signal.signal(signal.SIGTERM, _terminated)
    try:
        for message in read_messages(sys.stdin.buffer):
            conversation.handle(message)
        conversation.finish()
    except KeyboardInterrupt:
        pass
    finally:
        # A script that was started for a client that is gone ends too.
        conversation.end()


def _terminated(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _warm() -> None:
    """Import what calls need, while the client thinks: the first one need not wait for it."""
    try:
        gc.disable()
        for tool in TOOLS.values():
            tool.function()
        for module in (
            "scopelight.model.opening.profile",
            "scopelight.source.workspace",
            "scopelight.views.overview",
            "scopelight.analysis.lines.view",
            "scopelight.analysis.ops.views",
            "scopelight.analysis.advice.view",
        ):
            import_module(module)
    except ImportError:
        # A call that needs it says so.
        logger.warning("Not all could be imported ahead.", exc_info=True)
    finally:
        gc.enable()
