"""Which processes are one job, and what this one is called among them: one conductor follows them all."""

import hashlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping

JOB_VARIABLE = "SCOPELIGHT_JOB"
"""The key of its job, which a process that is to be captured sets for those that it starts."""
MEMBER_VARIABLE = "SCOPELIGHT_JOB_MEMBER"
"""Set once a process uses jax: what it starts then, as the workers of a loader, is not captured beside it."""
_RANKS = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "JAX_PROCESS_ID")
LOCAL_RANKS = ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK")
"""The same among the processes of one machine."""
_LOCAL_SIZES = ("LOCAL_WORLD_SIZE", "SLURM_STEP_TASKS_PER_NODE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")
"""How many these are; SLURM writes ``4(x2)`` where two machines have as many."""
_LAUNCHES = (
    *("TORCHELASTIC_RUN_ID", "MASTER_ADDR", "MASTER_PORT", "SLURM_JOB_ID", "SLURM_STEP_ID", "OMPI_MCA_ess_base_jobid"),
    *("PMIX_NAMESPACE", "JAX_COORDINATOR_ADDRESS"),
)
"""What launchers set alike for all processes of one launch, and otherwise for the next."""
_HERE = ("localhost", "127.0.0.1", "::1")
_KEY_LENGTH = 24
_LONGEST_SOCKET_PATH = 100
"""Some systems allow 104 bytes, which must hold a name as well."""


def rank(environment: Mapping[str, str]) -> int | None:
    """The number that a launcher gave this process; None where none did."""
    for name in _RANKS:
        value = environment.get(name, "")
        if value.isdecimal():
            return int(value)
    return None


def local_processes(environment: Mapping[str, str]) -> int | None:
    """How many processes a launcher started on this machine; None where it does not say."""
    for name in _LOCAL_SIZES:
        found = re.fullmatch(r"(\d{1,6})(\(x\d+\))?", environment.get(name, ""))
        if found is not None:
            return int(found[1])
    everywhere = environment.get("WORLD_SIZE", "")
    if environment.get("MASTER_ADDR") in _HERE and everywhere.isdecimal():
        return int(everywhere)
    return None


def job_key(environment: Mapping[str, str]) -> str:
    """The same for all processes of one job, and for no other: an inherited mark, or what their launcher says."""
    inherited = environment.get(JOB_VARIABLE, "")
    if re.fullmatch(f"[0-9a-f]{{{_KEY_LENGTH}}}", inherited):
        return inherited
    if rank(environment) is None:
        parts = [str(os.getpid()), str(time.time_ns())]
    else:
        script = next((each for each in sys.orig_argv[1:] if each.endswith(".py")), "")
        launch = [environment.get(name, "") for name in _LAUNCHES]
        # Where no launcher says which launch it is, who has the same parent belongs together.
        parts = [script, *(launch if any(launch) else [str(os.getppid()), environment.get("WORLD_SIZE", "")])]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:_KEY_LENGTH]


def meeting_folder() -> str:
    """Where processes of one user meet: a folder that nobody else can write to. Raises `OSError` for want of one."""
    user = os.getuid()
    for base in (tempfile.gettempdir(), "/tmp"):
        folder = os.path.join(base, f"scopelight-{user}")  # noqa: PTH118
        if len(os.fsencode(folder)) + 1 + _KEY_LENGTH + len(".socket") > _LONGEST_SOCKET_PATH:
            continue
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
        state = os.lstat(folder)
        # Neither a link nor a folder that someone else has put there.
        if state.st_uid == user and (state.st_mode & 0o170077) == 0o040000:
            return folder
    raise OSError(f"no private folder below {tempfile.gettempdir()}")
