"""The views of ops. They share one table of ops for each device.

All raise `OptionError` where there is no such device or target.
"""

from functools import partial

from scopelight.analysis.ops.card import op_card_record
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.op_profile import op_profile_record
from scopelight.analysis.ops.options import OpCardOptions, OpProfileOptions, OpsOptions, RooflineOptions
from scopelight.analysis.ops.records import FlopsRecord, OpCardRecord, OpProfileRecord, OpsRecord, RooflineRecord
from scopelight.analysis.ops.roofline import roofline_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import OpTable, op_table
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject


def ops(subject: Subject, options: OpsOptions) -> OpsRecord:
    """Every op that ran."""
    return ops_record(table_of(subject, options.device, options.target, options.scope))


def op_profile(subject: Subject, options: OpProfileOptions) -> OpProfileRecord:
    """The ops as a tree."""
    return op_profile_record(table_of(subject, options.device, scope=options.scope), options.by)


def flops(subject: Subject, options: OpsOptions) -> FlopsRecord:
    """FLOPs of the model, its scopes and ops."""
    return flops_record(table_of(subject, options.device, options.target, options.scope))


def roofline(subject: Subject, options: RooflineOptions) -> RooflineRecord:
    """Ops and programs under the roofline."""
    return roofline_record(table_of(subject, options.device, scope=options.scope))


def op_card(subject: Subject, options: OpCardOptions) -> OpCardRecord:
    """Everything that is known of the op of a key. Raises `LookupError` where the run has none of that key."""
    target = subject.target_named(options.target)
    table = table_of(subject, options.device, options.target, options.scope)
    if all(entry.row.key != options.key for entry in table.entries):
        table = table_of(subject, options.device, options.target, "window")
    return op_card_record(table, options.key, target)


def table_of(
    subject: Subject, device: str | None = None, target: str | None = None, scope: Scope | None = None
) -> OpTable:
    """The ops of one device, or of all together, in a scope."""
    chosen = subject.target_named(target)
    scope = scope or subject.scope
    make = partial(op_table, subject.profile, subject.line_options, subject.own_peaks, device, chosen, scope)
    return subject.once("op table", (device, chosen and chosen.name, scope), make)
