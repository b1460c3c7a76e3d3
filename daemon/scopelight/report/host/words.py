"""Names of what the host does for its input."""

from collections.abc import Mapping
from typing import Final

from scopelight.analysis.host.input.graph_records import Certainty, OperationKind, QueueKind
from scopelight.analysis.host.input.records import InputLevel, InputQuantity, InputWork, QueueVerdict
from scopelight.report.language import template

WORK_NAMES: Final[Mapping[InputWork, str]] = {
    "enqueue": template("enqueuing data to be transferred to the device"),
    "preprocessing": template("preprocessing"),
    "read-ahead": template("reading data in advance"),
    "read-on-demand": template("reading data on demand"),
    "other": template("other data reading or processing"),
}
"""As XProf names them."""
SHORT_WORK_NAMES: Final[Mapping[InputWork | None, str]] = {
    "enqueue": template("enqueue"),
    "preprocessing": template("preprocessing"),
    "read-ahead": template("reads ahead"),
    "read-on-demand": template("reads on demand"),
    "other": template("other"),
    None: template("waits"),
}
QUANTITY_NAMES: Final[Mapping[InputQuantity, str]] = {
    "step": template("step"),
    "idle": template("device idle"),
    "input": template("waits for input"),
}
LEVELS: Final[Mapping[InputLevel, str]] = {
    "low": template("not input-bound"),
    "moderate": template("moderately input-bound"),
    "high": template("highly input-bound"),
}
VERDICTS: Final[Mapping[QueueVerdict, str]] = {
    "processing": template("making the data is slow"),
    "transfer": template("the data is ready, but moving it to the device is slow"),
    "gets": template("the queue has data ready, but taking it from there is slow"),
    "loop": template("the queue has data ready, but what the loop of the steps does with it is slow"),
    "elsewhere": template("the queue has data ready, but the steps wait for something else"),
    "barely": template("the input keeps up, with nothing to spare"),
    "keeps-up": template("the input keeps up"),
    "consumer": template("the steps are slow, not their input"),
}
QUEUE_KINDS: Final[Mapping[QueueKind, str]] = {
    "queue": template("queue of threads"),
    "processes": template("queue of processes"),
    "asyncio": template("queue of tasks"),
    "torch": template("ready batches of the DataLoader"),
    "grain": template("ready elements of grain"),
    "grain-thread": template("grain's prefetching thread"),
    "grain-processes": template("ready elements of grain's processes"),
}
OPERATION_KINDS: Final[Mapping[OperationKind, str]] = {
    "grain": "grain",
    "torch": "torch",
    "tf.data": "tf.data",
    "threads": template("threads"),
    "processes": template("processes"),
    "tasks": template("tasks of the event loop"),
    "coroutine": template("coroutine"),
    "function": template("function"),
    "line": template("line"),
    "script": template("loop of the steps"),
    "device": template("device"),
}
CERTAINTIES: Final[Mapping[Certainty, str]] = {
    "sure": template("holds the others up"),
    "likely": template("likely holds the others up"),
}
