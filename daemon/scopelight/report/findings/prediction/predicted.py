"""Words: for what a run is predicted, how far that is to be believed, and of what there is no estimate."""

from collections.abc import Mapping
from typing import Any, Final

from scopelight.report.findings.words import Words, as_said, listed
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.numbers import count, share

_TRUST: Final = template(
    "it orders lines and compares variants, and promises no milliseconds: fusions that are bound by memory were right"
    " within 2 %, some ops up to 3.5 times too long, and nothing overlaps."
)


def predicted_briefly(predicted: Mapping[str, Any], without_estimate: Mapping[str, Any] | None) -> str:
    """For what it is predicted, in one line at the head of a view: the whole sentence is `_predicted_for`'s.

    The arguments are the values of the findings ``predicted-for`` and ``prediction-without-estimate``.
    """
    ratio = None if without_estimate is None else without_estimate["bytes_ratio"]
    return text(
        "Predicted for {device}: ≈ promises no milliseconds."
        if ratio is None
        else "Predicted for {device}: ≈ promises no milliseconds; ops with {ratio} of the bytes have no estimate.",
        device=_named_device(predicted),
        ratio="" if ratio is None else share(ratio),
    )


def _named_device(values: Mapping[str, Any]) -> str:
    target = printable(values["target"])
    device = printable(values["device"])
    return text("{device} ({target})", device=device, target=target) if target else device


def _predicted_for(values: Mapping[str, Any]) -> str:
    named = _named_device(values)
    compiler = printable(values["compiler"])
    said = text("Predicted for {device} by {compiler}", device=named, compiler=compiler) if compiler else ""
    return f"{said or text('Predicted for {device}', device=named)}: {text(_TRUST)}"


def _without_estimate(values: Mapping[str, Any]) -> str:
    what = listed(values["categories"])
    if values["places"]:
        what = text("{what}; at {places}", what=what, places=listed(values["places"]))
    ratio = values["bytes_ratio"]
    # What part of the bytes it is tells how much is missing; how many ops that are, little.
    return text(
        "{kinds} of {of_kinds} kinds of op have no estimate and count as nothing ({what})."
        if ratio is None
        else "Ops that move {ratio} of the bytes have no estimate and count as nothing: {kinds} of {of_kinds} kinds"
        " ({what}).",
        ratio="" if ratio is None else share(ratio),
        kinds=count(values["kinds"]),
        of_kinds=count(values["of_kinds"]),
        what=what,
    )


def _none_called(values: Mapping[str, Any]) -> str:
    return text(
        "The script ended before it called any of the {programs} programs that it compiled, so nothing is known of"
        " their time."
        if values["programs"] > 1
        else "The script ended before it called the program that it compiled, so nothing is known of its time.",
        programs=count(values["programs"]),
    )


def _uncounted(values: Mapping[str, Any]) -> str:
    loops = values["loops"]
    return text(
        "How often the loop at {loops} runs its program does not say: its body counts once."
        if len(loops) == 1
        else "How often the loops at {loops} run their programs do not say: their bodies count once.",
        loops=listed(loops),
    )


def _without_programs(values: Mapping[str, Any]) -> str:
    # A run of an older version says no reason.
    said = values.get("said")
    if said and values["programs"] != 1:
        return text(
            "Of {programs} programs nothing is predicted, for they were not compiled: {names}. Of the first it is said:"
            " {said}.",
            programs=count(values["programs"]),
            names=listed(values["names"]),
            said=printable(said),
        )
    if said:
        return text(
            "Of {names} nothing is predicted, for it was not compiled: {said}.",
            names=listed(values["names"]),
            said=printable(said),
        )
    return text(
        "Of {programs} programs nothing is predicted, for they were not compiled: {names}."
        if values["programs"] != 1
        else "Of {names} nothing is predicted, for it was not compiled.",
        programs=count(values["programs"]),
        names=listed(values["names"]),
    )


def _steps_in_part(values: Mapping[str, Any]) -> str:
    why = why_in_part(values)
    return text("No time of a step is told, for {why}. Times and shares are of what was compiled.", why=why)


def why_in_part(values: Mapping[str, Any]) -> str:
    """Why no time of a step is told: ``jit(step) does not fit``. The argument is what ``no-steps-predicted-in-part``
    has.
    """
    reasons = (
        (values["unfit"], template("{names} does not fit"), template("{names} do not fit")),
        (values["refused"], template("{names} was refused"), template("{names} were refused")),
        (values["not_compiled"], template("{names} was not compiled"), template("{names} were not compiled")),
    )
    said = [text(one if len(names) == 1 else many, names=listed(names)) for names, one, many in reasons if names]
    return "; ".join(said) or text("the preflight was cancelled")


