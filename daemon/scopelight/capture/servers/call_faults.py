"""Why a call of a server gave no answer."""

from typing import Literal

CallFaultKind = Literal[
    "unreachable", "silent", "foreign", "timed-out", "cancelled", "lost", "too-large", "malformed", "refused"
]
"""``unreachable``: no connection; ``silent``: connected, and nothing was said in time; ``foreign``: it speaks another
protocol; ``lost``: the connection ended before the answer;
``refused``: it answered with an error, `CallFault.status`."""

UNIMPLEMENTED = 12
INTERNAL = 13
DEADLINE_EXCEEDED = 4
UNAVAILABLE = 14
CANCELLED = 1
"""Statuses of gRPC."""


class CallFault(Exception):  # noqa: N818 (an answer that is none; callers look at its kind)
    """``status`` is gRPC's where the server ``refused``; ``problem`` is what is known beside that, in its words."""

    def __init__(self, kind: CallFaultKind, problem: str = "", status: int | None = None) -> None:
        super().__init__(f"{kind}: {problem}" if problem else kind)
        self.kind = kind
        self.problem = problem
        self.status = status
