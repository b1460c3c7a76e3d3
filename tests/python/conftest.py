"""Fixtures for every room's tests."""

from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a test may compile kernels, which takes seconds.
settings.register_profile("scopelight", deadline=None)
settings.load_profile("scopelight")

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's root folder."""
    return PROJECT


@pytest.fixture(scope="session", autouse=True)
def cpu_backend():
    """Every script that a test starts runs on the CPU backend."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAX_PLATFORMS", "cpu")
        yield
