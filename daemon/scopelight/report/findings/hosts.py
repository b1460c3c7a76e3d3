"""Words: what hosts, devices, links and clocks were found to be."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import text
from scopelight.report.numbers import byte_rate


def _place(values: Mapping[str, Any]) -> str:
    """Where it does so: a line, what its host was marked to be in, or an op; empty where nothing is known."""
    if values["path"] is not None and values["line"] is not None:
        return f"{as_said('path', values['path'])}:{values['line']}"
    if values.get("where") is not None:
        return text("in {name}", name=as_said("where", values["where"]))
    return "" if values["op"] is None else as_said("op", values["op"])


def _host_slow(values: Mapping[str, Any]) -> str:
    said = {name: as_said(name, values[name]) for name in ("host", "cost_ps", "step_ps")}
    place = _place(values)
    if values["reason"] == "launched-late":
        if not place:
            return text("{host} costs {cost_ps} of {step_ps} per step: it launches late.", **said)
        return text("{host} costs {cost_ps} of {step_ps} per step: it launches late, {place}.", place=place, **said)
    if not place:
        return text("{host} costs {cost_ps} of {step_ps} per step: it works longer.", **said)
    return text("{host} costs {cost_ps} of {step_ps} per step: it works longer, {place}.", place=place, **said)


def _host_slow_remedy(values: Mapping[str, Any]) -> str:
    if values["reason"] == "launched-late":
        return text("See what its script does before it launches: its input, its logging, its share of the machine.")
    return text("See what it works on there that the others do not: uneven data, a slower device, another's load.")


def _device_slow(values: Mapping[str, Any]) -> str:
    said = {name: as_said(name, values[name]) for name in ("device", "cost_ps", "step_ps")}
    place = _place(values)
    if not place:
        return text("{device} costs {cost_ps} of {step_ps} per step: it works longer than the others.", **said)
    return text(
        "{device} costs {cost_ps} of {step_ps} per step: it works longer than the others, {place}.", place=place, **said
    )


def _link_slow(values: Mapping[str, Any]) -> str:
    said = {name: as_said(name, values[name]) for name in ("source", "destination", "cost_ps", "step_ps")}
    said["times"] = f"{values['slower_ratio']:.3g}"
    said["rate"] = byte_rate(values["best_bytes_per_s"] or 0)
    if values["members"] is not None:
        return text(
            "The link between {members} costs {cost_ps} of {step_ps} per step: at {rate} it takes {times} times as long"
            " as others.",
            members=as_said("members", values["members"]),
            **said,
        )
    return text(
        "The link from {source} to {destination} costs {cost_ps} of {step_ps} per step: at {rate} it takes {times}"
        " times as long as others.",
        **said,
    )


WORDS = {
    "host-slow": Words(_host_slow, _host_slow_remedy),
    "device-slow": Words(_device_slow, "See what it works on there that the others do not: its part of the data."),
    "link-slow": Words(_link_slow, "The devices at its ends are as quick as the others: see the network between them."),
    "hosts-nothing-ran": Words("Nothing ran on a device here, so there is nothing to compare."),
    "hosts-no-common-steps": Words(
        "No step was found that all hosts have, so nothing is said of single steps.",
        "Capture a few whole steps on every host at the same time.",
    ),
    "hosts-one-host": Words(
        "All devices here are of one host ({host}): they are compared with each other, and their clock is one.",
    ),
    "hosts-nothing-met": Words(
        "No collective ran here, so that devices neither waited for each other nor can their clocks be compared.",
    ),
    "hosts-not-opened": Words(
        "Of {hosts} hosts only {host} is shown here: views other than Hosts, Links and Clocks open one of so many.",
        "Open the file of another to see it; Hosts compares all.",
    ),
    "hosts-suspects": Words(
        "Of {hosts} hosts only the {suspects} that took longest were replayed: the others have no cost.",
    ),
    "host-foreign": Words(
        "{host} is left out: its trace was made more than a day apart from those of most hosts.",
        "See whether its file is of this capture.",
    ),
    "host-cut-off": Words(
        "{host} is left out of what is compared: its file was cut off and has {collectives} of about {of} collectives.",
        "Copy the file again, if it is whole elsewhere.",
    ),
    "hosts-incomplete-instances": Words(
        "In {instances} of {of} collectives participants are missing here.",
        "The files of some hosts may be missing, or their traces may not cover the same time.",
    ),
    "clocks-corrected": Words(
        "The clocks of {hosts} hosts were set by the collectives in which they met, by {most_ps} at most; times of"
        " different hosts may be wrong by {error_ps} against each other.",
        "See how each was set.",
        one="The clock of 1 host was set by the collectives in which it met others, by {most_ps}; times of different"
        " hosts may be wrong by {error_ps} against each other.",
        number="hosts",
    ),
    "clocks-inconsistent": Words(
        "The clocks of the hosts drifted while they were traced: no offset fits all collectives.",
        "Trace a shorter time, or see that the hosts keep their clocks in step.",
    ),
}
