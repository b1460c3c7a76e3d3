"""Which processes are one job: what they inherit, else what their launcher tells."""

import pytest

from scopelight_agent.job import JOB_VARIABLE, job_key, rank

SLURM = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_PROCID": "3"}


def test_what_a_process_starts_is_of_its_job():
    key = job_key({})
    assert job_key({JOB_VARIABLE: key, "RANK": "1"}) == key
    # A variable may be anyone's: it becomes part of a file's name.
    assert job_key({JOB_VARIABLE: "../" + key[3:]}) != "../" + key[3:]


def test_processes_of_no_launch_are_jobs_of_their_own():
    assert job_key({}) != job_key({})


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ({"RANK": "0", "MASTER_PORT": "1"}, {"RANK": "1", "MASTER_PORT": "1"}, True),
        ({"RANK": "0", "MASTER_PORT": "1"}, {"RANK": "1", "MASTER_PORT": "2"}, False),
        (SLURM, {**SLURM, "SLURM_PROCID": "4"}, True),
        (SLURM, {**SLURM, "SLURM_STEP_ID": "1"}, False),
        # Of one parent, as a loop of a shell is.
        ({"RANK": "0"}, {"RANK": "1"}, True),
    ],
)
def test_a_launch_is_one_job_and_the_next_another(one, other, together):
    assert (job_key(one) == job_key(other)) is together


def test_the_first_number_that_is_one_counts():
    assert rank({"RANK": "x", "SLURM_PROCID": "2"}) == 2
    assert rank({}) is None
