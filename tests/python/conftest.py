"""Fixtures for every room's tests."""

import lzma
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from made.recorded import DATA

# The first example of a test may compile kernels, which takes seconds.
settings.register_profile("scopelight", deadline=None)
settings.load_profile("scopelight")

# A shell that runs the tests in the background has them ignore interrupts, and so would every script that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's root folder."""
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recorded profiles; skips where it is absent."""
    if not DATA.is_dir():
        pytest.skip("../shared/data is absent")
    return DATA


@pytest.fixture(scope="session")
def shared_profile(shared_data) -> Path:
    """A small real profile."""
    return shared_data / "mi300x-conv" / "tw003.xplane.pb"


@pytest.fixture(scope="session")
def shared_hlo(shared_data):
    """Read a HloProto of the shared data."""
    from scopelight.formats.hlo import hlo_pb2  # noqa: PLC0415

    return lambda name: hlo_pb2.HloProto.FromString(lzma.open(shared_data / name).read())


@pytest.fixture(scope="session")
def tpu_python() -> str:
    """The Python that has the compiler for TPUs, which `make test-tpu` sets up; skips elsewhere."""
    python = os.environ.get("SCOPELIGHT_TEST_TPU_PYTHON")
    if python is None:
        pytest.skip("`make test-tpu` has libtpu")
    return python


@pytest.fixture(scope="session", autouse=True)
def cpu_backend():
    """Every script that a test starts runs on the CPU backend."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAX_PLATFORMS", "cpu")
        yield


@pytest.fixture(scope="session")
def compiled():
    """Compile a function for the CPU: its module, and jax's own object."""
    import jax  # noqa: PLC0415 (only some tests need it)

    from scopelight.formats.hlo import hlo_pb2  # noqa: PLC0415
    from scopelight.program.hlo.builder import build_module  # noqa: PLC0415

    def compile_it(function, *arguments):
        executable = jax.jit(function).lower(*arguments).compile()
        data = executable.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto()
        proto = hlo_pb2.HloProto()
        proto.hlo_module.ParseFromString(data)
        return build_module(proto, "1"), executable

    return compile_it
