"""Executions as the model has them, and what their columns number."""

import numpy as np

from scopelight.analysis.ops.views import table_of
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.instruction_totals import executions_in_steps
from scopelight.model.devices.names import full_name
from scopelight.sql.columns import columns_of
from scopelight.sql.rows.op_numbers import numbers_of_ops
from scopelight.sql.schema import Columns
from scopelight.sql.tables import TABLES


def executions(subject: Subject) -> Columns:
    """The columns of `Executions` themselves, and the step of each."""
    profile = subject.profile
    table = profile.executions
    step = executions_in_steps(table, centre_of(profile, subject.line_options).steps)
    step += 1
    numbers = numbers_of_ops(table_of(subject, None, scope="window"))
    return {
        "op_id": table.op if numbers is None else numbers[table.op],
        "device_id": table.device,
        "lane_id": table.lane,
        "step": step.astype(np.int32),
        "start_ps": table.start_ps,
        "duration_ps": table.duration_ps,
        "self_ps": table.self_ps,
    }


def devices(subject: Subject) -> Columns:
    """By their number in the profile."""
    profile = subject.profile
    names = profile.host_names
    rows = [
        {
            "device_id": number,
            "name": each.name,
            "device_kind": each.kind,
            "model": full_name(each, profile.capture),
            "host": names[each.host] if each.host < len(names) else None,
            "ordinal": each.ordinal,
        }
        for number, each in enumerate(profile.executions.devices)
    ]
    return columns_of(TABLES["devices"].columns[1:], rows)


def lanes(subject: Subject) -> Columns:
    """By their number in the profile."""
    rows = [{"lane_id": number, "name": name} for number, name in enumerate(subject.profile.executions.lanes)]
    return columns_of(TABLES["lanes"].columns[1:], rows)
