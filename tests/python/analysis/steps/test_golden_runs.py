"""Real profiles give the same program runs, rounds and phases as ever."""

import json

import pytest

from made.recorded import DATA, PROFILES
from made.truth.golden_runs import GOLDEN, record_of, runs_and_phases

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared profiles are not beside this checkout")


@pytest.mark.parametrize("name", PROFILES)
def test_runs_rounds_and_phases_equal_their_golden_record(name):
    assert runs_and_phases(DATA / name) == json.loads(record_of(DATA / name).read_text())


def test_every_profile_has_a_record_of_its_own():
    assert sorted(GOLDEN.glob("*.json")) == sorted(record_of(DATA / name) for name in PROFILES)
