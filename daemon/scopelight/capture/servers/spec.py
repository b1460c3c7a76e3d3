"""How servers are to be captured, and what is told of each meanwhile."""

from pathlib import Path
from typing import Final, Literal

import attrs

from scopelight.capture.servers.address import Address

MARGIN_SECONDS: Final = 10.0
"""How much longer than the capture an answer may take: Python code of the job can hold it up for seconds."""
CPU_BYTES_PER_SECOND: Final = 130e6
"""By how much the memory of a job on a CPU grows while it is traced, at most; it is kept afterwards."""


@attrs.frozen
class ServerCaptureSpec:
    """What to capture, for how long, and how often a server is asked that is busy, or whose job did nothing.

    ``trusts``: servers are asked too whose jobs can freeze or end of it. ``pid`` is the process that is meant where
    several share a port. Without ``programs`` what ran has names, and no lines. A run is made in
    ``cwd`` unless ``out`` names it.
    """

    seconds: float = 2.0
    delay_seconds: float = 0.0
    attempts: int = 5
    host_level: int = 2
    python_level: int = 0
    device_level: int = 1
    dataset_ops: bool = False
    programs: bool = True
    trusts: bool = False
    pid: int | None = None
    margin_seconds: float = MARGIN_SECONDS
    out: Path | None = None
    cwd: Path = attrs.field(factory=Path.cwd)


ServerStage = Literal["connecting", "ready", "waiting", "capturing", "captured", "failed"]


@attrs.frozen
class ServerProgress:
    """How far it is with one server.

    ``waiting``: it is asked again in ``pause_seconds``, for it was ``busy`` or its job did nothing. While
    ``capturing``, ``silent_seconds`` is for how long it has not said that it lives; 0 while it does.
    """

    address: Address
    stage: ServerStage
    attempt: int = 1
    busy: bool = False
    pause_seconds: float = 0.0
    silent_seconds: float = 0.0
