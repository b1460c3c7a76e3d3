"""The way in for jobs that nobody launched: by a variable, from code, from a notebook.

There is one agent in a process. Where ``scopelight run`` launched the script it is there already, under another name.
"""

import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .job import JOB_VARIABLE, LOCAL_RANKS, MEMBER_VARIABLE, job_key
from .options import Options, OptionsError, read
from .shim import cells
from .shim.after_import import when_jax_is_imported
from .shim.agent import Agent
from .shim.beginning import begin as take_up_work
from .shim.beginning import begin_again

if TYPE_CHECKING:
    from .shim.connection import Connection

_LAUNCHED = "_scopelight_shim.after_import"
"""The module through which the agent comes into a script that was launched."""

_agent: Agent | None = None
_making = threading.Lock()


def running() -> Any:  # noqa: ANN401 (an `Agent`, of this package or of the launcher's)
    """The agent in this process; None where there is none."""
    entrance = sys.modules.get(_LAUNCHED)
    launched = getattr(entrance, "launched", None)
    if entrance is None or launched is None:
        return _agent
    return entrance.agent_of(launched)


def begin(options: Options) -> Any:  # noqa: ANN401 (an `Agent`)
    """The agent in this process, made with ``options`` where there is none yet.

    It takes up its work when jax is imported, and at once where it is. Raises `UnwritableError` where
    its run directory cannot be made.
    """
    global _agent  # noqa: PLW0603 (there is one in a process)
    with _making:
        there = running()
        if there is not None:
            return there
        agent = _agent = _joined(options)
    when_jax_is_imported(_unless_forked(lambda: take_up_work(agent)))
    return agent


def begin_by_variables() -> None:
    """Have this process captured as the variables of its environment say, from when it imports jax.

    What they say wrongly is told in a sentence, and the script runs without a capture.
    """
    try:
        options = read(os.environ)
    except OptionsError as error:
        sentence = f"{error} The script runs without a capture."
        # The variable is inherited by all that a job starts, of which most has nothing to do with jax.
        when_jax_is_imported(_unless_begun(lambda: _tell_of_variables(sentence)))
        return
    if options is None or MEMBER_VARIABLE in os.environ:
        return
    os.environ[JOB_VARIABLE] = job_key(os.environ)
    when_jax_is_imported(_unless_begun(lambda: _begin_or_tell(options)))


def attach(place: str, run: str, *, is_watched: bool = False) -> None:
    """Be captured by who listens at ``place`` and fills the run directory ``run``; nobody is told of it.

    Who only watches it wants no snapshots of its memory.
    """
    global _agent  # noqa: PLW0603
    from .joining import PROBES_FOLDER, joined_at  # noqa: PLC0415 (imports what most processes do not need)

    with _making:
        there = running()
        script = _command()
        if there is not None and there.connection.alive:
            joined_at(place, script, captured_already=there.run or "another run")
            return
        connection = joined_at(place, script)
        folder = os.path.join(run, PROBES_FOLDER)  # noqa: PTH118
        first = [{"do": "record-host", "of": "window"}]
        if not is_watched:
            first.append({"do": "watch-memory", "folder": run})
        if there is not None:
            begin_again(there, connection, first, folder)
            return
        agent = _agent = Agent(connection, first, folder)
    when_jax_is_imported(_unless_forked(lambda: take_up_work(agent)))


def _begin_or_tell(options: Options) -> None:
    for note in options.notes:
        _tell_of_variables(note)
    from .joining import UnwritableError  # noqa: PLC0415 (imports what most processes do not need)

    try:
        begin(options)
    except UnwritableError as error:
        _tell(f"{error}: nothing is captured.")
    except Exception as error:
        _tell(f"the capture could not begin and the script runs without it: {error}")


def _unless_begun(act: Callable[[], None]) -> Callable[[], None]:
    """Of a process that has imported jax a forked child is none of the job's; of one that has not, as of a launcher
    that forks, each is."""
    home = os.getpid()
    has_begun = False

    def act_once() -> None:
        nonlocal has_begun
        if os.getpid() == home or not has_begun:
            has_begun = True
            act()

    return act_once


def _unless_forked(act: Callable[[], None]) -> Callable[[], None]:
    """A forked child, as a loader's worker, may import jax and is not captured."""
    home = os.getpid()

    def act_at_home() -> None:
        if os.getpid() == home:
            act()

    return act_at_home


def _joined(options: Options) -> Agent:
    # They import what most processes do not need.
    from .alone import Alone  # noqa: PLC0415
    from .joining import NoConductorError, join, new_run, probe_file  # noqa: PLC0415

    script = _command()
    connection: Connection | Alone
    try:
        connection, run, is_first = join(options, script)
    except NoConductorError as reason:
        run, is_first = new_run(options, script), True
        connection = Alone(options, run, script, str(reason))
        _tell(f"{reason}: the capture is a simpler one, in the script's own process.")
    first: list[dict[str, Any]] = []
    file = probe_file(run, is_first=is_first)
    if options.start:
        first.append({"do": "trace", "file": file, "after": 0.0, "seconds": None, "is_window": False})
    if options.memory and is_first:
        first.append({"do": "watch-memory", "folder": run})
    if options.host:
        first.append({"do": "record-host", "of": "whole" if options.whole else "window"})
    return Agent(connection, first, folder=os.path.dirname(file), mark=MEMBER_VARIABLE)  # noqa: PTH120


def _command() -> list[str]:
    """The script that runs, and its arguments, or ``-m`` and a module; a kernel's is its notebook."""
    notebook = cells.notebook()
    if notebook is not None:
        return [notebook]
    original = list(getattr(sys, "orig_argv", ()))
    if "-m" in original[1:]:
        return original[original.index("-m") :]
    return list(sys.argv)


def _tell_of_variables(sentence: str) -> None:
    """Of the processes that a launcher starts on a machine one says it, the first."""
    if all(os.environ.get(name, "0") == "0" for name in LOCAL_RANKS):
        _tell(sentence)


def _tell(sentence: str) -> None:
    sys.stderr.write(f"scopelight: {sentence}\n")
