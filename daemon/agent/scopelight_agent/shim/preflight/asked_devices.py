"""Where the script asks of what kind a device is: it hears of the one that is here, and not of a TPU."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from ..host.codes import Codes, line_at

_ASKED = {"Device": ("platform", "device_kind"), "Client": ("platform",)}
"""Properties of jaxlib's classes that tell it."""


class AskedDevices:
    """Keeps each place of the user's own code that asks. jax asks all the time, and libraries do for what they are."""

    def __init__(self) -> None:
        self._codes = Codes()
        self._asked: dict[tuple[int, int], None] = {}
        """The identity of a code object and the offset in it, in the order in which they asked first."""

    def listen(self, *, hears_backend: bool) -> None:
        """Stand around the properties of devices, and of ``jax.default_backend`` where it tells what is here."""
        client: Any = sys.modules["jax._src.lib"].xla_client
        for name, properties in _ASKED.items():
            class_ = getattr(client, name)
            for each in properties:
                getter = getattr(class_.__dict__.get(each), "fget", None)
                if getter is not None:
                    setattr(class_, each, property(self._hearing(getter)))
        arrays: Any = sys.modules["jax._src.array"].ArrayImpl
        if hasattr(arrays, "platform"):
            arrays.platform = self._hearing(arrays.platform)
        if hears_backend:
            jax: Any = sys.modules["jax"]
            jax.default_backend = self._hearing(jax.default_backend)

    def told(self) -> list[tuple[str, int]]:
        """Path and line of each place."""
        codes = self._codes.by_id
        found = ((codes[each].co_filename, line_at(codes[each], offset)) for each, offset in list(self._asked))
        return list(dict.fromkeys(found))

    def _hearing(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        def ask_and_tell(*of: Any) -> Any:  # noqa: ANN401 (a class of jaxlib's, and what it says)
            self._hear(sys._getframe(1))
            return ask(*of)

        return ask_and_tell

    def _hear(self, frame: FrameType) -> None:
        code = frame.f_code
        if self._codes.is_users(code):
            self._codes.by_id[id(code)] = code
            self._asked[id(code), frame.f_lasti] = None
