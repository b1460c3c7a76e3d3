"""Programs for the tests of memory: real ones from the shared data, and one captured in the process."""

import json
import lzma

import pytest

from scopelight.formats.hlo.reader import hlo_protos, read_hlo_file
from scopelight.formats.xspace.reader import read_xspace
from scopelight.model.opening.profile import open_profile


@pytest.fixture(scope="session")
def real_file(shared_data):
    """A file of the shared data by name."""
    return lambda name: shared_data / name


@pytest.fixture(scope="session")
def real_profile(real_file):
    """A real profile by the name of its file, opened once."""
    known = {}

    def find(name):
        if name not in known:
            known[name] = open_profile(real_file(name))
        return known[name]

    return find


@pytest.fixture(scope="session")
def real_protos(real_file):
    """The messages of the programs of a file, by the ids that the memory viewer gives them."""

    def find(name):
        path = real_file(name)
        if name.endswith(".pb"):
            return {each.program_id: each.parse() for each in hlo_protos(read_xspace(path))}
        proto = read_hlo_file(path)
        return {proto.hlo_module.name: proto}

    return find


@pytest.fixture(scope="session")
def oracle(real_file):
    """What xprof computes, from a file of the shared data."""

    def read(name):
        with lzma.open(real_file(name)) as file:
            return json.load(file)

    return read
