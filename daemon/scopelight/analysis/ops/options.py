"""Options of the views of ops."""

from typing import Annotated

import attrs

from scopelight.analysis.ops.records import OpProfileGrouping
from scopelight.analysis.options import DeviceOption, Option, ScopeOption, TargetOption


@attrs.frozen
class OpsOptions:
    """Which device, and what to hold its padding against."""

    device: DeviceOption = None
    target: TargetOption = None
    scope: ScopeOption = None


@attrs.frozen
class OpProfileOptions:
    """What the tree is grouped by, and which device."""

    by: Annotated[OpProfileGrouping, Option("What the tree is grouped by.")] = "category"
    device: DeviceOption = None
    scope: ScopeOption = None


@attrs.frozen
class RooflineOptions:
    """Which device."""

    device: DeviceOption = None
    scope: ScopeOption = None


@attrs.frozen
class OpCardOptions:
    """``key`` is that of an `OpRow`. An op that did not run in the scope is looked for in the whole window."""

    key: str
    device: DeviceOption = None
    target: TargetOption = None
    scope: ScopeOption = None
