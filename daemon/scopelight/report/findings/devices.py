"""Words: what devices can do at most, who says so, and which matrix unit products are held against."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words
from scopelight.report.language import text

_FOR_WANT_OF_A_PEAK = {
    "nothing-ran": Words("Nothing ran in this profile, so there is no rate to hold against a peak."),
    "unknown-device": Words(
        "No utilisation is known: the profile does not state what {device} can do, and its name is in no table.",
        "Set scopelight.peakFlops and scopelight.peakBandwidth to what the device can do.",
    ),
    "not-to-be-measured": Words(
        "No utilisation is known: what the machine can do at most was not measured, because --no-calibration (the"
        " setting scopelight.capture.calibrate) left it out.",
        "Profile again without --no-calibration, or with scopelight.capture.calibrate on. Or set scopelight.peakFlops"
        " and scopelight.peakBandwidth to what the device can do.",
    ),
    "measured-at-the-end": Words(
        "No utilisation is known yet: what this machine can do at most is measured when the script has ended.",
        "It is shown from then on.",
    ),
    "being-measured": Words(
        "No utilisation is known yet: what this machine can do at most is being measured, which takes some seconds.",
        "It is shown from then on.",
    ),
    "not-measured": Words(
        "No utilisation is known: what the machine can do at most was not measured.",
        "Profile again with Scopelight, where it is a script of jax: it measures the machine once the script has ended."
        " Or set scopelight.peakFlops and scopelight.peakBandwidth to what the device can do.",
    ),
}


def _from_settings(values: Mapping[str, Any]) -> str:
    names = [*values["element_types"], *([text("the bandwidth")] if values["bandwidth"] else [])]
    return text("{names} from the settings.", names=", ".join(names))


def _measured(values: Mapping[str, Any]) -> str:
    return text(
        "Measured on {machine}, 1 core, with jax {jax}: matrix products, and copying main memory and in caches."
        if values["cores"] == 1
        else "Measured on {machine}, {cores} cores, with jax {jax}: matrix products, and copying main memory and in"
        " caches.",
        machine=values["machine"] or text("this machine"),
        cores=values["cores"],
        jax=values["jax"],
    )


WORDS = {
    "utilisation-unknown": Words(
        lambda values: _FOR_WANT_OF_A_PEAK[values["why"]].said(values),
        lambda values: _FOR_WANT_OF_A_PEAK[values["why"]].said_to_do(values),
    ),
    "peaks-measured-while-busy": Words(
        "What this machine can do at most was measured while other processes took {others_ratio} of its processors: it"
        " can do more, so shares of the peak are too high.",
        "Profile again while the machine is quiet: it is then measured anew.",
    ),
    "peaks-from-table": Words("From the table, as {model}: {source}."),
    "rate-stated": Words("The profile states {rate_flops_per_s}, taken as that of bf16, and the bandwidths."),
    "rates-in-proportion": Words("{element_types} in proportion, as {model}: {source}."),
    "cores-stated": Words(
        "The profile states {cores} cores at {clock_hz}; FLOPs per core and cycle are those of {generation} ({source})."
    ),
    "bandwidth-stated": Words("The bandwidth is as the profile states it."),
    "bandwidth-from-table": Words("Bandwidth, as {model}: {source}."),
    "bandwidth-half-stated": Words(
        "Bandwidth corrected to {table_bytes_per_s}, as {model}: {source}. The profile states {stated_bytes_per_s},"
        " half of it, for the memory's clock that the driver gives makes four transfers per cycle and not two."
    ),
    "peaks-measured": Words(_measured),
    "cores-shared": Words("Its {devices} devices share the cores: each has 1/{devices} of the rates."),
    "peaks-from-settings": Words(_from_settings),
    "matrix-unit-assumed": Words(
        "For which TPU the program was compiled it does not say: products are held against a matrix unit of {rows} x"
        " {columns}.",
        "For that of another choose the target (the setting scopelight.target).",
    ),
}
