"""Messages in and out: every request gets an answer, whatever it holds, and no message ends the server."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import JsonRPCRequestMessage, LanguageServerProtocol, lsp_method

from scopelight.protocol import PROTOCOL_VERSION, REQUESTS
from scopelight.server.wire.conversion import structured, unstructured

logger = logging.getLogger(__name__)

_BEFORE_INITIALIZE = frozenset((types.INITIALIZE, types.EXIT))


class Transport(LanguageServerProtocol):
    """The Language Server Protocol with the methods of `scopelight.protocol` on top.

    Parameters of our own methods arrive in handlers as the records that the protocol names.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 (pygls makes it)
        self.commands: dict[str, Callable[[types.ExecuteCommandParams], Awaitable[Any]]] = {}
        self._cancellable: dict[str | int, asyncio.Task[Any]] = {}
        self._is_initialized = False
        super().__init__(*arguments, **options)

    @property
    def is_shut_down(self) -> bool:
        """Whether the client asked the server to shut down, as it should before it ends it."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 (any JSON)
        """Leave objects as they are: this is called for every nested one, and only a whole message says what it is."""
        return data

    def handle_message(self, message: Any) -> None:  # noqa: ANN401 (any JSON)
        """Hand a message to its handler; answer a request that is none with an error."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            logger.warning("A message that is not JSON-RPC 2.0 was ignored.")
            return
        identifier = message.get("id")
        if not isinstance(identifier, str | int | None) or isinstance(identifier, bool):
            logger.warning("A message whose id is neither text nor a number was ignored.")
            return
        try:
            super().handle_message(self._typed(message))
        except JsonRpcException as error:
            if "method" in message and identifier is not None:
                self._send_response(identifier, error=error.to_response_error())
            else:
                logger.warning("A message was ignored: %s", error)

    def send(self, method: str, record: object) -> None:
        """Notify the client; ``record`` is one of the protocol's."""
        self.notify(method, unstructured(record))

    def made_cancellable(self, token: str | int, task: asyncio.Task[Any]) -> None:
        """Let the client cancel ``task`` by its progress token, until it is done."""
        self._cancellable[token] = task
        task.add_done_callback(lambda _: self._cancellable.pop(token, None))

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with our commands and the version of our own protocol beside what pygls says."""
        if self._is_initialized:
            raise JsonRpcInvalidRequest("The server is initialized already.")
        result = yield from super().lsp_initialize(params)
        assert isinstance(result, types.InitializeResult)
        result.capabilities.execute_command_provider = types.ExecuteCommandOptions(list(self.commands))
        result.capabilities.experimental = {"scopelight": {"protocol_version": PROTOCOL_VERSION}}
        self._is_initialized = True
        return result

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:  # noqa: ANN401 (any JSON)
        """Run a command as a request of its own, so that cancelling it reaches the work; pygls' own does not."""
        command = self.commands.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"There is no command {params.command}.")
        return await command(params)

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Cancel the request that reports under a token; one that is done already is no mistake."""
        task = self._cancellable.get(params.token)
        if task is not None:
            task.cancel()

    def _typed(self, message: dict[str, Any]) -> Any:  # noqa: ANN401 (one of pygls' message classes)
        """The message as what its method says it is."""
        if "method" not in message:
            return super().structure_message(message)
        method = message["method"]
        is_request = message.get("id") is not None
        if not isinstance(method, str):
            raise JsonRpcInvalidRequest("The method of a request is its name.")
        if not self._is_initialized and method not in _BEFORE_INITIALIZE:
            raise JsonRpcServerNotInitialized("The server is not initialized: the first request must be initialize.")
        if method in REQUESTS:
            if not is_request:
                raise JsonRpcInvalidRequest(f"{method} is a request, and was sent without an id.")
            params: Any = structured(message.get("params"), REQUESTS[method][0], f"The parameters of {method}")
            return JsonRPCRequestMessage(message["id"], method, self.VERSION, params)
        kind = self.get_message_type(method)
        if kind is None:
            raise JsonRpcMethodNotFound(f"There is no method {method}.")
        try:
            typed = self._converter.structure(message, kind)
        except Exception as error:
            raise JsonRpcInvalidParams(
                f"The parameters of {method} are not as the Language Server Protocol has them."
            ) from error
        if is_request and not hasattr(typed, "id"):
            raise JsonRpcInvalidRequest(f"{method} is a notification, and was sent as a request.")
        return typed
