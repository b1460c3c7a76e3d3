"""Characteristic events: those whose name says what the device or the host was waiting for, explained in words."""

import re
from collections.abc import Mapping
from typing import Final

from scopelight.formats.xspace.stats import StatValue
from scopelight.model.host_events import is_compilation

_SLOWEST: Final = "It lasts until the slowest device has joined, so a part of it may be waiting."

_COLLECTIVES: Final = {
    "all-reduce": f"A sum across replicas: the devices combine their values, and each gets the result. {_SLOWEST}",
    "reduce-scatter": f"The devices combine their values, and each gets a part of the result. {_SLOWEST}",
    "all-gather": f"Each device sends its part to all others, so that each has the whole. {_SLOWEST}",
    "all-to-all": f"Each device sends another part of its values to every other device. {_SLOWEST}",
    "ragged-all-to-all": f"Each device sends another part of its values to every other device. {_SLOWEST}",
    "collective-permute": f"Each device sends its values to one other device. {_SLOWEST}",
    "collective-broadcast": f"One device sends its values to all others. {_SLOWEST}",
    "send": "The device sends values to another device or to the host.",
    "recv": "The device waits for values from another device or from the host.",
}
_STARTED: Final = (
    "A transfer between devices begins here and goes on while other ops run, until the -done of the same name."
)
_DONE: Final = (
    "The device waits here for the rest of a transfer that began with the -start of the same name: this is the part "
    "that no other work hides."
)
_INFEED: Final = (
    "The device waits here for the host to send its next input. Where that takes long the input pipeline is slower than"
    " the device: read ahead, or make the pipeline faster."
)
_OUTFEED: Final = "The device hands results to the host here, and waits until the host has taken them."
_CALLBACK: Final = "The program calls Python on the host here, and the device waits for its answer."
_COMPILATION: Final = "XLA compiles a program here, before it runs for the first time."
_COMPILATION_IN_STEP: Final = (
    "XLA compiles a program here, inside a step: a shape, a type or a static argument is new. Steps are as fast as the "
    "others again once nothing is new."
)
_RENDEZVOUS: Final = (
    "A device has reached a collective operation and waits for the other devices to reach it too. Nothing is computed "
    "on this thread meanwhile."
)

_GENERATED_END: Final = r"(?:-(start|update|done))?(?:\.(?:\d+|remat\d*|clone))*$"
_COLLECTIVE: Final = re.compile(rf"({'|'.join(sorted(_COLLECTIVES, key=len, reverse=True))}){_GENERATED_END}")
_FEED: Final = re.compile(rf"(infeed|outfeed){_GENERATED_END}")
_LIBRARY_COLLECTIVE: Final = re.compile(
    r"(?:nccl|rccl)(?:Dev)?Kernel_?(AllReduce|ReduceScatter|AllGather|AllToAll|SendRecv|Broadcast|Reduce)",
    re.IGNORECASE,
)
_OF_LIBRARY: Final = {
    "allreduce": _COLLECTIVES["all-reduce"],
    "reducescatter": _COLLECTIVES["reduce-scatter"],
    "allgather": _COLLECTIVES["all-gather"],
    "alltoall": _COLLECTIVES["all-to-all"],
    "sendrecv": f"The devices send values to each other. {_SLOWEST}",
    "broadcast": _COLLECTIVES["collective-broadcast"],
    "reduce": f"The devices combine their values, and one of them gets the result. {_SLOWEST}",
}

_HOST: Final = (
    (
        r"ThunkExecutor::Execute \(wait for completion\)",
        "This thread handed a program's ops to other threads and waits until they are done: the ops themselves are on "
        "the threads beside it.",
    ),
    (r"Rendezvous$|InvokeRendezvous$|Wait for rendezvous callback$|Wait: pending_threads=\d+/\d+$", _RENDEZVOUS),
    (
        r"Wait for LaunchOnDevice completion$",
        "The host waits until the program is handed to every device.",
    ),
    (
        r"Wait for (?:donation|usage) holds$",
        "The host waits until nothing uses a buffer any more, because it was donated or is being deleted.",
    ),
    (
        r"(?:PrefetchProduce|Iterator::Prefetch::)",
        "A prefetch thread makes an input ahead of the step that will need it. It costs a step nothing as long as it is"
        " ahead.",
    ),
    (
        r"(?:PrefetchConsume|Iterator::Prefetch$)",
        "An input is taken from what prefetch threads made ahead. Where that takes long they had nothing ready.",
    ),
    (
        r"(?:IteratorGetNext|MultiDeviceIteratorGetNext|tf_data_\w*get_next)",
        "The program takes its next input from a tf.data pipeline. Where that takes long a step waits for its input.",
    ),
    (r"Iterator::", "An op of a tf.data pipeline makes its next element, with the ops before it inside."),
    (
        r"(?:InfeedEnqueue|TransferLiteralToInfeed|TransferToInfeed|TransferBufferToInfeed|tpu::System::TransferToInfeed)",
        "The host sends the next input to the device's infeed.",
    ),
)
_HOST_EVENTS: Final = tuple((re.compile(pattern), sentence) for pattern, sentence in _HOST)

_PIPELINE_STAGES: Final = {
    "read": "A stage of the input pipeline reads data.",
    "preprocessing": "A stage of the input pipeline prepares data.",
    "prefetch": "A prefetch thread of the input pipeline makes data ahead of the step that will need it.",
    "enqueue": "The input pipeline hands data on to the device.",
}
_PIPELINE_STAGE: Final = "_ipl_stage_cat"


def explanation(
    name: str,
    *,
    category: str = "",
    is_callback: bool = False,
    in_step: bool = False,
    is_of_device: bool = True,
    arguments: Mapping[str, StatValue] | None = None,
) -> str | None:
    """What a characteristic event means, None for all others.

    ``name`` is the event's; a whole HLO instruction is judged by what it defines, not by its operands. ``category`` is
    its op's, as far as known, ``is_callback`` whether that op calls Python. ``in_step`` is told of single events only.
    What is not ``is_of_device``, as an annotation of the user's that is called ``send``, is no op.
    """
    if is_callback and is_of_device:
        return _CALLBACK
    own = name.partition(" = ")[0].removeprefix("%")
    stage = str((arguments or {}).get(_PIPELINE_STAGE, ""))
    of_op = _of_op(own, category) if is_of_device else None
    return of_op or _of_host(own, in_step) or _PIPELINE_STAGES.get(stage)


def _of_op(name: str, category: str) -> str | None:
    collective = _COLLECTIVE.match(name)
    if collective is not None:
        if collective[2] is not None:
            return _STARTED if collective[2] != "done" else _DONE
        return _COLLECTIVES[collective[1]]
    feed = _FEED.match(name)
    if feed is not None or category in ("infeed", "outfeed"):
        return _INFEED if (feed[1] if feed is not None else category) == "infeed" else _OUTFEED
    if category in _COLLECTIVES:
        return _COLLECTIVES[category]
    library = _LIBRARY_COLLECTIVE.match(name)
    return None if library is None else _OF_LIBRARY[library[1].lower()]


def _of_host(name: str, in_step: bool) -> str | None:
    if is_compilation(name):
        return _COMPILATION_IN_STEP if in_step else _COMPILATION
    return next((sentence for pattern, sentence in _HOST_EVENTS if pattern.match(name)), None)
