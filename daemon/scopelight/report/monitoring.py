"""A reading of a job that is watched, as a line."""

from datetime import datetime

from scopelight.analysis.monitoring.records import JobReading
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, duration, share


def reading_line(reading: JobReading) -> str:
    """When, and what is known."""
    moment = datetime.fromtimestamp(reading.time_ns / 1e9).astimezone().strftime("%H:%M:%S")
    return "  ".join((moment, *_parts(reading)))


def _parts(reading: JobReading) -> list[str]:
    parts = []
    if reading.device_type is not None:
        kind = reading.device_type.upper()
        parts.append(f"{reading.cores} × {kind}" if reading.cores is not None else kind)
    if reading.utilisation_ratio is not None:
        used = share(reading.utilisation_ratio)
        match reading.utilisation_basis:
            case "matrix-unit":
                parts.append(text("matrix unit used {used}", used=used))
            case "duty-cycle":
                parts.append(text("TensorCores used {used}", used=used))
            case _:
                parts.append(text("busy {used}", used=used))
    if reading.idle_ratio is not None:
        parts.append(text("idle {idle}", idle=share(reading.idle_ratio)))
    average, least, most = reading.step_avg_ps, reading.step_min_ps, reading.step_max_ps
    if average is not None and least is not None and most is not None:
        times = {"average": duration(average), "least": duration(least), "most": duration(most)}
        if reading.step_basis != reading.step_range_basis:
            count = reading.counted_steps or 0
            parts.append(text("step {average}, mean of {count} (traced: {least} to {most})", count=count, **times))
        else:
            parts.append(text("step {average} ({least} to {most})", **times))
    average, least, most = reading.infeed_avg_ratio, reading.infeed_min_ratio, reading.infeed_max_ratio
    if average is not None and least is not None and most is not None:
        shares = {"average": share(average), "least": share(least), "most": share(most)}
        is_host = reading.infeed_basis == "host-input"
        parts.append(
            text("waits for input {average} ({least} to {most})", **shares)
            if is_host
            else text("infeed {average} ({least} to {most})", **shares)
        )
    if reading.memory_used_bytes is not None:
        parts.append(text("memory {used}", used=byte_size(reading.memory_used_bytes)))
    return parts
