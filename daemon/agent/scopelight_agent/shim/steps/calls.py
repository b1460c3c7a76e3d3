"""Calls of compiled functions: jax has a hook that is called after each, by which it looks for NaNs.

The script's own use of it comes first to its end: where it looks for NaNs, now or later, both are called.
"""

import functools
import sys
from collections.abc import Callable
from typing import Any

Hook = Callable[[Any, Any, Any, Any], None]
"""Called with the function, its arguments, those that are named, and the result."""
_LOOKING = ("debug_nans", "debug_infs")
"""Options of jax that set the hook."""


class _OlderHooks:
    """The hooks of jax 0.6, by the names of newer ones."""

    def __init__(self, jit: Any) -> None:  # noqa: ANN401 (a module of jaxlib)
        self._jit = jit

    def get_global(self) -> Any:  # noqa: ANN401
        return self._jit.global_state().post_hook

    def set_global(self, hook: Hook) -> None:
        self._jit.global_state().post_hook = hook

    def get_local(self) -> Any:  # noqa: ANN401
        return self._jit.thread_local_state().post_hook

    def set_local(self, hook: Hook) -> None:
        self._jit.thread_local_state().post_hook = hook


def _hooks() -> Any:  # noqa: ANN401 (an object of jaxlib's, or what stands for it)
    api = sys.modules.get("jax._src.api")
    newer = getattr(api, "_post_hook_state", None)
    if newer is not None:
        return newer
    jit = getattr(api, "jax_jit", None)
    return _OlderHooks(jit) if hasattr(jit, "global_state") else None


def watch(called: Hook) -> bool:
    """Call ``called`` after each call of a compiled function but those that compile; whether this jax can tell."""
    hooks = _hooks()
    if hooks is None:
        return False
    own: set[Hook] = {called}

    def with_ours(theirs: Hook | None) -> Hook:
        if theirs is None or theirs in own:
            return called if theirs is None else theirs

        def both(function: Any, arguments: Any, named: Any, result: Any) -> None:  # noqa: ANN401
            # Theirs may raise.
            called(function, arguments, named, result)
            theirs(function, arguments, named, result)

        own.add(both)
        return both

    def keep_global() -> None:
        hooks.set_global(with_ours(hooks.get_global()))

    def keep_local() -> None:
        hook = hooks.get_local()
        # Where nothing was ever chosen for this thread, newer versions say so by an object of their own.
        if hook is None or callable(hook):
            hooks.set_local(with_ours(hook))

    keep_global()
    for name in _LOOKING:
        option = getattr(sys.modules.get("jax._src.config"), name, None)
        for place, keep in (("_update_global_hook", keep_global), ("_update_thread_local_hook", keep_local)):
            _after(option, place, keep)
    return True


def _after(option: Any, place: str, act: Callable[[], None]) -> None:  # noqa: ANN401 (an option of jax)
    """Have ``act`` called after what jax calls when the option is set."""
    theirs = getattr(option, place, None)
    if theirs is None:
        return

    @functools.wraps(theirs)
    def both(value: Any) -> None:  # noqa: ANN401 (what the script sets)
        theirs(value)
        act()

    setattr(option, place, both)
