"""A callback for loops that call one on steps and epochs, of Keras, flax and others; it needs no package of theirs."""

from __future__ import annotations

from . import windows
from .marks import end_step, epoch, step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Callback:
    """Marks the steps and epochs of a training loop, and captures some of them where that is asked for.

    ``from_step`` to ``to_step`` (by default that one) are captured, counted from 0 over all epochs; or the ``epoch``
    with that number, counted from 0. With neither it only marks. The rest are `start`'s options. Keras and its like
    call the methods by their names; a loop that calls its hooks after each step (``hook(step)``) is served as well.
    """

    def __init__(
        self,
        *,
        from_step: int | None = None,
        to_step: int | None = None,
        epoch: int | None = None,
        **options: Any,  # noqa: ANN401 (those of `start`)
    ) -> None:
        if to_step is not None and (from_step is None or to_step < from_step):
            raise ValueError("to_step needs a from_step that is not after it.")
        if epoch is not None and from_step is not None:
            raise ValueError("from_step and epoch exclude each other: give one of them.")
        self._from = from_step
        self._to = from_step if to_step is None else to_step
        self._epoch = epoch
        self._options = options
        self._step = 0
        self._epochs = 0
        self._is_open = False

    def on_step_begin(self, *_: Any, **__: Any) -> None:  # noqa: ANN401 (whatever a loop tells)
        """A step of training is about to begin."""
        if self._from == self._step:
            self._open()
        step(self._step)

    def on_step_end(self, *_: Any, **__: Any) -> None:  # noqa: ANN401
        """A step of training has ended."""
        end_step()
        if self._to == self._step:
            self._close()
        self._step += 1

    on_train_batch_begin = on_batch_begin = on_step_begin
    on_train_batch_end = on_batch_end = on_step_end

    def __call__(self, number: int, *_: Any, **__: Any) -> None:  # noqa: ANN401
        """Step ``number`` has ended, in a loop that tells no more."""
        self._step = number
        self.on_step_end()
        self.on_step_begin()

    def on_epoch_begin(self, number: int | None = None, *_: Any, **__: Any) -> None:  # noqa: ANN401
        """An epoch is about to begin."""
        epoch(number)
        if self._epoch is not None and self._epoch == (self._epochs if number is None else number):
            self._open()

    def on_epoch_end(self, *_: Any, **__: Any) -> None:  # noqa: ANN401
        """An epoch has ended."""
        self._epochs += 1
        if self._epoch is not None:
            self._close()

    def on_train_end(self, *_: Any, **__: Any) -> None:  # noqa: ANN401
        """Training has ended, perhaps within what was to be captured."""
        end_step()
        self._close()

    def __getattr__(self, name: str) -> Callable[..., None]:
        # Loops tell much more than steps and epochs.
        if name.startswith("on_") or name in ("set_model", "set_params"):
            return _nothing
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _open(self) -> None:
        windows.start(**self._options)
        self._is_open = True

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            windows.stop()


def _nothing(*_: Any, **__: Any) -> None:  # noqa: ANN401
    return
