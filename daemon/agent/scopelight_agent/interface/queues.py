"""Queues that a script names: kept until there is an agent, which reads how full they are beside each trace."""

from __future__ import annotations

import threading
import weakref

from .switch import running_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from scopelight_agent.shim.agent import Agent

_MOST = 64
_named: list[tuple[weakref.ref[Any], str, int]] = []


def name_queue(queue: Any, name: str) -> None:  # noqa: ANN401 (any object with ``qsize``)
    """Have a queue read from now on, from which this thread takes."""
    try:
        reference = weakref.ref(queue)
    except TypeError:
        # Of a class that allows no such reference: reading it must not keep it alive.
        return
    thread = threading.get_ident()
    agent = running_agent()
    if agent is not None:
        agent.named_queues.append((reference, name, thread))
        return
    _named[:] = [each for each in _named if each[0]() is not None][1 - _MOST :]
    _named.append((reference, name, thread))


def hand_over(agent: Agent) -> None:
    """Tell an agent of all queues that were named before it was there."""
    while _named:
        agent.named_queues.append(_named.pop(0))
