"""Names of TPUs are those of clouds, and what libtpu is told makes the same number of devices of them."""

import pytest

from scopelight.capture.tpu_compiler.topologies import TopologyError, topology_named


@pytest.mark.parametrize(
    ("name", "libtpu", "devices"),
    [
        ("v5e-1", "v5e:1x1", 1),
        ("v5e-4", "v5e:2x2", 4),
        ("v5e-8", "v5e:2x4", 8),
        ("v5litepod-16", "v5e:4x4", 16),
        ("v5e-256", "v5e:16x16", 256),
        ("v6e-8", "v6e:2x4", 8),
        ("trillium-256", "v6e:16x16", 256),
        # These count cores, of which two are on a chip, and one device where they work as one.
        ("v4-8", "v4:2x2x1", 4),
        ("v4-32", "v4:2x2x4", 16),
        ("v5p-8", "v5p:2x2x1", 4),
        ("v5p-128", "v5p:4x4x4", 64),
        ("v2-8", "v2:2x2", 8),
        ("v3-32", "v3:4x4", 32),
        ("tpu7x-8", "tpu7x:2x2x1", 8),
        ("ironwood-16", "tpu7x:2x2x2", 16),
        ("2xv5e-16", "v5e:4x4", 32),
        ("v5e:4x8", "v5e:4x8", 32),
        (" V5E-8 ", "v5e:2x4", 8),
    ],
)
def test_a_name_is_a_grid_of_chips(name, libtpu, devices):
    topology = topology_named(name)
    assert (topology.libtpu_name, topology.devices) == (libtpu, devices)


def test_what_libtpu_would_take_for_something_else_is_told_it():
    # Two hosts of four chips, it would suppose; and two devices on each chip of v4.
    assert topology_named("v5e-8").arguments == {"chips_per_host_bounds": (2, 4, 1)}
    assert topology_named("v4-8").arguments == {"chip_config_name": "megacore"}
    assert topology_named("2xv5e-16").arguments == {"num_slices": 2}
    assert topology_named("v5p-8").arguments == {}


@pytest.mark.parametrize("name", ["", "tpu", "v7-", "v9e-8", "h100-8", "v5e", "v5e:2", "v5e-8-8", "8"])
def test_what_is_no_name_is_answered_with_names(name):
    with pytest.raises(TopologyError, match="v5e-8"):
        topology_named(name)


@pytest.mark.parametrize("name", ["v5e-0", "v5e-3", "v5e-512", "v4-7", "v4-65536", "0xv5e-8", "99xv5e-8"])
def test_a_size_that_does_not_exist_is_answered_with_sizes(name):
    with pytest.raises(TopologyError, match="power of two"):
        topology_named(name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("v5e:3x5x2", "chips of v5e form a grid of two sides, such as v5e:2x4"),
        ("v4:2x2", "chips of v4 form a grid of three sides, such as v4:2x2x4"),
        ("trillium:32x32", "v6e has 1 to 256 chips, such as v6e:2x4"),
        ("v5e:0x4", "v5e has 1 to 256 chips, such as v5e:2x4"),
        # libtpu refuses those as well, though once the script has run.
        ("v5e:3x5", "of chips on several hosts the first two sides are even or 1, such as v5e:2x4"),
        ("v4:2x3x2", "of chips on several hosts the first two sides are even or 1, such as v4:2x2x4"),
        ("v2:2x3", "of chips on several hosts the first two sides are even or 1, such as v2:2x4"),
    ],
)
def test_a_grid_that_does_not_exist_is_answered_with_why(name, said):
    with pytest.raises(TopologyError) as raised:
        topology_named(name)
    assert str(raised.value) == f"There is no {name}: {said}."


@pytest.mark.parametrize(
    "name", ["v5e:1x8", "v5e:3x1", "v5e:2x3", "v5e:1x16", "v5e:6x6", "v4:2x2x3", "v4:1x1x3", "v2:1x2"]
)
def test_a_grid_that_libtpu_takes_is_one(name):
    assert topology_named(name).libtpu_name == name
