"""Put the agent into a running process, by the remote execution of its own Python (PEP 768)."""

import json
import subprocess
from pathlib import Path
from typing import Final

import attrs

import scopelight_agent
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.servers.local_process import LocalProcess, local_process

LEAST_PYTHON: Final = (3, 14)
_ASK_SECONDS: Final = 20.0
_ASK: Final = "import json, sys; print(json.dumps(list(sys.version_info[:2])))"
_PUT: Final = "import sys; sys.remote_exec(int(sys.argv[1]), sys.argv[2])"

# Whatever happens in it is told in a file: an error must not reach the script, and nothing of it may stay.
_ENTRANCE: Final = """
def _scopelight(folder={folder!r}, place={place!r}, run={run!r}, is_watched={is_watched!r}, problem={problem!r}):
    def work():
        import sys
        try:
            sys.path.insert(0, folder)
            try:
                from scopelight_agent.entrance import attach
            finally:
                sys.path.remove(folder)
            attach(place, run, is_watched=is_watched)
        except BaseException as error:
            with open(problem, "w") as file:
                file.write(f"{{type(error).__name__}}: {{error}}")
    import _thread
    _thread.start_new_thread(work, ())
_scopelight()
del _scopelight
"""


@attrs.frozen
class Target:
    """A process that the agent can be put into, and the interpreter that can do it: its own."""

    process: LocalProcess
    python: str


def find_target(pid: int) -> Target:
    """The process ``pid``. Raises `CaptureFailure` that says why the agent cannot be put into it."""
    process = local_process(pid)
    if process is None:
        raise _refused(f"There is no process {pid} that this user may look into: attach as the user who started it.")
    python = _interpreter(process)
    version = None if python is None else _version(python)
    if python is None or version is None:
        raise _refused(f"Process {pid} ({process.name}) runs no Python that can be started, so no agent can be let in.")
    if version < LEAST_PYTHON:
        raise _refused(
            f"Process {pid} ({process.name}) runs on Python {version[0]}.{version[1]}, and only 3.14 and later let an"
            " agent in. Start it with `scopelight run`, or with SCOPELIGHT_OPTIONS='{\"start\": false}' and capture its"
            " run (`scopelight capture --run`), or call jax.profiler.start_server(9999) in it."
        )
    if not process.has_jaxlib:
        raise _refused(f"Process {pid} ({process.name}) has not imported jax: attach once it has.")
    return Target(process, python)


def inject(target: Target, place: Path, run: Path, *, is_watched: bool = False) -> Path:
    """Have the process's agent come to the socket ``place``, and trace into ``run``.

    Of a job that only ``is_watched`` no snapshots of memory are made.

    Returns the file in which the process tells what went wrong in it, if anything does. Raises `CaptureFailure` where
    the system, or the process, does not allow it.
    """
    problem, entrance = place.with_suffix(".problem"), place.with_suffix(".py")
    folder = Path(scopelight_agent.__file__).parents[1]
    places = {"folder": str(folder), "place": str(place), "run": str(run), "problem": str(problem)}
    entrance.write_text(_ENTRANCE.format(**places, is_watched=is_watched), encoding="utf-8")
    put = subprocess.run(
        [target.python, "-I", "-c", _PUT, str(target.process.pid), str(entrance)],
        capture_output=True,
        text=True,
        timeout=_ASK_SECONDS,
        check=False,
    )
    if put.returncode != 0:
        raise _refused(_why_not(target.process, put.stderr))
    return problem


def _why_not(process: LocalProcess, error: str) -> str:
    words = error.strip().splitlines()[-1:] or ["no reason is told"]
    job = f"process {process.pid} ({process.name})"
    if "not enabled in the remote process" in error:
        return (
            f"The {job} was started with PYTHON_DISABLE_REMOTE_DEBUG or -X disable-remote-debug, which keeps the agent"
            " out: start it without."
        )
    if "PermissionError" in error or "Operation not permitted" in error:
        return (
            f"This user may not put the agent into {job}: the system allows it to root, and in containers with the"
            " capability SYS_PTRACE. Where kernel.yama.ptrace_scope is 1, `sudo sysctl kernel.yama.ptrace_scope=0`"
            " allows it to the same user."
        )
    return f"The agent could not be put into {job}: {words[0]}."


def _interpreter(process: LocalProcess) -> str | None:
    """The program that runs, which is the interpreter itself, or what was called where another program loads it."""
    if process.python is None:
        return None
    try:
        running = Path(f"/proc/{process.pid}/exe").readlink()
    except OSError:
        return process.python
    return str(running) if running.name.startswith("python") else process.python


def _version(python: str) -> tuple[int, int] | None:
    try:
        asked = subprocess.run(
            [python, "-I", "-c", _ASK], capture_output=True, text=True, timeout=_ASK_SECONDS, check=True
        )
        major, minor = json.loads(asked.stdout)
        return int(major), int(minor)
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return None


def _refused(sentence: str) -> CaptureFailure:
    return CaptureFailure(sentence, Exit.REFUSED)
