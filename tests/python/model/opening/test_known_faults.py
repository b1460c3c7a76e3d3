import attrs
import pytest

from made.findings import values
from made.profiles import SCALAR, module
from scopelight.model.opening.known_faults import known_faults
from scopelight.model.run.information import RunInformation


def faults(jax, devices):
    versions = {} if jax is None else {"jax": jax}
    of_devices = attrs.evolve(module("step", "1", [SCALAR], [SCALAR]), device_count=devices)
    return list(known_faults(RunInformation(versions=versions), [of_devices]))


@pytest.mark.parametrize("jax", ["0.8.2", "0.8.3"])
def test_the_versions_that_mix_up_frames_say_so_of_programs_for_several_devices(jax):
    assert values(faults(jax, 4), "frames-mixed-up") == {"version": jax}
    assert not faults(jax, 1)


@pytest.mark.parametrize("jax", ["0.8.1", "0.9.0", None])
def test_others_are_not_blamed(jax):
    assert not faults(jax, 4)
    assert not list(known_faults(None, []))
