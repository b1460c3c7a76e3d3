"""Snapshots of memory as the model has them."""

import pytest

from scopelight.formats.pprof import pprof_pb2
from scopelight.model.memory.snapshots import snapshot_file


@pytest.mark.parametrize(
    ("written", "device"),
    [
        ("cpu:0", "cpu:0"),
        # jax 0.6 on the CPU.
        ("TFRT_CPU_3", "cpu:3"),
        ("TPU_0(process=0,(0,0,0,0))", "TPU_0(process=0,(0,0,0,0))"),
        ("", ""),
    ],
)
def test_a_processor_has_one_name_whichever_jax_wrote_it(tmp_path, written, device):
    texts = ["", "allocations", "count", "space", "bytes", "device", written]
    profile = pprof_pb2.Profile(string_table=[text.encode() for text in texts])
    profile.sample_type.add(type=1, unit=2)
    profile.sample_type.add(type=3, unit=4)
    profile.sample.add(value=[1, 4096]).label.add(key=5, str=6)
    path = tmp_path / "memory.pprof"
    path.write_bytes(profile.SerializeToString())
    (live,) = snapshot_file(path).read()
    assert (live.device, live.bytes) == (device, 4096)
