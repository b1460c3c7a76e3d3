"""The runs themselves."""

import numpy as np

from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.sql.rows.records import table_columns
from scopelight.sql.schema import Columns


def runs(subject: Subject) -> Columns:
    """One row. Nothing is charged to lines for it."""
    profile = subject.profile
    capture = profile.capture
    centre = centre_of(profile, subject.line_options)
    totals, steps = centre.scoped(subject.scope).totals, centre.steps
    records = totals.device_records(capture)
    git = capture.git if capture is not None else None
    versions = capture.versions if capture is not None else {}
    row = {
        "name": subject.path.name,
        "path": str(subject.path),
        "device": ", ".join(dict.fromkeys(each.model for each in records)) or None,
        "device_count": len(records),
        "host_count": max(1, len(profile.host_names)),
        "step_count": len(steps),
        "step_median_ps": int(np.median(steps.duration_ps)) if len(steps) else None,
        "step_mean_ps": round(float(steps.duration_ps.mean())) if len(steps) else None,
        "window_ps": profile.duration_ps,
        "op_time_ps": totals.op_time_ps,
        "predicted_for": profile.prediction.target if profile.prediction is not None else None,
        "jax_version": versions.get("jax"),
        "python_version": versions.get("python"),
        "commit_id": git.commit if git is not None else None,
        "has_changes": git.dirty if git is not None else None,
    }
    if capture is not None:
        row |= {"created": capture.created, "script": capture.script, "arguments": " ".join(capture.args)}
    return table_columns("runs", [row])
