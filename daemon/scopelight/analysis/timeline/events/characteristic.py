"""Characteristic events: those whose name says what the device or the host was waiting for, as findings."""

import re
from collections.abc import Mapping
from typing import Final

from scopelight.findings import Finding, note
from scopelight.formats.xspace.stats import StatValue
from scopelight.model.host_events import is_compilation

_COLLECTIVES: Final = {
    "all-reduce": note("event-all-reduce"),
    "reduce-scatter": note("event-reduce-scatter"),
    "all-gather": note("event-all-gather"),
    "all-to-all": note("event-all-to-all"),
    "ragged-all-to-all": note("event-all-to-all"),
    "collective-permute": note("event-collective-permute"),
    "collective-broadcast": note("event-collective-broadcast"),
    "send": note("event-send"),
    "recv": note("event-receive"),
}

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
    "sendrecv": note("event-send-and-receive"),
    "broadcast": _COLLECTIVES["collective-broadcast"],
    "reduce": note("event-reduce"),
}

_HOST: Final = (
    (r"ThunkExecutor::Execute \(wait for completion\)", note("event-waits-for-ops")),
    (
        r"Rendezvous$|InvokeRendezvous$|Wait for rendezvous callback$|Wait: pending_threads=\d+/\d+$",
        note("event-rendezvous"),
    ),
    (r"Wait for LaunchOnDevice completion$", note("event-waits-for-launch")),
    (r"Wait for (?:donation|usage) holds$", note("event-waits-for-buffer")),
    (r"(?:PrefetchProduce|Iterator::Prefetch::)", note("event-prefetch-makes")),
    (r"(?:PrefetchConsume|Iterator::Prefetch$)", note("event-prefetch-taken")),
    (r"(?:IteratorGetNext|MultiDeviceIteratorGetNext|tf_data_\w*get_next)", note("event-takes-next-input")),
    (r"Iterator::", note("event-pipeline-op")),
    (
        r"(?:InfeedEnqueue|TransferLiteralToInfeed|TransferToInfeed|TransferBufferToInfeed|tpu::System::TransferToInfeed)",
        note("event-sends-to-infeed"),
    ),
)
_HOST_EVENTS: Final = tuple((re.compile(pattern), meaning) for pattern, meaning in _HOST)

_PIPELINE_STAGES: Final = {
    "read": note("event-pipeline-reads"),
    "preprocessing": note("event-pipeline-prepares"),
    "prefetch": note("event-pipeline-prefetches"),
    "enqueue": note("event-pipeline-hands-on"),
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
) -> Finding | None:
    """What a characteristic event means, None for all others.

    ``name`` is the event's; a whole HLO instruction is judged by what it defines, not by its operands. ``category`` is
    its op's, as far as known, ``is_callback`` whether that op calls Python. ``in_step`` is told of single events only.
    What is not ``is_of_device``, as an annotation of the user's that is called ``send``, is no op.
    """
    if is_callback and is_of_device:
        return note("event-callback")
    own = name.partition(" = ")[0].removeprefix("%")
    stage = str((arguments or {}).get(_PIPELINE_STAGE, ""))
    of_op = _of_op(own, category) if is_of_device else None
    return of_op or _of_host(own, in_step) or _PIPELINE_STAGES.get(stage)


def _of_op(name: str, category: str) -> Finding | None:
    collective = _COLLECTIVE.match(name)
    if collective is not None:
        if collective[2] is not None:
            return note("event-transfer-begins") if collective[2] != "done" else note("event-transfer-ends")
        return _COLLECTIVES[collective[1]]
    feed = _FEED.match(name)
    if feed is not None or category in ("infeed", "outfeed"):
        is_input = (feed[1] if feed is not None else category) == "infeed"
        return note("event-infeed") if is_input else note("event-outfeed")
    if category in _COLLECTIVES:
        return _COLLECTIVES[category]
    library = _LIBRARY_COLLECTIVE.match(name)
    return None if library is None else _OF_LIBRARY[library[1].lower()]


def _of_host(name: str, in_step: bool) -> Finding | None:
    if is_compilation(name):
        return note("event-compiles-in-step") if in_step else note("event-compiles")
    return next((meaning for pattern, meaning in _HOST_EVENTS if pattern.match(name)), None)
