"""What views are asked about: an opened run, which lines are the user's, and what its devices are held against."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from scopelight.analysis.options import OptionError, Scope
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.profile import Profile
from scopelight.phrase import Phrase

if TYPE_CHECKING:
    from scopelight.model.devices.device_model import DeviceModel
    from scopelight.model.devices.peaks import OwnPeaks

KEPT_OF_A_KIND = 3
"""Intermediate results that are kept for another view, such as the tables of ops of three devices."""

T = TypeVar("T")


@attrs.frozen(eq=False, repr=False)
class Subject:
    """One run as analyses see it. Safe for several threads.

    ``path`` is what was opened. ``own_peaks`` are the user's own peaks of the device; ``target`` is the device that
    padding is predicted for where the one that ran has no tiles, unless a view's option names another; ``scope`` is
    what views look at, unless their option says it.
    """

    path: Path
    _open: Callable[[], Profile]
    _line_options: Callable[[Profile], LineOptions]
    own_peaks: OwnPeaks | None = None
    target: DeviceModel | None = None
    scope: Scope = "steps"
    _kept: dict[str, OrderedDict[Hashable, Future[Any]]] = attrs.field(factory=dict, init=False)
    _lock: Lock = attrs.field(factory=Lock, init=False)

    @classmethod
    def of(cls, profile: Profile, line_options: LineOptions | None = None, **settings: Any) -> Subject:  # noqa: ANN401
        """The subject of a profile that is open."""
        return cls(profile.path, lambda: profile, lambda _: line_options or LineOptions(), **settings)

    @property
    def profile(self) -> Profile:
        """Opened when it is first asked for. Raises `FormatError` where it cannot be read."""
        return self.once("profile", (), self._open)

    @property
    def line_options(self) -> LineOptions:
        """Which frames are the user's."""
        return self.once("line options", (), lambda: self._line_options(self.profile))

    @property
    def earlier(self) -> Subject | None:
        """The run of the same script that this one follows, where it is still there."""
        return self.once("earlier", (), self._earlier)

    def _earlier(self) -> Subject | None:
        from scopelight.model.opening.profile import open_profile  # noqa: PLC0415 (few follow one)

        capture = self.profile.capture
        if capture is None or capture.follows is None or capture.path is None:
            return None
        # A name alone: what is written there must lead nowhere else.
        path = capture.path.parent / Path(capture.follows).name
        if path == capture.path or not path.is_dir():
            return None
        return Subject(path, lambda: open_profile(path), self._line_options, self.own_peaks, self.target, self.scope)

    def target_named(self, name: str | None) -> DeviceModel | None:
        """The device that an option names, without a name the subject's own.

        Raises `OptionError` where there is none of that name.
        """
        if not name:
            return self.target
        from scopelight.model.devices.table import device_model, device_models  # noqa: PLC0415 (few name one)

        found = device_model(name)
        if found is None:
            known = ", ".join(each.name for each in device_models() if each.tile_rules is not None)
            raise OptionError(
                "target", Phrase("{name!r} is not known; those with tiles are {known}.", name=name, known=known)
            )
        return found

    def once(self, kind: str, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` returns for a key: made by whichever thread asks first, and kept for a few keys of a kind.

        Its errors are raised to all who wait for it, and not kept.
        """
        with self._lock:
            kept = self._kept.setdefault(kind, OrderedDict())
            is_first = key not in kept
            future: Future[T] = kept.setdefault(key, Future())
            kept.move_to_end(key)
            if len(kept) > KEPT_OF_A_KIND:
                kept.popitem(last=False)
        if is_first:
            try:
                future.set_result(make())
            except BaseException as error:
                with self._lock:
                    if kept.get(key) is future:
                        del kept[key]
                future.set_exception(error)
        return future.result()
