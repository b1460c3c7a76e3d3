"""Words: how a script ran out of memory, what took it, and what helps."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import text
from scopelight.report.numbers import byte_size


def _place(values: Mapping[str, Any]) -> str:
    return f"{as_said('path', values['path'] or text('(unknown file)'))}:{values['line']}"


def _where(values: Mapping[str, Any]) -> str:
    if values["line"] is None and values["path"] is None:
        return ""
    if values["came_up"]:
        return text(" (it came up at {place})", place=_place(values))
    return text(" at {place}", place=_place(values))


def _left(values: Mapping[str, Any]) -> str:
    code = values["exit_code"]
    return text("left") if code is None else text("left with code {code}", code=code)


def _there_is(values: Mapping[str, Any]) -> str:
    if values["requested_bytes"] is None or values["limit_bytes"] is None:
        return ""
    return text(", there are {size}", size=byte_size(values["limit_bytes"]))


def _does_not_fit(values: Mapping[str, Any]) -> str:
    lead = text("The program compiled{where} does not fit into memory", where=_where(values))
    if values["caught"]:
        lead += text(" (the script caught the error, and {left})", left=_left(values))
    if values["requested_bytes"] is not None:
        lead += text(": it needs {size}", size=byte_size(values["requested_bytes"]))
    return f"{lead}{_there_is(values)}."


def _ran_out(values: Mapping[str, Any]) -> str:
    lead = text(
        "A thread of the script ran out of memory{where}"
        if values["in_thread"]
        else "The script ran out of memory{where}",
        where=_where(values),
    )
    if values["caught"]:
        lead += text(", caught it, and {left}", left=_left(values))
    if values["requested_bytes"] is not None:
        lead += text(": {size} more were asked for", size=byte_size(values["requested_bytes"]))
    return f"{lead}{_there_is(values)}."


def _role(values: Mapping[str, Any]) -> str:
    """What the culprit's own finding says; its values are among those of the sentence."""
    role = _ROLES[values["role"]]
    return role.said(values)


def _most(values: Mapping[str, Any]) -> str:
    held = {"size": byte_size(values["held_bytes"]), "what": _role(values)}
    if values["line"] is None:
        return text(
            "Most is taken: {size} ({what})." if values["planned"] else "Most was held: {size} ({what}).", **held
        )
    return text(
        "Most is taken by {place}: {size} ({what})."
        if values["planned"]
        else "Most was held by {place}: {size} ({what}).",
        place=_place(values),
        **held,
    )


def _part(values: Mapping[str, Any]) -> str:
    of = text("one buffer") if values["line"] is None else _place(values)
    return text(
        "Of these {size} are for {of} ({what})." if values["of_request"] else "{size} are for {of} ({what}).",
        size=byte_size(values["held_bytes"]),
        of=of,
        what=_role(values),
    )


def _buffers(values: Mapping[str, Any]) -> str:
    number, program = values["buffers"], values["program"]
    if program is None:
        said = text("1 buffer at the peak" if number == 1 else "{number} buffers at the peak", number=number)
    else:
        said = text(
            "1 buffer of {program} at its peak" if number == 1 else "{number} buffers of {program} at its peak",
            number=number,
            program=as_said("program", program),
        )
    return said + _largest(values)


def _temporaries(values: Mapping[str, Any]) -> str:
    number = values["temporaries"]
    said = text(
        "1 temporary of {program}" if number == 1 else "{number} temporaries of {program}",
        number=number,
        program=as_said("program", values["program"]),
    )
    return said + _largest(values)


def _largest(values: Mapping[str, Any]) -> str:
    shape = values["largest_shape"]
    return "" if shape is None else text(", the largest {shape}", shape=as_said("shape", shape))


def _arrays(values: Mapping[str, Any]) -> str:
    said = text("1 array alive" if values["arrays"] == 1 else "{number} arrays alive", number=values["arrays"])
    return said + (text(", not all of them in memory") if values["beyond_memory"] else "")


_ROLES = {
    "where-it-came-up": Words("where it came up"),
    "was-at-work": Words("was at work"),
    "had-it-compiled": Words("had it compiled"),
    "asked-for-it": Words("asked for it"),
    "arrays-alive": Words(_arrays),
    "buffers-at-the-peak": Words(_buffers),
    "temporaries-of-program": Words(_temporaries),
    "listed-by-the-compiler": Words("{what}"),
}
"""What a culprit has to do with it, in a few words."""

WORDS = {
    **_ROLES,
    "does-not-fit": Words(_does_not_fit),
    "ran-out-of-memory": Words(_ran_out),
    "most-of-memory": Words(_most),
    "part-of-request": Words(_part),
    "make-program-smaller": Words(
        "Make batch or sequence smaller, recompute instead of keeping (jax.checkpoint), or shard over more devices. To"
        " see which lines take it, run again with XLA_FLAGS='--xla_dump_to=FOLDER --xla_dump_hlo_as_proto': Scopelight"
        " keeps the compiler's plan then."
    ),
    "make-what-is-kept-smaller": Words(
        "Make what these lines keep smaller: a smaller batch or sequence, recomputing instead of keeping"
        " (jax.checkpoint), or sharding over more devices."
    ),
    "drop-arrays": Words(
        "Arrays of these lines are still referred to: drop what is not needed any more (numbers leave the device with"
        " float()), and donate arguments that a call replaces (donate_argnums)."
    ),
    "make-temporaries-smaller": Words(
        "The compiled program needs this memory while it runs: make what these lines make inside it smaller (a smaller"
        " batch or sequence), compute it in parts (jax.lax.map), or shard it over devices."
    ),
    "memory-not-watched": Words(
        "What was in memory is not known, since this run did not watch it: run again without --no-memory to see which"
        " lines' arrays pile up."
    ),
    "memory-not-kept": Words(
        "What was in memory is not known, since no snapshot of it could be kept: see in the memory profile whether it"
        " grew all the while, as it does where arrays pile up."
    ),
    "make-awaited-smaller": Words(
        lambda values: text(
            "If this one request is too large by itself, make what this line waits for smaller, compute it in parts, or"
            " shard it over devices."
            if values["alone"]
            else "Make what this line waits for smaller, compute it in parts, or shard it over devices."
        )
    ),
    "make-array-smaller": Words(
        lambda values: text(
            "If this one request is too large by itself, make its array smaller, compute it in parts, or shard it over"
            " devices."
            if values["alone"]
            else "Make this array smaller, compute it in parts, or shard it over devices."
        )
    ),
    "see-what-grew": Words(
        "Make batches smaller, or drop arrays that are not needed any more.", "See the memory profile for what grew."
    ),
}
