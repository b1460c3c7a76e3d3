"""Real modules for the tests of the model: compiled in the process, or read from the shared data."""

import lzma
from pathlib import Path

import pytest

from scopelight.formats.protos import hlo_pb2

DATA = Path(__file__).parents[4] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_hlo():
    """Read a HloProto of the shared data; skips where the folder is absent."""

    def read(name):
        file = DATA / name
        if not file.exists():
            pytest.skip(f"{file} is absent")
        return hlo_pb2.HloProto.FromString(lzma.open(file).read())

    return read


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of shared data; skips where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is absent")
    return DATA


@pytest.fixture
def shared_profile():
    """A small real profile; skips where the shared data is absent."""
    file = DATA / "mi300x-conv" / "tw003.xplane.pb"
    if not file.exists():
        pytest.skip(f"{file} is absent")
    return file
