"""The client's settings, as far as the daemon uses them."""

import logging
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from scopelight.protocol import PROTOCOL_VERSION
from scopelight.protocol.settings import InitializationOptions, Settings
from scopelight.report.language import text, use_bundle
from scopelight.server.session import Session
from scopelight.server.wire.conversion import structured, unstructured

logger = logging.getLogger(__name__)

SECTION = "scopelight"


def initialization_options(value: object) -> InitializationOptions:
    """What a client said when it started the server. Raises `JsonRpcInvalidParams` where it cannot be served."""
    options = structured(value, InitializationOptions, "The initialization options")
    use_bundle(options.texts)
    version = options.protocol_version
    if version is not None and version != PROTOCOL_VERSION:
        remedy = (
            text("the daemon is older, run “Scopelight: Install Daemon”")
            if version > PROTOCOL_VERSION
            else text("the extension is older, update it in the Extensions view")
        )
        raise JsonRpcInvalidParams(
            text(
                "The extension speaks protocol {theirs} and this daemon {ours}: {remedy}.",
                theirs=version,
                ours=PROTOCOL_VERSION,
                remedy=remedy,
            ),
            data={"protocol_version": PROTOCOL_VERSION},
        )
    return options


def configuration_changed(session: Session, configuration: Any) -> None:  # noqa: ANN401 (any JSON)
    """Apply the section of ours; what it does not name stays, and what is not understood changes nothing."""
    section = configuration.get(SECTION) if isinstance(configuration, dict) else None
    if not isinstance(section, dict):
        return
    try:
        settings = structured({**unstructured(session.settings), **section}, Settings, "The settings")
    except JsonRpcInvalidParams as error:
        logger.warning("The settings stay as they are: %s", error)
        return
    session.apply(settings)
