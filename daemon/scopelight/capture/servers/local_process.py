"""What is known of a process of this machine that may be a job of jax."""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final, Literal

import attrs

ProcessState = Literal["runs", "stopped", "ended"]

_TAKE_VALUES: Final = ("-W", "-X", "--check-hash-based-pycs")
_PROC: Final = Path("/proc")


@attrs.frozen
class LocalProcess:
    """A process: what it runs, and with which jaxlib, None where that is not known.

    ``script`` is the file relative to ``cwd``, or the module where ``is_module``; a process that runs neither has the
    name of its program. ``started`` is of the epoch, in seconds.
    """

    pid: int
    script: str
    arguments: tuple[str, ...] = ()
    is_module: bool = False
    command: tuple[str, ...] = ()
    python: str | None = None
    cwd: Path | None = None
    started: float = 0.0
    jaxlib: str | None = None
    has_jaxlib: bool = False
    has_tensorflow: bool = False

    @property
    def name(self) -> str:
        """What it is called in a list."""
        return self.script if self.is_module else PurePath(self.script).name


def local_process(pid: int) -> LocalProcess | None:
    """What is known of a process; None of one that has ended, or is another user's."""
    return _of_proc(pid) if sys.platform == "linux" else _elsewhere(pid)


def state_of(pid: int) -> ProcessState:
    """Whether a process runs, was stopped by a signal, or has ended."""
    if sys.platform == "linux":
        fields = _status(pid)
        if not fields or fields[0] in "ZX":
            return "ended"
        return "stopped" if fields[0] in "Tt" else "runs"
    import psutil  # noqa: PLC0415 (it is installed where there is no /proc alone)

    try:
        status = psutil.Process(pid).status()
    except psutil.Error:
        return "ended"
    return "ended" if status == psutil.STATUS_ZOMBIE else "stopped" if status == psutil.STATUS_STOPPED else "runs"


def how_it_ended(pid: int) -> str | None:
    """``SIGKILL`` or ``exit code 1``, where the parent of a process that has ended has not asked yet; else None."""
    fields = _status(pid) if sys.platform == "linux" else []
    if len(fields) < 50 or fields[0] != "Z":
        return None
    code = int(fields[49])
    if code & 0x7F:
        with suppress(ValueError):
            return signal.Signals(code & 0x7F).name
        return f"signal {code & 0x7F}"
    return f"exit code {code >> 8}"


def eldest(pids: tuple[int, ...]) -> int | None:
    """The process that the others, which hold the same socket, were forked from."""
    parents = {each: parent_of(each) for each in pids}
    return min((each for each in pids if parents[each] not in pids), default=None)


def parent_of(pid: int) -> int | None:
    """The process that started another; None of one that has ended."""
    if sys.platform == "linux":
        fields = _status(pid)
        return int(fields[1]) if fields else None
    import psutil  # noqa: PLC0415

    try:
        return int(psutil.Process(pid).ppid())
    except psutil.Error:
        return None


def _status(pid: int) -> list[str]:
    """The fields of ``/proc/PID/stat`` from the state on."""
    try:
        return (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _of_proc(pid: int) -> LocalProcess | None:
    folder = _PROC / str(pid)
    fields = _status(pid)
    try:
        words = tuple(os.fsdecode(each) for each in (folder / "cmdline").read_bytes().split(b"\0")[:-1])
        cwd = (folder / "cwd").readlink()
        maps = (folder / "maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    if not fields or not words:
        return None
    booted = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    jaxlib = _folder_of("jaxlib", maps)
    return _described(
        pid,
        words,
        cwd=cwd,
        started=booted + int(fields[19]) / os.sysconf("SC_CLK_TCK"),
        jaxlib=_version(jaxlib, folder / "root") if jaxlib is not None else None,
        has_jaxlib=jaxlib is not None,
        has_tensorflow=_folder_of("tensorflow", maps) is not None,
    )


def _elsewhere(pid: int) -> LocalProcess | None:
    import psutil  # noqa: PLC0415

    try:
        process = psutil.Process(pid)
        words = tuple(process.cmdline())
        made = _described(pid, words, cwd=Path(process.cwd()), started=process.create_time()) if words else None
    except (psutil.Error, OSError):
        return None
    # What it has loaded is not told: who runs Python may run jax.
    return None if made is None else attrs.evolve(made, has_jaxlib=made.python is not None)


def _described(
    pid: int,
    words: tuple[str, ...],
    *,
    cwd: Path,
    started: float,
    jaxlib: str | None = None,
    has_jaxlib: bool = False,
    has_tensorflow: bool = False,
) -> LocalProcess:
    place = _script_place(words)
    is_python = "python" in PurePath(words[0]).name
    is_module = is_python and place > 1 and words[place - 1] == "-m"
    script = words[place] if is_python and place < len(words) else PurePath(words[0]).name
    return LocalProcess(
        pid,
        script,
        arguments=words[place + 1 :] if is_python else words[1:],
        is_module=is_module,
        command=words,
        python=words[0] if is_python else None,
        cwd=cwd,
        started=started,
        jaxlib=jaxlib,
        has_jaxlib=has_jaxlib,
        has_tensorflow=has_tensorflow,
    )


def _script_place(words: tuple[str, ...]) -> int:
    """Where the script, or the module's name, stands in a command line of Python."""
    place = 1
    while place < len(words) and words[place].startswith("-") and words[place] != "-":
        if words[place] in ("-m", "-c"):
            return place + (words[place] == "-m")
        place += 2 if words[place] in _TAKE_VALUES else 1
    return place


def _folder_of(package: str, maps: str) -> Path | None:
    """The folder that holds a package whose machine code a process has loaded."""
    for line in maps.splitlines():
        path = line[line.find("/") :] if "/" in line else ""
        before, found, _ = path.partition(f"/{package}/")
        if found and path.endswith((".so", ".dylib")) and PurePath(before).name in ("site-packages", "dist-packages"):
            return Path(before)
    return None


def _version(folder: Path, root: Path) -> str | None:
    """The version of jaxlib in a folder of packages, as the process sees it: it may run in a container."""
    seen = root / folder.relative_to("/")
    with suppress(OSError):
        for each in seen.glob("jaxlib-*.dist-info"):
            return each.name.removeprefix("jaxlib-").removesuffix(".dist-info")
    return None
