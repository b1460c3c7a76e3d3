"""The jobs of this machine that nobody prepared: they do not listen, and no agent is in them."""

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from scopelight.capture.attaching.injection import find_target
from scopelight.capture.attaching.job import UnpreparedJob
from scopelight.capture.failures import CaptureFailure
from scopelight.capture.servers.local_process import LocalProcess, local_process, parent_of
from scopelight_agent.job import MEMBER_VARIABLE
from scopelight_agent.options.reading import MINDSPORE_VARIABLE, VARIABLE

_PROC: Final = Path("/proc")
_HAVE_AN_AGENT: Final = tuple(
    f"{each}=".encode() for each in ("SCOPELIGHT_SHIM_CONTROL", VARIABLE, MINDSPORE_VARIABLE, MEMBER_VARIABLE)
)
"""Variables of jobs that are captured by other means, and of what they start."""
_AT_ONCE: Final = 8


def find_unprepared_jobs(listening: Collection[int] = ()) -> tuple[UnpreparedJob, ...]:
    """This user's, by process, but for those that are ``listening``, which a server captures.

    None elsewhere than on Linux: other systems do not tell what a process has loaded.
    """
    if sys.platform != "linux":
        return ()
    found = {each.pid: each for each in _processes() if each.pid not in listening}
    jobs = [each for each in found.values() if not _is_worker(each, found)]
    if not jobs:
        return ()
    with ThreadPoolExecutor(min(_AT_ONCE, len(jobs))) as pool:
        return tuple(sorted(pool.map(_described, jobs), key=lambda each: each.pid))


def _processes() -> Iterator[LocalProcess]:
    for folder in _PROC.iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            # Another user's interpreter must not be started to ask for its version.
            if folder.stat().st_uid != os.getuid():
                continue
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if any(each.startswith(_HAVE_AN_AGENT) for each in environment.split(b"\0")):
            continue
        process = local_process(int(folder.name))
        if process is not None and process.has_jaxlib:
            yield process


def _is_worker(process: LocalProcess, others: Mapping[int, LocalProcess]) -> bool:
    """Whether a process was forked from one of the others, as the workers of a loader are."""
    parent = others.get(parent_of(process.pid) or 0)
    return parent is not None and parent.command == process.command


def _described(process: LocalProcess) -> UnpreparedJob:
    try:
        find_target(process.pid)
        refusal = None
    except CaptureFailure as failure:
        refusal = failure.sentence
    cwd = str(process.cwd) if process.cwd is not None else None
    return UnpreparedJob(process.pid, process.script, process.arguments, cwd, process.jaxlib, refusal)
