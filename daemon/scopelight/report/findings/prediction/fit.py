"""Words: whether programs fit into the memory of what they are for, and what would make them smaller."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said, listed
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, count, share
from scopelight.report.sizes_of_whole import size_of_whole

VERDICTS = frozenset(("does-not-fit-target", "fits-target"))
"""What says of a whole run whether it fits: said first wherever it is said."""


def _target(values: Mapping[str, Any]) -> str:
    """``TPU v5e (v5e-8)``."""
    return f"{as_said('device', values['device'])} ({as_said('target', values['target'])})"


def _size(values: Mapping[str, Any]) -> str | None:
    """``91.2 of 15.75 GiB of TPU v5e (v5e-8)``; None where one of these is not known."""
    needed, available = values["needed_bytes"], values["available_bytes"]
    if needed is None or available is None:
        return None
    return text("{size} of {target}", size=size_of_whole(needed, available), target=_target(values))


def _does_not_fit(values: Mapping[str, Any]) -> str:
    size, program = _size(values), as_said("program", values["program"])
    if size is None:
        said = text("Does not fit into {target}: {program}.", target=_target(values), program=program)
    else:
        said = text("Does not fit: {size}, for {program}.", size=size, program=program)
    if values["unfit"] > 1:
        said += text(
            " {unfit} of {programs} programs do not fit.",
            unfit=count(values["unfit"]),
            programs=count(values["programs"]),
        )
    return said + _unknown(values)


def _fits(values: Mapping[str, Any]) -> str:
    size, program = _size(values), as_said("program", values["program"])
    if values["unknown"]:
        return _fits_as_far_as_known(values, size, program)
    if size is None:
        return text("Fits into {target}: {program} needs most.", target=_target(values), program=program)
    return text("Fits: {size}, for {program}.", size=size, program=program)


def _fits_as_far_as_known(values: Mapping[str, Any], size: str | None, program: str) -> str:
    """What was not compiled may be what does not fit: nothing is said of the whole."""
    known = values["programs"] - values["unknown"]
    said = text(
        "1 of {programs} programs is known to fit" if known == 1 else "{known} of {programs} programs are known to fit",
        known=count(known),
        programs=count(values["programs"]),
    )
    if size is None:
        return text("{known}; {program} needs most.", known=said, program=program)
    return text("{known}; {program} needs most: {size}.", known=said, program=program, size=size)


def _unknown(values: Mapping[str, Any]) -> str:
    if not values["unknown"]:
        return ""
    return text(
        " Of {unknown} of {programs} programs it is not known.",
        unknown=count(values["unknown"]),
        programs=count(values["programs"]),
    )


def _of_needed(values: Mapping[str, Any], part_bytes: int) -> str:
    return share(part_bytes / max(1, values["needed_bytes"]))


def _donate(values: Mapping[str, Any]) -> str:
    said = text(
        "{function}() makes new arrays in memory of their own, beside {arguments}, which every call replaces."
        if values["replaced"]
        else "{function}() makes new arrays of the shapes of {arguments} in memory of their own.",
        function=as_said("function", values["function"]),
        arguments=listed(values["arguments"]),
    )
    if values["holds_others"]:
        said += text(" What else lies there before them then needs another place, so that it may save less.")
    return said


def _donate_remedy(values: Mapping[str, Any]) -> str:
    return text(
        "Let it reuse them: jax.jit(..., donate_argnums=...)."
        if values["replaced"]
        else "Where nothing needs these after the call, let it reuse them: jax.jit(..., donate_argnums=...)."
    )


def _checkpoint(values: Mapping[str, Any]) -> str:
    buffers = values["buffers"]
    said = text(
        "1 array of this line is kept for the backward pass"
        if buffers == 1
        else "{buffers} arrays of this line are kept for the backward pass",
        buffers=count(buffers),
    )
    shape = values["largest_shape"]
    largest = "" if shape is None else text(", the largest {shape}", shape=as_said("shape", shape))
    return f"{said}{largest}."


def _shard_argument(values: Mapping[str, Any]) -> str:
    return text(
        "{argument} is whole on one of {devices} devices: {held}, {share} of what {program} needs.",
        argument=as_said("argument", values["argument"]),
        devices=count(values["devices"]),
        held=byte_size(values["held_bytes"]),
        share=_of_needed(values, values["held_bytes"]),
        program=as_said("program", values["program"]),
    )


def _shard_temporaries(values: Mapping[str, Any]) -> str:
    return text(
        "What {program} itself makes is whole on one of {devices} devices: {held} at the peak in arrays that these"
        " could divide.",
        program=as_said("program", values["program"]),
        devices=count(values["devices"]),
        held=byte_size(values["held_bytes"]),
    )


def _pad_less(values: Mapping[str, Any]) -> str:
    sizes = {"padded": byte_size(values["padded_bytes"]), "unpadded": byte_size(values["unpadded_bytes"])}
    shape = as_said("shape", values["padded_shape"] or "")
    if values["argument"] is not None:
        return text(
            "Arrays in {argument} are padded to the device's tiles: {shape} takes {padded}, its elements {unpadded}.",
            argument=as_said("argument", values["argument"]),
            shape=shape,
            **sizes,
        )
    return text(
        "Arrays of this line are padded to the device's tiles: {shape} takes {padded}, its elements {unpadded}.",
        shape=shape,
        **sizes,
    )


def _least(values: Mapping[str, Any]) -> str:
    available = values["available_bytes"]
    size = byte_size(values["least_bytes"]) if available is None else size_of_whole(values["least_bytes"], available)
    return text(
        "Were all that {devices} devices can divide evenly sharded over them, each would need {size} at best, what"
        " they exchange left out.",
        devices=count(values["devices"]),
        size=size,
    )


WORDS = {
    "does-not-fit-target": Words(_does_not_fit),
    "fits-target": Words(_fits),
    "programs-fit-alone": Words(
        "Each program is looked at by itself: arrays that the script keeps beside its arguments need room as well."
    ),
    "least-when-sharded": Words(_least),
    "donate-to-fit": Words(_donate, _donate_remedy),
    "checkpoint-to-fit": Words(
        _checkpoint,
        "Compute them again instead: jax.checkpoint around the function; what these are computed from stays.",
    ),
    "shard-argument-to-fit": Words(
        _shard_argument,
        "Shard it: jax.device_put(..., NamedSharding(mesh, P(...))) along an axis that they divide.",
    ),
    "shard-temporaries-to-fit": Words(
        _shard_temporaries,
        "Shard the batch, or the arguments that they are computed from; a smaller batch makes them smaller as well.",
    ),
    "pad-less-to-fit": Words(_pad_less, "Choose sizes that are multiples of the tiles."),
}
