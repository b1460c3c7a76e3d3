"""Copies of large arrays, to devices and back, are of the class that they are, whatever the trace has of them."""

import pytest

from workloads.test_idle_truth import PYTHONS, steps_of, version_of


def line_of(project, name):
    lines = (project / "tests" / "workloads" / "host" / "sharded_copies.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# line: {name}"))


@pytest.mark.parametrize("python", PYTHONS, ids=version_of)
def test_copies_to_several_devices_and_back_are_transfers_and_reading(capture_host, project, python):
    name = f"copies-{version_of(python)}"
    captured = capture_host(name, "sharded_copies", python, "--steps", str(steps_of(python)))
    waits = {line["line"]: line["waiting_classes"] for line in captured.lines["lines"] if line["waiting_ps"]}
    put, arrived, read = (waits.get(line_of(project, name), {}) for name in ("put", "arrived", "read"))
    moving_ps = sum(of.get("transfer", 0) for of in (put, arrived))
    assert moving_ps > sum(of.get("python", 0) for of in (put, arrived)), waits
    assert "python" not in arrived
    assert max(read, key=read.get) == "sync", waits
