"""What the hook writes down of memory, without a script."""

import json
import sys
from types import SimpleNamespace

from scopelight_agent.shim.memory_watch import MemoryWatch


def test_with_a_snapshot_it_is_written_down_how_much_was_in_memory_then(tmp_path, monkeypatch):
    profiler = SimpleNamespace(device_memory_profile=lambda: b"snapshot")
    monkeypatch.setitem(sys.modules, "jax", SimpleNamespace(profiler=profiler))
    told = []
    watch = MemoryWatch(str(tmp_path), lambda event, **fields: told.append((event, fields)))
    assert watch.snapshot("out-of-memory")
    (_, *samples) = [json.loads(line) for line in (tmp_path / "resources.jsonl").read_text().splitlines()]
    (sample,) = samples
    ((event, snapshot),) = told
    assert (event, snapshot["name"]) == ("snapshot", "out-of-memory")
    assert sample["time_ns"] >= snapshot["time_ns"]
    assert sample["resident_bytes"] > 0
    watch.finish()
    assert told[-1][1]["readings"] == 2
