"""Whether anything is to be captured in this process at all, and the agent that does it."""

from __future__ import annotations

import os
import sys

from scopelight_agent.off import is_off

TYPE_CHECKING = False
"""As that of ``typing``, which takes longer to import than all of this, and which no module here imports."""

if TYPE_CHECKING:
    from scopelight_agent.shim.agent import Agent

IS_OFF = is_off(os.environ)
"""What the variable said when this was imported: a script that changes it later changes nothing."""


def running_agent() -> Agent | None:
    """The agent of this process, where it has one."""
    if IS_OFF:
        return None
    # Each takes a while to import, and nothing runs where neither was.
    if "scopelight_agent.entrance" not in sys.modules and "_scopelight_shim.agent" not in sys.modules:
        return None
    from scopelight_agent.entrance import running  # noqa: PLC0415

    agent: Agent | None = running()
    return agent


def say(sentence: str) -> None:
    """Tell the user something on standard error; the script goes on where nobody hears of it."""
    try:
        sys.stderr.write(f"scopelight: {sentence}\n")
    except (OSError, ValueError, AttributeError):
        return
