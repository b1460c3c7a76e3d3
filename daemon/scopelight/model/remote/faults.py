"""What goes wrong with servers, in a sentence each: every library has exceptions of its own."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from scopelight.formats.errors import FormatError
from scopelight.model.remote.addresses import shown
from scopelight.phrase import Phrase

logger = logging.getLogger(__name__)

_UNREACHABLE = (
    "ClientConnectionError",
    "EndpointConnectionError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ConnectionError",
    "TimeoutError",
    "FSTimeoutError",
    "TransportError",
)
_CREDENTIALS = (
    "NoCredentialsError",
    "PartialCredentialsError",
    "CredentialRetrievalError",
    "TokenRetrievalError",
    "SSOError",
    "ProfileNotFound",
    "DefaultCredentialsError",
    "RefreshError",
)
_STATUS = {
    401: "PermissionError",
    403: "PermissionError",
    404: "FileNotFoundError",
    410: "FileNotFoundError",
}


@contextmanager
def in_sentences(address: str) -> Iterator[None]:
    """Raise what a library raises while ``address`` is read as a `FormatError`."""
    try:
        yield
    except FormatError:
        raise
    except Exception as error:
        # Libraries of three kinds, each with exceptions of its own: none may end the daemon.
        logger.info("%s could not be read", shown(address), exc_info=True)
        raise FormatError(_cause(error), path=shown(address)) from error


def _cause(error: BaseException) -> Phrase:
    names = _names(error)
    if names & {"ImportError", "ModuleNotFoundError"}:
        return Phrase("what reads such addresses cannot be imported ({reason})", reason=_short(error))
    if names.intersection(_CREDENTIALS):
        return Phrase(
            "there are no valid credentials for it: sign in with the server's own tool (aws configure, gcloud auth"
            " application-default login), or set its variables"
        )
    if names.intersection(_UNREACHABLE):
        return Phrase("the server cannot be reached: look at the address and the network")
    if "PermissionError" in names:
        return Phrase("the server does not let this user read it: look at your credentials and their rights")
    if "FileNotFoundError" in names:
        return Phrase("the server has no such bucket, folder or file")
    return Phrase("the server's answer is not understood ({reason})", reason=_short(error))


def _names(error: BaseException) -> set[str]:
    """The names of the exception's classes and of those that it came from; that of its status for an answer of HTTP."""
    names: set[str] = set()
    seen: BaseException | None = error
    while seen is not None and len(names) < 100:
        names.update(each.__name__ for each in type(seen).__mro__)
        for status in (getattr(seen, "status", None), getattr(seen, "code", None)):
            if isinstance(status, int | str) and str(status).isdigit():
                names.add(_STATUS.get(int(status), ""))
        is_answer = "FileNotFoundError" in names or "PermissionError" in names
        # Of HTTP what is not reached is called not found, because of what it says then.
        seen = seen.__cause__ or (None if is_answer else seen.__context__)
    return names


def _short(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:200].rstrip(".")
