"""Fixtures of the timeline's tests."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data():
    """The folder of recorded profiles; skips where it is absent."""
    if not DATA.is_dir():
        pytest.skip("../shared/data is absent")
    return DATA
