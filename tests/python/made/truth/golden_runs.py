"""Program runs, rounds and phases of real profiles, kept as golden records: ``python -m made.truth.golden_runs`` in
tests/python makes them."""

import json
from collections import Counter
from pathlib import Path

import numpy as np

from made.recorded import DATA, PROFILES
from made.views import op_statistics
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.steps.program_sequence import busiest_device, program_sequence
from scopelight.analysis.steps.steps import find_steps
from scopelight.model.opening.profile import open_profile
from scopelight.program.phases.phases import module_phases

GOLDEN = Path(__file__).parents[2] / "analysis" / "steps" / "golden"


def record_of(path: Path) -> Path:
    """Where the record of a file is kept."""
    return GOLDEN / f"{path.parent.name}.json"


def runs_and_phases(path: Path) -> dict:
    """What a file says of its program runs, its steps, and the phases of its ops and programs."""
    profile = open_profile(path)
    return {
        "program_runs": _program_runs(profile),
        "steps": _steps(profile),
        "self_ps_by_phase": _times(profile),
        "instructions_by_phase": {
            f"{module.name}({module.program_id})": _counts(PHASE_NAMES[phase] for phase in module_phases(module))
            for module in sorted(profile.modules, key=lambda each: (each.name, each.program_id))
        },
    }


def _counts(values) -> dict:
    return dict(sorted(Counter(values).items()))


def _program_runs(profile) -> dict:
    """By device and program, how many runs there are of so many executions each."""
    executions, runs = profile.executions, profile.runs
    sizes = np.bincount(executions.run[executions.run >= 0], minlength=len(runs))
    found: dict = {}
    for row in range(len(runs)):
        program = executions.programs[runs.program[row]]
        of_device = found.setdefault(executions.devices[runs.device[row]].name, {})
        of_device.setdefault(f"{program.name}({program.program_id})", []).append(f"{sizes[row]} executions")
    return {device: {name: _counts(each) for name, each in sorted(of.items())} for device, of in found.items()}


def _steps(profile) -> dict | None:
    steps = find_steps(profile)
    if not len(steps):
        return None
    device = busiest_device(profile)
    ran: list = []
    if device is not None:
        sequence = program_sequence(profile, device)
        for start_ps, duration_ps in zip(steps.start_ps, steps.duration_ps, strict=True):
            inside = (sequence.start_ps >= start_ps) & (sequence.start_ps < start_ps + duration_ps)
            ran.append(" ".join(sequence.kinds[kind].name for kind in sequence.kind[inside]))
    return {
        "source": steps.source,
        "name": steps.name,
        "count": len(steps),
        "first_ps": int(steps.start_ps[0]),
        "median_ps": steps.median_ps,
        "least_ps": int(steps.duration_ps.min()),
        "greatest_ps": int(steps.duration_ps.max()),
        "program_runs_of_steps": _counts(ran),
    }


def _times(profile) -> dict:
    times: Counter = Counter()
    if len(profile.executions):
        for row in op_statistics(profile, scope="window").rows:
            times[row.phase] += row.self_ps
    return dict(sorted(times.items()))


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in PROFILES:
        text = json.dumps(runs_and_phases(DATA / each), indent=1)
        record_of(DATA / each).write_text(text + "\n")