def _devices_without_work(values: Mapping[str, Any]) -> str:
    return text(
        "{working} of {devices} devices of {target} has work."
        if values["working"] == 1
        else "{working} of {devices} devices of {target} have work.",
        working=count(values["working"]),
        devices=count(values["devices"]),
        target=printable(values["target"]),
    )


def _work_for_all(values: Mapping[str, Any]) -> str:
    smaller = values["smaller"]
    if not values["has_room"]:
        # A device of a smaller one has no more.
        return text("Shard over a jax.sharding.Mesh of all devices: each then needs room for its part.")
    if smaller is None:
        return text("Shard over a jax.sharding.Mesh of all devices, or predict for a smaller TPU.")
    return text("Shard over a jax.sharding.Mesh of all devices, or predict for {smaller}.", smaller=printable(smaller))


def _cancelled(values: Mapping[str, Any]) -> str:
    names = values["names"]
    if not names:
        return text("The preflight was cancelled: what the script would have done after that is not predicted.")
    return text(
        "The preflight was cancelled: {names} was not compiled."
        if len(names) == 1
        else "The preflight was cancelled: {names} were not compiled.",
        names=listed(names),
    )


def _refused_ops(values: Mapping[str, Any]) -> str:
    named = [_named_op(*each) for each in zip(values["primitives"], values["files"], values["lines"], strict=True)]
    said = "; ".join(named)
    if values["others"]:
        said = text("{ops}; and {others} more", ops=said, others=count(values["others"]))
    return text(
        "A TPU refuses 1 op: {named}." if values["ops"] == 1 else "A TPU refuses {ops} ops: {named}.",
        ops=count(values["ops"]),
        named=said,
    )


def _named_op(primitive: str, file: str, line: int) -> str:
    """``eig, line 5``; ``eig, model.py:5`` in another file than the script."""
    if not line:
        return printable(primitive)
    if file:
        return f"{printable(primitive)}, {printable(file)}:{line}"
    return text("{op}, line {line}", op=printable(primitive), line=line)


def _collectives(values: Mapping[str, Any]) -> str:
    return text(
        "Collectives take as long as {device} needs to send their bytes over all of its links at once ({rate} as"
        " published), as if nobody waited.",
        device=printable(values["device"]),
        rate=as_said("bytes_per_s", values["link_bytes_per_s"]),
    )


def _between_slices(values: Mapping[str, Any]) -> str:
    return text(
        "What slices of {target} exchange over the network between them has no estimate and counts as nothing: each"
        " device sends {bytes} in a step, which takes longer by as much of it as nothing hides."
        if values["is_of_step"]
        else "What slices of {target} exchange over the network between them has no estimate and counts as nothing:"
        " each device sends {bytes}, and all takes longer by as much of it as nothing hides.",
        target=printable(values["target"]),
        bytes=as_said("sent_bytes", values["sent_bytes"]),
    )


WORDS = {
    "predicted-for": Words(_predicted_for),
    "not-predicted": Words(
        "Nothing ran: a prediction says what programs would do on a device. It has no timeline, and nothing of hosts"
        " and links.",
        "See which lines its time goes to.",
    ),
    "none-called-of-compiled": Words(
        _none_called, "Have it call what it compiles, at least once, and predict again; see whether it fits meanwhile."
    ),
    "predicted-without-room": Words(
        "{names} do not fit into the memory of {device}, so nothing is known of their time.",
        "See what takes it, and what would make it fit.",
        one="{names} does not fit into the memory of {device}, so nothing is known of its time.",
        number="names",
    ),
    "none-compiled-of-called": Words(
        "None of the programs that the script called was compiled for the TPU, so nothing is known of their time.",
        "See why they do not fit.",
    ),
    "no-steps-predicted-in-part": Words(_steps_in_part),
    "prediction-without-estimate": Words(_without_estimate),
    "prediction-between-slices": Words(_between_slices, "See it beside the steps."),
    "prediction-devices-without-work": Words(_devices_without_work, _work_for_all),
    "prediction-collectives": Words(_collectives),
    "prediction-loops-uncounted": Words(_uncounted),
    "prediction-without-programs": Words(_without_programs),
    "prediction-cancelled": Words(_cancelled),
    "prediction-refused-ops": Words(_refused_ops, "See why."),
}
