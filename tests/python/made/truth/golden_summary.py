"""Summaries of real profiles, kept as golden records: ``python -m made.truth.golden_summary`` in
tests/python makes them."""

import json
from pathlib import Path

import numpy as np

from made.recorded import DATA
from scopelight.model.opening.profile import open_profile
from scopelight.report.findings.worded import joined

GOLDEN = Path(__file__).parents[2] / "model" / "golden"
FILES = {
    "tpu-v6e-host-offload": "tpu_inference_2.xplane.pb",
    "mi300x-conv": "tw003.xplane.pb",
    "v100-tensorflow": "worker.xplane.pb",
}


def summary(path: Path) -> dict:
    """Devices, lanes, executions, self time by category and program runs of a profile."""
    profile = open_profile(path)
    executions, runs = profile.executions, profile.runs
    categories: dict[str, int] = {}
    for op, self_ps in zip(executions.op.tolist(), executions.self_ps.tolist(), strict=True):
        category = executions.ops[op].category
        categories[category] = categories.get(category, 0) + self_ps
    return {
        "devices": {
            device.name: {
                "kind": device.kind,
                "executions": int(np.count_nonzero(executions.device == row)),
                "self_ps": int(executions.self_ps[executions.device == row].sum()),
                "lanes": sorted({executions.lanes[lane] for lane in executions.lane[executions.device == row]}),
                "program_runs": int(np.count_nonzero(runs.device == row)),
            }
            for row, device in enumerate(executions.devices)
        },
        "executions": len(executions),
        "ops": len(executions.ops),
        "duration_ps": profile.duration_ps,
        "self_ps_by_category": dict(sorted(categories.items())),
        "program_runs": {
            name: int(sum(executions.programs[program].name == name for program in runs.program))
            for name in sorted({executions.programs[program].name for program in runs.program})
        },
        "warnings": [joined([each], "terminal") for each in profile.findings],
    }


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for folder, name in FILES.items():
        text = json.dumps(summary(DATA / folder / name), indent=1)
        (GOLDEN / f"{folder}.json").write_text(text + "\n")
