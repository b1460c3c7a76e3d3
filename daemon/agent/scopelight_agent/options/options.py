"""The options of a job that begins by itself."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How a job is captured; what each means stands in the table of keys (`keys.KEYS`).

    ``start``: the window comes by itself, else only when code or ``scopelight capture`` asks for it. The fields from
    ``steps`` to ``most_seconds`` are those of the conductor (``scopelight.model.run.information.WindowOptions``).
    ``notes`` are sentences about keys that were given and change nothing.
    """

    start: bool = True
    out: str | None = None
    output_path: str | None = None
    steps: int = 5
    skip: int = 2
    seconds: float | None = None
    whole: bool = False
    from_step: int | None = None
    every: int | None = None
    epoch: int | None = None
    slow_ratio: float | None = None
    slow_by: str = "timer"
    most_cost_ratio: float = 0.01
    watch: str | None = None
    most_windows: int = 10
    most_bytes: int | None = None
    most_seconds: float | None = None
    memory: bool = True
    host: bool = True
    resources: bool = True
    resources_period: int | None = None
    calibration: bool = True
    conductor: str | None = None
    notes: tuple[str, ...] = ()
