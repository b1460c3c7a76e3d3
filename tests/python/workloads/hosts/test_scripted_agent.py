"""A scripted agent that has the tools alone finds the slow host of a pod, why it is slow, and the line."""

from made.scripted_agent import MOST_CALLS, ScriptedAgent


def test_the_slow_host_its_reason_and_its_line_are_found(slow_pod, pod_script, callback_line):
    agent = ScriptedAgent(pod_script.parent, slow_pod.directory.parent)
    found = agent.investigate_run(slow_pod.directory.name)
    place = f"{pod_script.name}:{callback_line}"
    assert found.slow_host == (slow_pod.truth["slow"], "works longer", place), found.summary
    assert "jax.pure_callback(" in found.details[place]
    assert found.calls <= MOST_CALLS
