"""How an agent takes up its work in a process whose jax is imported: once, and again for whoever comes later."""

import atexit
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import jax_process, own_trace, step_borders
from .agent import Agent
from .compilations import Compilations

if TYPE_CHECKING:
    from .connection import Connection


def begin(agent: Agent) -> None:
    """Take up work in a process whose jax has just been imported."""
    cache = jax_process.keep_line_numbers_in_the_compilation_cache()
    agent.connection.send("jax", versions=jax_process.versions(), cache=cache)
    os.register_at_fork(after_in_child=agent.leave_the_child)
    # After jax's own registrations, hence run before them, while its backends live.
    atexit.register(agent.exit)
    agent.memory_errors.watch()
    Compilations(agent.compile_ended).watch()
    step_borders.watch(agent.steps.enters, agent.steps.counter.leaves)
    agent.steps.watch()
    own_trace.watch(agent.script_is_at_the_profiler, agent.script_was_at_the_profiler)
    jax_process.watch_backends(agent.backend_appeared)


def begin_again(agent: Agent, connection: "Connection", first: Sequence[dict[str, Any]], folder: str) -> None:
    """Work for somebody else, whose capture goes into ``folder``, after the one before has left."""
    agent.change_hands(connection, first, folder)
    connection.send("jax", versions=jax_process.versions(), cache="")
    jax_process.watch_backends(agent.backend_appeared)
