"""Start and stop one trace through jax's own profiler session, and leave its XSpace in a file."""

import builtins
import contextlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from . import jax_process


class TracerUnusableError(Exception):
    """jax's profiler must not be started; a sentence says why, and what to do."""


def words_of(error: Exception) -> str:
    """What is told of an error: the sentence of one of ours, else its class as well."""
    is_sentence = isinstance(error, TracerUnusableError)
    return str(error) if is_sentence else f"{type(error).__name__}: {error}"


def _session_module() -> Any:  # noqa: ANN401
    """The module with ``ProfilerSession``: its own in newer jaxlibs, a part of ``xla_client`` before."""
    library = sys.modules.get("jax._src.lib")
    newer = getattr(library, "_profiler", None)
    older = getattr(getattr(library, "xla_client", None), "profiler", None)
    for each in (newer, older):
        if hasattr(each, "ProfilerSession") and hasattr(each, "ProfileOptions"):
            return each
    return None


@contextlib.contextmanager
def _quiet_python_hooks() -> Iterator[None]:
    """Older jaxlibs import a module of TensorFlow's here and complain on the script's stderr when there is none.

    The C API's import asks the ``__import__`` in the builtins of the calling module, this one, and then takes the
    module from ``sys.modules``. Nobody else sees the stand-in's packages, so nobody takes TensorFlow for installed.
    """
    name = "tensorflow.python.profiler.trace"
    if "tensorflow" in sys.modules or name in sys.modules:
        yield
        return
    stand_in = ModuleType(name)
    stand_in.enabled = False  # type: ignore[attr-defined]

    def import_module(asked: str, *rest: Any) -> Any:  # noqa: ANN401
        return stand_in if asked == name else builtins.__import__(asked, *rest)

    own = globals()["__builtins__"]
    globals()["__builtins__"] = {**vars(builtins), "__import__": import_module}
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        globals()["__builtins__"] = own
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]


class _LibrarySession:
    """jaxlib's session: gives the XSpace's bytes and skips the slow ``trace.json.gz``."""

    def __init__(self, module: Any, *, of_programs: bool) -> None:  # noqa: ANN401
        options = module.ProfileOptions()
        options.python_tracer_level = 0
        options.enable_hlo_proto = of_programs
        if hasattr(options, "raise_error_on_start_failure"):
            options.raise_error_on_start_failure = True
        with _quiet_python_hooks():
            self._session = module.ProfilerSession(options)

    def stop(self) -> bytes:
        with _quiet_python_hooks():
            data = self._session.stop()
        return bytes(data)


class _PublicSession:
    """The public functions, for a jax whose session cannot be reached otherwise."""

    def __init__(self) -> None:
        self._profiler = sys.modules["jax"].profiler
        self._folder = tempfile.mkdtemp(prefix="scopelight-")
        options = getattr(self._profiler, "ProfileOptions", None)
        if options is None:
            self._profiler.start_trace(self._folder)
        else:
            chosen = options()
            chosen.python_tracer_level = 0
            self._profiler.start_trace(self._folder, profiler_options=chosen)

    def stop(self) -> bytes:
        self._profiler.stop_trace()
        try:
            for folder, _, names in os.walk(self._folder):
                for name in names:
                    if name.endswith(".xplane.pb"):
                        with open(os.path.join(folder, name), "rb") as file:  # noqa: PTH118, PTH123
                            return file.read()
            raise RuntimeError("jax wrote no trace")
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)


class Tracer:
    """One trace at a time; all calls come from the agent's thread."""

    def __init__(self) -> None:
        self._session: _LibrarySession | _PublicSession | None = None
        self.file = ""
        self.compiles = 0
        self._started = 0.0
        self._started_wall = 0.0
        self._start_seconds = 0.0

    @property
    def active(self) -> bool:
        """Whether a trace is running."""
        return self._session is not None

    def start(self, file: str, *, of_programs: bool = True) -> None:
        """Start tracing into ``file``, ``of_programs``: with what was compiled.

        Raises what the profiler raises, and `TracerUnusableError`.
        """
        if jax_process.has_tpu_library_alone():
            raise TracerUnusableError(
                "jax's profiler would end the script, since libtpu is loaded and there is no TPU. Name the"
                " platform that runs it in the environment (JAX_PLATFORMS=cpu) and run again; what compiles for a TPU"
                " cannot be in a script that is profiled."
            )
        before = time.perf_counter()
        module = _session_module()
        self._session = _LibrarySession(module, of_programs=of_programs) if module is not None else _PublicSession()
        self._started = time.perf_counter()
        self._started_wall = time.time()
        self._start_seconds = self._started - before
        self.file = file
        self.compiles = 0

    def stop(self) -> dict[str, Any]:
        """Stop, write the file, and say what was captured: file, seconds, pauses, bytes, compiles inside."""
        told, data = self._collect()
        _write(told["file"], data)
        return told

    def drop(self) -> None:
        """Stop, and keep nothing: where jaxlib's own session is had, nothing is collected either."""
        session, self._session = self._session, None
        if isinstance(session, _PublicSession):
            session.stop()
        else:
            # Which ends with it.
            with _quiet_python_hooks():
                del session

    def cut(self, next_file: str, begun: Callable[[], None]) -> tuple[dict[str, Any], Exception | None]:
        """The same, with another trace begun before the file is written: what lies between two traces is lost.

        Also what prevented the other from starting. ``begun`` is called when it runs, or has failed.
        """
        told, data = self._collect()
        failure = None
        try:
            self.start(next_file)
        except Exception as error:
            failure = error
        begun()
        _write(told["file"], data)
        return told, failure

    def _collect(self) -> tuple[dict[str, Any], bytes]:
        session, self._session = self._session, None
        if session is None:
            raise RuntimeError("no trace is running")
        before = time.perf_counter()
        stopped_wall = time.time()
        data = session.stop()
        told = {
            "file": self.file,
            "bytes": len(data),
            "compiles": self.compiles,
            "started": self._started_wall,
            "stopped": stopped_wall,
            "seconds": before - self._started,
            "start_seconds": self._start_seconds,
            "stop_seconds": time.perf_counter() - before,
        }
        return told, data


def _write(path: str, data: bytes) -> None:
    partial = path + ".partial"
    with open(partial, "wb") as file:  # noqa: PTH123
        file.write(data)
    os.replace(partial, path)  # noqa: PTH105
