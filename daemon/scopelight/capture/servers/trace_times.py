"""When the job of a trace says that its profiler began and ended."""

from pathlib import Path


def trace_times(file: Path) -> tuple[int, int] | None:
    """Both in ns of the epoch; None where the file does not say them, or cannot be read."""
    # The decoder loads while the job is traced.
    from scopelight.formats.errors import FormatError  # noqa: PLC0415
    from scopelight.formats.xspace.reader import read_xspace  # noqa: PLC0415

    try:
        planes = read_xspace(file).planes if file.exists() else ()
        for plane in planes:
            if plane.name == "Task Environment":
                stats = plane.stats
                times = stats.get("profile_start_time"), stats.get("profile_stop_time")
                return times if isinstance(times[0], int) and isinstance(times[1], int) else None  # type: ignore[return-value]
    except FormatError:
        pass
    return None
