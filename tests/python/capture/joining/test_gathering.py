"""What the first process of a job says is held back until all of them are there."""

import pytest

from made.until import until
from scopelight.capture.joining import gathering
from scopelight.capture.joining.gathering import Gathering
from scopelight_agent.job import local_processes

JAX, BACKEND, COMPILED = ({"event": each} for each in ("jax", "backend", "compiled"))


def test_one_process_alone_is_heard_at_once():
    heard = []
    gathered = Gathering(heard.append)
    gathered.hear(JAX)
    assert heard == [JAX]
    gathered.hear(BACKEND)
    gathered.is_here(0)
    gathered.hear(COMPILED)
    assert heard == [JAX, BACKEND, COMPILED]


def test_from_its_backend_on_it_is_heard_when_all_are_there():
    heard = []
    gathered = Gathering(heard.append)
    gathered.expect(3)
    gathered.hear(JAX)
    gathered.is_here(2)
    gathered.hear(BACKEND)
    gathered.is_here(0)
    # The same one, which has left.
    gathered.is_here(2)
    gathered.hear(COMPILED)
    assert heard == [JAX]
    gathered.is_here(1)
    assert heard == [JAX, BACKEND, COMPILED]
    gathered.hear(COMPILED)
    assert heard == [JAX, BACKEND, COMPILED, COMPILED]


def test_those_that_never_come_are_waited_for_so_long_and_no_longer(monkeypatch):
    monkeypatch.setattr(gathering, "LONGEST_SECONDS", 0.01)
    heard = []
    gathered = Gathering(heard.append)
    gathered.expect(2)
    gathered.hear(BACKEND)
    until(lambda: heard == [BACKEND])


def test_what_is_held_back_is_handed_on_at_the_end():
    heard = []
    gathered = Gathering(heard.append)
    gathered.expect(2)
    gathered.hear(BACKEND)
    gathered.wait_no_more()
    assert heard == [BACKEND]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"LOCAL_WORLD_SIZE": "8"}, 8),
        ({"SLURM_STEP_TASKS_PER_NODE": "4(x2)"}, 4),
        # Not alike on all machines.
        ({"SLURM_STEP_TASKS_PER_NODE": "4,3"}, None),
        ({"OMPI_COMM_WORLD_LOCAL_SIZE": "many"}, None),
    ],
)
def test_launchers_say_how_many_processes_a_machine_has(environment, expected):
    assert local_processes(environment) == expected
