"""Real modules for the tests of the model: compiled in the process, or read from the shared data."""

import lzma
from pathlib import Path

import jax
import pytest

from scopelight.formats.protos import hlo_pb2
from scopelight.model.hlo_builder import build_module

DATA = Path(__file__).parents[4] / "shared" / "data"


@pytest.fixture(scope="session")
def compiled():
    """Compile a function for the CPU: its module, and jax's own object."""

    def compile_it(function, *arguments):
        executable = jax.jit(function).lower(*arguments).compile()
        data = executable.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto()
        proto = hlo_pb2.HloProto()
        proto.hlo_module.ParseFromString(data)
        return build_module(proto, "1"), executable

    return compile_it


@pytest.fixture(scope="session")
def shared_hlo():
    """Read a HloProto of the shared data; skips where the folder is absent."""

    def read(name):
        file = DATA / name
        if not file.exists():
            pytest.skip(f"{file} is absent")
        return hlo_pb2.HloProto.FromString(lzma.open(file).read())

    return read
