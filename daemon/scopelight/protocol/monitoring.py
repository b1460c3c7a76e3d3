"""Jobs that are watched while they run."""

import attrs

from scopelight.analysis.monitoring.records import InfeedBasis, StepBasis, UtilisationBasis


@attrs.frozen(slots=True)
class WatchJob:
    """Watch the job whose run is at ``path``, a reading every ``seconds``; whatever was watched before is left."""

    path: str
    seconds: float = 5.0


@attrs.frozen(slots=True)
class WatchedReading:
    """How a job did at ``time_ns``, as `JobReading` has it; ``line`` says it, and ``said`` what there is to say of it.

    ``traced_ps`` is how long the job was traced for it, ``pause_ps`` what beginning and ending the trace took.
    """

    time_ns: int
    line: str
    said: tuple[str, ...]
    device_type: str | None
    utilisation_ratio: float | None
    utilisation_basis: UtilisationBasis | None
    idle_ratio: float | None
    cores: int | None
    step_avg_ps: float | None
    step_min_ps: float | None
    step_max_ps: float | None
    step_basis: StepBasis | None
    infeed_avg_ratio: float | None
    infeed_min_ratio: float | None
    infeed_max_ratio: float | None
    infeed_basis: InfeedBasis | None
    memory_used_bytes: int | None
    traced_ps: int | None
    pause_ps: int | None


@attrs.frozen(slots=True)
class WatchedJob:
    """Readings of the job at ``path`` that were taken before, the earliest first."""

    path: str
    readings: tuple[WatchedReading, ...]


@attrs.frozen(slots=True)
class JobWatched:
    """One reading more of the job at ``path``; without one it is watched no more: ``why`` says the reason."""

    path: str
    reading: WatchedReading | None
    why: str | None = None
