"""How quickly and in how much memory a file becomes lines, beside xprof's overview page on the same file."""

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import attrs
from reading.servers import SERVES_XPROF, fresh, scopelight_server, xprof_server


@attrs.frozen
class Reading:
    """Medians over all repetitions; the largest peak of Scopelight, the smallest of xprof."""

    warm_seconds: float
    warm_xprof_seconds: float
    command_seconds: float
    command_xprof_seconds: float
    command_ratio: float
    """Median over the pairs of xprof's seconds over Scopelight's."""
    peak_bytes: int
    peak_xprof_bytes: int
    decode_bytes_per_second: float


def whole_command(*command: str | Path, stderr: int | None = None) -> tuple[float, int]:
    """Seconds by the wall and peak resident bytes of one command."""
    start = time.perf_counter()
    process = subprocess.Popen([str(each) for each in command], stdout=subprocess.DEVNULL, stderr=stderr)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def alternated(
    path: Path, python: Path, xprof_python: Path, repetitions: int, view: str = "lines", task: str = "overview_page"
) -> tuple[list[tuple[float, int]], list[tuple[float, int]]]:
    """Whole commands of both on copies of a file, one after the other: seconds and peak bytes of each."""
    commands, commands_xprof = [], []
    for _ in range(repetitions + 1):
        with fresh(path) as copy:
            commands.append(whole_command(python.parent / "scopelight", "show", view, copy, "--json"))
        with fresh(path) as copy:
            command = (xprof_python, SERVES_XPROF, copy, task)
            commands_xprof.append(whole_command(*command, stderr=subprocess.DEVNULL))
    return commands, commands_xprof


@attrs.frozen
class WholeCommand:
    """Medians of a view's command on a file that was not opened before, and of the same file opened again."""

    seconds: float
    xprof_seconds: float
    ratio: float
    again_seconds: float


def whole_commands(
    path: Path, python: Path, xprof_python: Path, repetitions: int, view: str = "lines", task: str = "overview_page"
) -> WholeCommand:
    """Times ``scopelight show VIEW`` beside the tool of xprof that shows the same."""
    commands, commands_xprof = alternated(path, python, xprof_python, repetitions, view, task)
    with fresh(path) as copy:
        again = [
            whole_command(python.parent / "scopelight", "show", view, copy, "--json")[0] for _ in range(repetitions + 1)
        ]
    pairs = zip(commands[1:], commands_xprof[1:], strict=True)
    return WholeCommand(
        seconds=statistics.median(seconds for seconds, _ in commands[1:]),
        xprof_seconds=statistics.median(seconds for seconds, _ in commands_xprof[1:]),
        ratio=statistics.median(theirs[0] / ours[0] for ours, theirs in pairs),
        again_seconds=statistics.median(again[1:]),
    )


def cold_seconds(path: Path, python: Path, repetitions: int) -> float:
    """The processor's seconds that a command takes more where no compiled kernels are kept; the least of some."""
    command = [str(python.parent / "scopelight"), "show", "lines", str(path), "--json"]

    def processor_seconds(folder: str) -> float:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "NUMBA_CACHE_DIR": folder})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime

    taken = []
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            cold = processor_seconds(folder)
            taken.append(cold - processor_seconds(folder))
    return min(taken)


def measure(path: Path, python: Path, xprof_python: Path, repetitions: int) -> Reading:
    """Reads ``path`` with both, alternating, ``repetitions`` times after one that is not counted."""
    ours = scopelight_server(python)
    theirs = xprof_server(xprof_python)
    warm, warm_xprof, decode = [], [], []
    for _ in range(repetitions + 1):
        with fresh(path) as copy:
            warm.append(ours.seconds("lines", copy))
            decode.append(ours.seconds("decode", copy))
        with fresh(path) as copy:
            warm_xprof.append(theirs.seconds("overview_page", copy))
    ours.close()
    theirs.close()

    commands, commands_xprof = alternated(path, python, xprof_python, repetitions)
    pairs = list(zip(commands[1:], commands_xprof[1:], strict=True))
    return Reading(
        warm_seconds=statistics.median(warm[1:]),
        warm_xprof_seconds=statistics.median(warm_xprof[1:]),
        command_seconds=statistics.median(seconds for seconds, _ in commands[1:]),
        command_xprof_seconds=statistics.median(seconds for seconds, _ in commands_xprof[1:]),
        command_ratio=statistics.median(theirs[0] / ours[0] for ours, theirs in pairs),
        peak_bytes=max(peak for _, peak in commands),
        peak_xprof_bytes=min(peak for _, peak in commands_xprof),
        decode_bytes_per_second=path.stat().st_size / statistics.median(decode[1:]),
    )
