"""Classes of waiting: why a device was idle, as far as the trace proves it."""

from collections.abc import Sequence
from typing import Final, get_args

from scopelight.analysis.records import WaitingClass
from scopelight.model.host.states import HostState

CLASSES: Final[Sequence[WaitingClass]] = get_args(WaitingClass)

OF_STATE: Final = {
    HostState.COMPILE: CLASSES.index("compile"),
    HostState.GARBAGE: CLASSES.index("garbage-collection"),
    HostState.RELEASE: CLASSES.index("release"),
    HostState.INPUT: CLASSES.index("input"),
    HostState.CALLBACK: CLASSES.index("callback"),
    HostState.TRANSFER: CLASSES.index("transfer"),
    HostState.SYNC: CLASSES.index("sync"),
    HostState.DISPATCH: CLASSES.index("dispatch"),
}
COMPILE: Final = OF_STATE[HostState.COMPILE]
INPUT: Final = OF_STATE[HostState.INPUT]
PYTHON: Final = CLASSES.index("python")
RUNTIME: Final = CLASSES.index("runtime")
UNTRACED: Final = CLASSES.index("untraced")
UNKNOWN: Final = CLASSES.index("unknown")
