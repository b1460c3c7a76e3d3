"""Records of runs: what the table of views answers, made off the event loop and kept by run, settings and options."""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from scopelight.protocol.settings import Settings
from scopelight.report.language import sentence_of
from scopelight.server.runs.loading import LoadedRun, Loading
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.work import Cache, Key
from scopelight.views.table import Question

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject
    from scopelight.model.profile import Profile

# What analyses takes a second to import: functions here import it when they run, in a worker.


class Records:
    """The records of the runs of one session. Used on the event loop only."""

    def __init__(self, cache: Cache, loading: Loading) -> None:
        self._cache = cache
        self._loading = loading
        self._settings = Settings()

    def apply(self, settings: Settings) -> bool:
        """Answer with these settings from now on; whether records are others with them."""
        before = _that_matter(self._settings)
        self._settings = settings
        return _that_matter(settings) != before

    async def of(self, run: LoadedRun, question: Question, options: Any) -> Any:  # noqa: ANN401 (the table's)
        """The record that answers a question about a run.

        Raises `RequestFailed` with a sentence where the run does not have what the options name, and `FormatError`
        where it cannot be read any more.
        """
        subject = await self.subject(run)
        key = Key("record", run.path, (run.key, self.depends_on, question.id, options))
        try:
            return await self._cache.get(key, functools.partial(_answer, question, subject, options))
        except LookupError as error:
            raise RequestFailed(sentence_of(error)) from error

    async def devices(self, run: LoadedRun) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the devices that ran ops, and of their hosts where there are several."""
        subject = await self.subject(run)
        key = Key("record", run.path, (run.key, "devices"))
        return await self._cache.get(key, functools.partial(_device_names, subject), "quick")

    @property
    def depends_on(self) -> Hashable:
        """The settings that records depend on."""
        return _that_matter(self._settings)

    async def subject(self, run: LoadedRun) -> Subject:
        """A run as analyses see it."""
        settings = self._settings
        key = Key("subject", run.path, (run.key, _that_matter(settings)))
        profile = await self._loading.profile(run.path, run.identity)
        return await self._cache.get(key, functools.partial(_make_subject, profile, run, settings), "quick")


def _that_matter(settings: Settings) -> Hashable:
    """The settings that records depend on."""
    peaks = settings.peak_flops_per_s
    flops_per_s = None if peaks is None else tuple(sorted(peaks.items()))
    return (flops_per_s, settings.peak_bytes_per_s, settings.target, settings.scope)


def _make_subject(profile: Profile, run: LoadedRun, settings: Settings) -> Subject:
    from scopelight.analysis.subject import Subject  # noqa: PLC0415
    from scopelight.model.devices.peaks import OwnPeaks  # noqa: PLC0415
    from scopelight.model.devices.table import device_model  # noqa: PLC0415

    own = OwnPeaks(settings.peak_flops_per_s, settings.peak_bytes_per_s)
    return Subject.of(
        profile,
        run.options,
        own_peaks=None if own == OwnPeaks() else own,
        target=device_model(settings.target) if settings.target else None,
        scope=settings.scope,
    )


def _answer(question: Question, subject: Subject, options: object) -> object:
    return question.ask(subject, options)


def _device_names(subject: Subject) -> tuple[tuple[str, ...], tuple[str, ...]]:
    from scopelight.analysis.totals.centre import centre_of  # noqa: PLC0415

    centre = centre_of(subject.profile, subject.line_options)
    return tuple(centre.devices), tuple(centre.hosts)
