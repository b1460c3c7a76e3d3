"""One capture of an experiment: a script that is ended when its window is on disk, with its output in a file."""

import signal
import threading
from collections.abc import Mapping
from pathlib import Path

import attrs

from scopelight.capture.failures import CaptureFailure
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.model.run.information import ScriptError, WindowOptions

OUTPUT_FILE = "output.txt"
"""In the run directory: what the script printed."""
INTERRUPTED = "It was interrupted."
"""Why a round has nothing of a side, where somebody ended it."""
_PATIENCE_SECONDS = 5.0
"""How long a script may take to end that was told to; then it is killed."""
_LAST_CHARACTERS = 2_000


@attrs.define
class OneRound:
    """A script that is captured once, in ``cwd``; `cancel` ends it from another thread."""

    script: Script
    python: str
    cwd: Path
    environment: Mapping[str, str]
    spec: LaunchSpec
    error: ScriptError | None = attrs.field(default=None, init=False)
    """The exception that the script ended in, though it was captured."""
    _source: LaunchSource | None = attrs.field(default=None, init=False)
    _was_ended: bool = attrs.field(default=False, init=False)
    _is_cancelled: bool = attrs.field(default=False, init=False)
    _over: threading.Event = attrs.field(factory=threading.Event, init=False)

    def capture(self) -> str | None:
        """Capture it into the directory of the spec; a sentence where nothing was captured, else None."""
        out = self.spec.out
        assert out is not None
        out.mkdir(parents=True, exist_ok=True)
        with (out / OUTPUT_FILE).open("wb") as output:
            self._source = LaunchSource(
                script=self.script,
                python=self.python,
                cwd=self.cwd,
                environment=self.environment,
                on_window=self._window_is_kept,
                output=output.fileno(),
            )
            try:
                captured = self._source.capture(self.spec)
            except CaptureFailure as error:
                return error.sentence
            finally:
                self._over.set()
        run, failure = captured.run, captured.failure
        if self._is_cancelled:
            failure = INTERRUPTED
        elif self._was_ended and failure is None and run is not None:
            self.error = run.information.error
            if self.error is None:
                # It ended for us: that says nothing of it.
                run.update(exit_code=None)
        elif failure is None and captured.exit_code:
            failure = f"The script ended with exit code {captured.exit_code} before its window closed."
        if failure is None:
            return None
        if run is not None:
            run.update(state="failed", failure=failure)
        last = _last_line(out / OUTPUT_FILE)
        return f"{failure} It said last: {_as_sentence(last)}" if last and not self._is_cancelled else failure

    def cancel(self) -> None:
        """End the script; a window that has not closed is not worth keeping."""
        self._is_cancelled = True
        self._end()

    def _window_is_kept(self, _run: RunDirectory) -> None:
        if ends_with_window(self.spec.window):
            self._was_ended = True
            self._end()

    def _end(self) -> None:
        source = self._source
        if source is None:
            return
        source.end(signal.SIGTERM)

        def kill() -> None:
            if not self._over.wait(_PATIENCE_SECONDS):
                source.end(signal.SIGKILL)

        threading.Thread(target=kill, daemon=True).start()


def ends_with_window(window: WindowOptions) -> bool:
    """Whether nothing more is captured when a window is on disk, so that the script need not go on."""
    is_one = window.every is None and window.slow_ratio is None and window.watch is None
    return is_one and not window.whole


def _last_line(file: Path) -> str:
    try:
        lines = file.read_bytes()[-_LAST_CHARACTERS:].decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1].strip() if lines else ""


def _as_sentence(said: str) -> str:
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."
