"""Cells of a notebook are profiled where they run, from inside its kernel.

After ``%load_ext scopelight`` a cell that begins with ``%%scopelight`` is; editors ask for the next cell by
`profile_next_cell`, so that its text stays what it is. In both ways the cell runs as any other does, with ``await``
where it likes: its first line is replaced, or its border is watched. All cells of a kernel are windows of one run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

from .interface.switch import IS_OFF, running_agent
from .interface.windows import CaptureError, start, stop
from .joining import NoConductorError, clean_environment, conductor_python
from .options import Options

PUBLISHED_SECONDS = 60.0
"""At most so long a cell waits for its profile, which is written meanwhile by another process."""
LINES = 5
_LOOK_SECONDS = 0.05
_MAGIC = re.compile(r"%%scopelight(?=\s|$)(.*)")


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401 (an `InteractiveShell`; IPython is the user's)
    """Have ``%%scopelight`` in a kernel; called by ``%load_ext``."""
    shell.register_magic_function(_profiler_of(shell).magic, "line", "scopelight")
    if _in_place not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(_in_place)


def unload_ipython_extension(shell: Any) -> None:  # noqa: ANN401
    """Take it out again; called by ``%unload_ext``."""
    with suppress(ValueError):
        shell.input_transformers_cleanup.remove(_in_place)
    shell.magics_manager.magics["line"].pop("scopelight", None)


def profile_next_cell(shell: Any, *, out: str, conductor: str | None = None) -> str:  # noqa: ANN401
    """Profile the cell that runs next, and say nothing in it; the run directory, ``out`` unless the kernel has one.

    Raises `CaptureError` where nothing is captured in this kernel.
    """
    return _profiler_of(shell).wait_for_next(out, conductor)


def _profiler_of(shell: Any) -> CellProfiler:  # noqa: ANN401
    global _profiler  # noqa: PLW0603 (a kernel has one shell)
    if _profiler is None:
        _profiler = CellProfiler(shell)
    return _profiler


class CellProfiler:
    """Opens a window in a cell of a kernel, and closes it behind that."""

    def __init__(self, shell: Any) -> None:  # noqa: ANN401
        self._shell = shell
        self._next: tuple[str, str | None] | None = None
        self._closing = threading.Lock()
        self._is_open = False
        self._is_quiet = False
        self._timer: threading.Timer | None = None
        self._conductor: str | None = None
        self._before = 0

    def magic(self, line: str) -> None:
        """``%%scopelight [--seconds N] [--out FOLDER] [--conductor PYTHON]``

        Profile the cell: all of it, or its first N seconds. The run is kept in FOLDER, by default in .scopelight of the
        kernel's folder; the first cell that is profiled decides, and later ones add to it. PYTHON is the interpreter
        that has Scopelight, where the kernel's has not.
        """
        asked = _asked(line)
        if asked is not None:
            self._begin(asked.out, asked.conductor, asked.seconds)

    def wait_for_next(self, out: str, conductor: str | None) -> str:
        """As `profile_next_cell`."""
        if IS_OFF:
            raise CaptureError("SCOPELIGHT_OPTIONS says off: nothing is captured in this kernel.")
        self._next = (out, conductor)
        self._shell.events.register("pre_run_cell", self._cell_begins)
        agent = running_agent()
        return (None if agent is None else agent.run) or os.path.abspath(out)  # noqa: PTH100

    def _cell_begins(self, info: Any) -> None:  # noqa: ANN401
        # What editors ask a kernel between cells, as the variables that it has, has no place in its history.
        if not info.store_history or self._next is None:
            return
        self._shell.events.unregister("pre_run_cell", self._cell_begins)
        (out, conductor), self._next = self._next, None
        self._begin(out, conductor, is_quiet=True)

    def _begin(
        self, out: str | None, conductor: str | None, seconds: float | None = None, *, is_quiet: bool = False
    ) -> None:
        try:
            start(out=out, conductor=conductor)
        except CaptureError as error:
            _say(str(error))
            return
        self._is_open, self._is_quiet, self._conductor = True, is_quiet, conductor
        self._before = len(_windows(_run()))
        self._shell.events.register("post_run_cell", self._cell_ended)
        if seconds is not None:
            self._timer = threading.Timer(seconds, self._close)
            self._timer.daemon = True
            self._timer.start()

    def _close(self) -> None:
        with self._closing:
            is_open, self._is_open = self._is_open, False
            if is_open:
                # The script may have ended it itself.
                with suppress(CaptureError):
                    stop()

    def _cell_ended(self, result: Any = None) -> None:  # noqa: ANN401
        if result is not None and not result.info.store_history:
            return
        self._shell.events.unregister("post_run_cell", self._cell_ended)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            self._close()
            self._tell()
        except KeyboardInterrupt:
            # The profile is written all the same: it is not waited for.
            self._close()

    def _tell(self) -> None:
        run = _run()
        if run is None:
            return
        if not _uses_jax():
            _say("nothing was captured: the cell has given jax nothing to do, nor has one before it.")
        elif not _is_published(run, self._before):
            _say(f"{os.path.relpath(run)}: the profile is not written yet.")
        elif not self._is_quiet:
            lines = _hottest(run, self._conductor)
            sys.stdout.write(f"scopelight: {os.path.relpath(run)}{': ' if lines else ''}{' · '.join(lines)}\n")


_profiler: CellProfiler | None = None


def _in_place(lines: list[str]) -> list[str]:
    """The cell with its first line replaced: all others keep their numbers, and the cell stays one."""
    found = _MAGIC.match(lines[0]) if lines else None
    if found is None:
        return lines
    return [f"get_ipython().run_line_magic('scopelight', {found[1].strip()!r})\n", *lines[1:]]


def _asked(line: str) -> argparse.Namespace | None:
    """The options of the magic; None where they are wrong, which is said, and the cell runs without a capture."""
    parser = argparse.ArgumentParser(prog="%%scopelight", add_help=False)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--out")
    parser.add_argument("--conductor")
    try:
        return parser.parse_args(shlex.split(line))
    except (SystemExit, ValueError):
        _say("the cell runs without a capture.")
        return None


def _run() -> str | None:
    agent = running_agent()
    return None if agent is None else agent.run


def _uses_jax() -> bool:
    return bool(getattr(sys.modules.get("jax._src.xla_bridge"), "_backends", None))


def _windows(run: str | None) -> list[Any]:
    """Those that a run has so far."""
    try:
        with open(os.path.join(run or "", "run.json"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            windows = json.load(file).get("windows")
    except (OSError, ValueError, AttributeError):
        return []
    return windows if isinstance(windows, list) else []


def _is_published(run: str, before: int) -> bool:
    until = time.monotonic() + PUBLISHED_SECONDS
    while len(_windows(run)) <= before:
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def _hottest(run: str, conductor: str | None) -> list[str]:
    """The lines that took most of the time, as ``train.ipynb, cell 3:7 41 %``; none where nobody can tell."""
    try:
        python = conductor_python(replace(Options(), conductor=conductor))
        command = [python, "-P", "-m", "scopelight.cli.main", "show", "lines", run, "--json"]
        done = subprocess.run(
            command, env=clean_environment(), capture_output=True, timeout=PUBLISHED_SECONDS, check=True
        )
        rows = json.loads(done.stdout)["lines"]
        return [f"{row['path']}:{row['line']} {row['share_ratio']:.0%}" for row in rows[:LINES]]
    except (NoConductorError, OSError, subprocess.SubprocessError, ValueError, LookupError, TypeError):
        return []


def _say(sentence: str) -> None:
    sys.stderr.write(f"scopelight: {sentence}\n")
