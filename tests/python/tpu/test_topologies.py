"""libtpu takes what the names of TPUs are translated to, and makes as many devices of it, of that kind."""

import json
import subprocess

import pytest

from scopelight.capture.tpu_compiler.topologies import topology_named
from scopelight.model.devices.table import device_model

NAMES = (
    *("v2-8", "v3-8", "v3-32", "v4-8", "v4-32", "v5e-1", "v5e-4", "v5e-8", "v5e-16", "v5e-256", "v5p-8", "v5p-128"),
    *("v6e-1", "v6e-8", "v6e-256", "tpu7x-8", "tpu7x-32", "2xv5e-16", "4xv6e-8", "v5e:2x8", "v5p:4x4x8"),
)
ASK = """
import json, os, sys
os.environ.update(TPU_SKIP_MDS_QUERY="1", ALLOW_MULTIPLE_LIBTPU_LOAD="true")
from jax.experimental import topologies
said = {}
for name, (libtpu, arguments) in json.load(sys.stdin).items():
    told = {key: tuple(value) if isinstance(value, list) else value for key, value in arguments.items()}
    devices = topologies.get_topology_desc(platform="tpu", topology_name=libtpu, **told).devices
    said[name] = (len(devices), devices[0].device_kind, len({each.process_index for each in devices}))
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def said(tpu_python):
    asked = {name: (each.libtpu_name, each.arguments) for name in NAMES for each in [topology_named(name)]}
    ran = subprocess.run(
        [tpu_python, "-c", ASK], input=json.dumps(asked), capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", NAMES)
def test_a_name_has_as_many_devices_of_its_kind(said, name):
    topology = topology_named(name)
    devices, kind, _ = said[name]
    assert devices == topology.devices
    assert device_model(kind) is device_model(topology.device)


def test_eight_chips_of_one_host_are_one_process(said):
    assert {said[each][2] for each in ("v5e-1", "v5e-4", "v5e-8", "v6e-8", "v4-8")} == {1}
