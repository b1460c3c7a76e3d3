"""Records of the ops of a run: made off the event loop, shared by the panels, kept by run and options."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Hashable
from typing import TYPE_CHECKING, TypeVar

import attrs

from scopelight.protocol import Settings
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.work import Shared, Work

if TYPE_CHECKING:
    from scopelight.analysis.ops.records import (
        FlopsRecord,
        OpCardRecord,
        OpProfileGrouping,
        OpProfileRecord,
        OpsRecord,
        RooflineRecord,
    )
    from scopelight.analysis.ops.table import OpTable
    from scopelight.analysis.totals.frames import LineOptions
    from scopelight.model.profile import Profile

# What analyses takes a second to import: functions here import it when they run, in a worker.

KEPT_TABLES = 3
"""Each holds a row for every op."""
KEPT_RECORDS = 6
"""Of each kind."""

T = TypeVar("T")


@attrs.frozen(eq=False)
class OpSource:
    """What the ops of a run are made from. ``key`` is equal only where run and options are."""

    key: Hashable
    profile: Callable[[], Awaitable[Profile]]
    options: LineOptions


class OpViews:
    """The records of the runs of one session. Used on the event loop only."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._tables: Shared[OpTable] = Shared(work, kept=KEPT_TABLES)
        self._statistics: Shared[OpsRecord] = Shared(work, kept=KEPT_RECORDS)
        self._profiles: Shared[OpProfileRecord] = Shared(work, kept=KEPT_RECORDS)
        self._flops: Shared[FlopsRecord] = Shared(work, kept=KEPT_RECORDS)
        self._rooflines: Shared[RooflineRecord] = Shared(work, kept=KEPT_RECORDS)
        self._settings = Settings()

    def apply(self, settings: Settings) -> bool:
        """Hold rates against the peaks of these settings from now on; whether records are others with them."""
        before = self._heeded()
        self._settings = settings
        return self._heeded() != before

    async def devices(self, source: OpSource) -> tuple[str, ...]:
        """Names of the devices that ran ops."""
        profile = await source.profile()
        return await self._work.quick(functools.partial(_device_names, profile, source.options))

    async def statistics(self, source: OpSource, device: str | None = None) -> OpsRecord:
        """Every op that ran. Raises `RequestFailed` with a sentence where no such device did."""
        return await self._made(self._statistics, source, device, _make_statistics)

    async def profile(self, source: OpSource, device: str | None, grouping: OpProfileGrouping) -> OpProfileRecord:
        """The ops as a tree. Raises as `statistics` does."""
        make = functools.partial(_make_profile, grouping=grouping)
        return await self._made(self._profiles, source, device, make, grouping)

    async def flops(self, source: OpSource, device: str | None) -> FlopsRecord:
        """FLOPs of the model, its scopes and ops. Raises as `statistics` does."""
        return await self._made(self._flops, source, device, _make_flops)

    async def roofline(self, source: OpSource, device: str | None) -> RooflineRecord:
        """Ops and programs under the roofline. Raises as `statistics` does."""
        return await self._made(self._rooflines, source, device, _make_roofline)

    async def card(self, source: OpSource, device: str | None, key: str) -> OpCardRecord:
        """Everything that is known of the op of a key. Raises also where the run has none of that key."""
        table = await self._table(source, device)
        target = self._settings.target
        try:
            return await self._work.quick(functools.partial(_make_card, table, key, target))
        except LookupError as error:
            raise RequestFailed(str(error)) from error

    def forget(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Let go of the tables of runs whose key is ``unwanted``, which also lets go of their profiles."""
        self._tables.forget(lambda key: isinstance(key, tuple) and unwanted(key[0]))

    async def _made(
        self,
        kept: Shared[T],
        source: OpSource,
        device: str | None,
        make: Callable[[OpTable], T],
        *options: Hashable,
    ) -> T:
        table = await self._table(source, device)
        return await kept.get((*self._key(source, device), *options), functools.partial(make, table))

    async def _table(self, source: OpSource, device: str | None) -> OpTable:
        profile = await source.profile()
        make = functools.partial(_make_table, profile, source.options, self._settings, device)
        try:
            return await self._tables.get(self._key(source, device), make)
        except LookupError as error:
            raise RequestFailed(str(error)) from error

    def _key(self, source: OpSource, device: str | None) -> tuple[Hashable, ...]:
        return (source.key, device, *self._heeded())

    def _heeded(self) -> tuple[Hashable, ...]:
        """The settings that records depend on."""
        peaks = self._settings.peak_flops_per_s
        flops_per_s = None if peaks is None else tuple(sorted(peaks.items()))
        return (flops_per_s, self._settings.peak_bytes_per_s, self._settings.target)


def _device_names(profile: Profile, options: LineOptions) -> tuple[str, ...]:
    from scopelight.analysis.totals.centre import centre_of  # noqa: PLC0415

    return tuple(centre_of(profile, options).devices)


def _make_table(profile: Profile, options: LineOptions, settings: Settings, device: str | None) -> OpTable:
    from scopelight.analysis.ops.table import op_table  # noqa: PLC0415
    from scopelight.model.devices.peaks import OwnPeaks  # noqa: PLC0415
    from scopelight.model.devices.table import device_model  # noqa: PLC0415

    own = OwnPeaks(settings.peak_flops_per_s, settings.peak_bytes_per_s)
    target = device_model(settings.target) if settings.target else None
    return op_table(profile, options, None if own == OwnPeaks() else own, device, target)


def _make_statistics(table: OpTable) -> OpsRecord:
    from scopelight.analysis.ops.statistics import ops_record  # noqa: PLC0415

    return ops_record(table)


def _make_profile(table: OpTable, grouping: OpProfileGrouping) -> OpProfileRecord:
    from scopelight.analysis.ops.op_profile import op_profile_record  # noqa: PLC0415

    return op_profile_record(table, grouping)


def _make_flops(table: OpTable) -> FlopsRecord:
    from scopelight.analysis.ops.flops import flops_record  # noqa: PLC0415

    return flops_record(table)


def _make_roofline(table: OpTable) -> RooflineRecord:
    from scopelight.analysis.ops.roofline import roofline_record  # noqa: PLC0415

    return roofline_record(table)


def _make_card(table: OpTable, key: str, target: str | None) -> OpCardRecord:
    from scopelight.analysis.ops.card import op_card_record  # noqa: PLC0415
    from scopelight.model.devices.table import device_model  # noqa: PLC0415

    return op_card_record(table, key, device_model(target) if target else None)
