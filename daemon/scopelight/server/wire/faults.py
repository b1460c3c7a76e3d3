"""Errors as people read them: a sentence in the answer, the traceback in the log."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from scopelight.formats.errors import FormatError
from scopelight.report.language import sentence_of, text

logger = logging.getLogger(__name__)

Params = TypeVar("Params")


class RequestFailed(JsonRpcException):
    """A request that was understood and cannot be met; the message is a sentence for the user."""

    CODE = LSPErrorCodes.RequestFailed.value


def guarded(
    handler: Callable[[Params], Awaitable[Any]], subject: str, **names: str
) -> Callable[[Params], Awaitable[Any]]:
    """``handler``, with its errors made answers; ``subject``, a template for ``names``, is what may have failed."""

    async def guarded_handler(params: Params) -> Any:  # noqa: ANN401 (as the handler)
        try:
            return await handler(params)
        except JsonRpcException:
            raise
        except FormatError as error:
            raise RequestFailed(sentence_of(error)) from error
        except Exception as error:
            logger.exception("%s failed.", subject.format_map(names))
            said = text(
                "{subject} failed because of a fault in Scopelight: see the log.", subject=text(subject, **names)
            )
            raise JsonRpcInternalError(said) from error

    return guarded_handler


class AnswersAreNoFaults(logging.Filter):
    """Keeps out of the log what pygls writes there of a request that was answered with an error of ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is of something that is not known yet."""
        fault = record.exc_info[1] if record.exc_info else None
        return not isinstance(fault, JsonRpcException)
