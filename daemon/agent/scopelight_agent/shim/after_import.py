"""When has the script imported jax? An import hook that acts after the script's own import, and then goes.

Where it never does, what the script failed with is told at its end.
"""

import atexit
import functools
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent import Agent


launched: int | None = None
"""The descriptor of the launcher's connection, in a script that was launched."""


class _JaxWatcher(MetaPathFinder):
    """Finds nothing itself: it asks the finders behind it and has the loader tell when jax is complete."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.act = act
        self.searching = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "jax" or self.searching:
            return None
        self.searching = True
        try:
            spec = _search_behind(self, fullname, path, target)
        finally:
            self.searching = False
        loader = getattr(spec, "loader", None)
        if spec is None or loader is None or not hasattr(loader, "exec_module"):
            return spec
        execute = loader.exec_module

        def execute_and_tell(module: ModuleType) -> None:
            execute(module)
            # Only now: an import of jax that fails may be tried again.
            loader.__dict__.pop("exec_module", None)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            self.act()

        # On the instance, so that the module keeps the loader that it would have had.
        try:
            loader.exec_module = execute_and_tell
        except AttributeError:
            return spec
        return spec


def _search_behind(
    watcher: MetaPathFinder, fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    for finder in list(sys.meta_path):
        if finder is watcher or not hasattr(finder, "find_spec"):
            continue
        spec = finder.find_spec(fullname, path, target)
        if spec is not None:
            return spec
    return None


@functools.cache
def agent_of(descriptor: int) -> "Agent":
    """The agent of a script that was launched, which takes up its work when jax is imported."""
    from .agent import Agent  # noqa: PLC0415
    from .connection import Connection  # noqa: PLC0415

    return Agent(Connection(descriptor))


def _begin(descriptor: int, preflight: "dict[str, Any] | None") -> None:
    # From now on the agent tells how the script ends.
    atexit.unregister(_tell_how_it_ended)
    try:
        if preflight is not None:
            from .connection import Connection  # noqa: PLC0415
            from .preflight.duty import Preflight  # noqa: PLC0415

            Preflight(Connection(descriptor), **preflight).begin()
            return
        from .beginning import begin  # noqa: PLC0415

        sys.path_importer_cache.pop(os.path.dirname(os.path.abspath(__file__)), None)  # noqa: PTH100, PTH120
        begin(agent_of(descriptor))
    except Exception as error:
        sys.stderr.write(f"scopelight: the capture could not begin and the script runs without it: {error}\n")


def _tell_how_it_ended(descriptor: int, process: int) -> None:
    """The script ends, and has not imported jax."""
    if os.getpid() != process:
        return
    with suppress(Exception):
        from .connection import Connection  # noqa: PLC0415
        from .script_error import told  # noqa: PLC0415

        error = told()
        if error is not None:
            Connection(descriptor).send("script-error", **error)


def begin_with_jax(descriptor: int, preflight: "dict[str, Any] | None" = None) -> None:
    """Have the agent begin as soon as ``jax`` is complete, and tell how a script ends that never imports it.

    With ``preflight``, its settings, programs are caught and not traced.
    """
    global launched  # noqa: PLW0603 (a process is launched once)
    launched = descriptor
    home = os.getpid()
    forget = when_jax_is_imported(lambda: _begin(descriptor, preflight))
    if forget is None:
        return
    atexit.register(_tell_how_it_ended, descriptor, home)

    def leave_the_child() -> None:
        if os.getpid() != home:
            forget()
            with suppress(OSError):
                os.close(descriptor)

    # A forked data loader that imports jax is not profiled.
    os.register_at_fork(after_in_child=leave_the_child)


def when_jax_is_imported(act: Callable[[], None]) -> Callable[[], None] | None:
    """Act as soon as ``jax`` is complete: at once, and None, where it has been imported already.

    Else what makes this process forget about it.
    """
    if "jax" in sys.modules and getattr(sys.modules["jax"], "__version__", None):
        act()
        return None
    watcher = _JaxWatcher(act)
    sys.meta_path.insert(0, watcher)

    def forget() -> None:
        sys.meta_path[:] = [each for each in sys.meta_path if each is not watcher]

    return forget
