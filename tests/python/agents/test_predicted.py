"""Runs that were predicted for TPUs: what does not fit, which line takes the memory, and what would save it."""

import re

from agents.conftest import Agent
from made.predictions import NO_ROOM
from made.scripted_agent import MOST_CALLS, ScriptedAgent

PLACE = re.compile(r"(?P<place>\S+:\d+) in loss  16 GiB, 64\.0.% of the peak")


def test_what_does_not_fit_and_the_line_that_takes_the_memory_are_found():
    agent = ScriptedAgent(NO_ROOM.parent)
    found = agent.investigate_run(NO_ROOM.name)
    assert "Does not fit: 25 of 15.75 GiB" in found.summary.replace("\N{NO-BREAK SPACE}", " ")
    text = agent.ask("memory_at_peak", run=NO_ROOM.name)
    place = PLACE.search(text)["place"]
    assert found.advice["checkpoint-to-fit"] == place
    assert "jnp.sin(x @ weight)" in found.details[place]
    assert agent.calls <= MOST_CALLS


def test_what_is_advised_on_a_line_that_has_no_time_is_said_once():
    agent = Agent(NO_ROOM.parent)
    place = PLACE.search(agent.ask("memory_at_peak", run=NO_ROOM.name))["place"]
    said = [line for line in agent.ask("line_detail", run=NO_ROOM.name, line=place).splitlines() if "advice" in line]
    assert said
    assert len(said) == len(set(said))
