"""Asking a person before a script runs: a tool that starts one does what the script does, whatever that is."""

from typing import Any, Protocol

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.desk import Asked
from scopelight.agents.foreign import quoted
from scopelight.agents.tool import call


class _MayBeConfirmed(Protocol):
    @property
    def confirmed(self) -> bool: ...


def asked_first(asked: Asked[Any], command: str, next_call: str) -> Answer | None:
    """None where a person agreed that ``command`` runs; else the answer that asks for that, with the call that then
    runs it.

    A client that can ask does so, whatever the call says. Raises `ToolError` where the person declined.
    """
    options: _MayBeConfirmed = asked.options
    what = f"{quoted(command, 300)} in {quoted(str(asked.base), 120)}"
    consent = asked.desk.client.asks(f"An agent wants Scopelight to run {what}. Is it to run?")
    if consent == "agreed" or (consent == "cannot-ask" and options.confirmed):
        return None
    if consent == "declined":
        raise ToolError(f"The person did not agree, and nothing was run: {what}.", call("list_runs"))
    said = [
        f"Nothing was run yet. This would run {what}, with all that the script does.",
        "Ask the person whether it is to run; only if they agree, call again with confirmed=true.",
    ]
    return Answer([Section(said)], {"would_run": command, "needs": "confirmed=true, once the person agreed"}, next_call)
