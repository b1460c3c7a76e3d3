"""Errors of memory that end the script although nothing prints them at its end: caught and left with, or of a thread.

A script may catch the error, say so and leave with an exit code. What it leaves with is gone when the interpreter's
exit functions run. But the error that this had come from went with it, at a moment when no Python code was running:
so is a script that left with the error told from one that dealt with it before. For that jax's class tells of every
error that it makes; none is kept, nor what its frames hold. Each is told to the launcher at once, since a script may
leave past the exit functions.

Some errors of memory are of Python's own `ValueError`, which tells nothing. One is seen where `sys.exit` is called
while it is handled, or where something still refers to it at the end.
"""

import functools
import gc
import os
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from . import last_words

MOST_ERRORS = 16
"""That are waited for: a script may keep those that it caught."""


class MemoryErrors:
    """What is known of them.

    ``made`` is called with what is told of one where jax makes it, or where it is first seen, in the thread and at the
    moment.
    """

    def __init__(self, made: Callable[[dict[str, Any]], None], is_compiling: Callable[[], bool]) -> None:
        self._made = made
        self._is_compiling = is_compiling
        self._process = os.getpid()
        self._waited_for: deque[weakref.ref[BaseException]] = deque(maxlen=MOST_ERRORS)
        self._error_class: type[BaseException] | None = None
        self._has_told = False
        self._left_with: dict[str, Any] | None = None
        self._of_thread: dict[str, Any] | None = None

    def watch(self) -> None:
        """Begin, as far as this jax lets us."""
        with suppress(Exception):
            self._watch_class(sys.modules["jax"].errors.JaxRuntimeError)
        self._watch_threads()
        self._watch_exits()

    def forget(self) -> None:
        """Wait for none any more: what is freed from now on says nothing."""
        self._waited_for.clear()

    def at_exit(self, *, is_failing: bool) -> dict[str, Any] | None:
        """What the first thread said that ended with such an error, else what the script leaves with.

        ``is_failing``: it ends with another error, that it did not catch. ``is_certain`` is false where only the
        script's exit code can tell whether it left because of that. Call once.
        """
        self.forget()
        if self._of_thread is not None:
            return {**self._of_thread, "in_thread": True, "is_certain": True}
        left_with = self._left_with
        if left_with is None and not is_failing and not self._has_told:
            left_with = self._still_there()
        return None if left_with is None else {**left_with, "in_thread": False, "is_certain": False}

    def _watch_class(self, error_class: Any) -> None:  # noqa: ANN401 (a class of the user's jax)
        self._error_class = error_class
        make = error_class.__init__

        def make_and_tell(error: BaseException, *arguments: Any, **named: Any) -> None:  # noqa: ANN401
            make(error, *arguments, **named)
            # Whatever fails of ours, the script gets its error.
            with suppress(Exception):
                self._look_at(error)

        error_class.__init__ = make_and_tell

    def _look_at(self, error: BaseException) -> None:
        text = str(error)
        if os.getpid() != self._process or not last_words.is_of_memory(error, text):
            return
        # Python 3.11 makes an error of C code only where it is caught: then the stack begins there.
        stack = last_words.stack_above(sys._getframe(2))
        words = last_words.words(text, stack, is_compiling=self._is_compiling())

        def gone(_: Any) -> None:  # noqa: ANN401
            is_of_end = sys._getframe().f_back is None
            if is_of_end and threading.current_thread() is threading.main_thread():
                self._left_with = words

        self._waited_for.append(weakref.ref(error, gone))
        self._has_told = True
        self._made(words)

    def _watch_threads(self) -> None:
        hook = threading.excepthook

        def look_and_pass_on(arguments: Any, /) -> None:  # noqa: ANN401
            with suppress(Exception):
                if os.getpid() == self._process and self._of_thread is None:
                    self._of_thread = last_words.said_by(arguments.exc_value, is_compiling=self._is_compiling())
            hook(arguments)

        threading.excepthook = look_and_pass_on

    def _watch_exits(self) -> None:
        leave = sys.exit

        @functools.wraps(leave)
        def look_and_leave(*arguments: Any) -> Any:  # noqa: ANN401
            with suppress(Exception):
                self._look_at_handled(sys.exc_info()[1])
            return leave(*arguments)

        sys.exit = look_and_leave

    def _look_at_handled(self, handled: BaseException | None) -> None:
        """``sys.exit`` is called, maybe while an error is handled. Another thread's ends that thread alone."""
        if os.getpid() != self._process or threading.current_thread() is not threading.main_thread():
            return
        error = last_words.first_of_memory(handled)
        # What the class made it has told of, when what was alive then was still there.
        if error is not None and type(error) is not self._error_class:
            self._has_told = True
            self._made(last_words.words_of(error, is_compiling=self._is_compiling()))

    def _still_there(self) -> dict[str, Any] | None:
        """The error that something refers to."""
        for each in gc.get_objects():
            # By its type: an object may answer for its class with code of its own.
            if issubclass(type(each), ValueError):
                words = last_words.said_by(each, is_compiling=self._is_compiling())
                if words is not None:
                    return words
        return None
