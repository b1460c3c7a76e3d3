"""What the server knows: its client, the folders and documents that are open, and the run that is shown."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.uris import to_fs_path

from scopelight.model.remote.fetched import Fetched
from scopelight.protocol import Nothing
from scopelight.protocol.settings import InitializationOptions, Settings
from scopelight.server.documents.documents import Document, Documents
from scopelight.server.documents.notebooks import Notebooks
from scopelight.server.events import Event
from scopelight.server.lines.edited_sizes import EditedSizes
from scopelight.server.lines.line_costs import ShownCosts
from scopelight.server.lines.placement import Placements, Survey
from scopelight.server.lines.shown_advice import ShownAdvice
from scopelight.server.lines.shown_memory import ShownMemory
from scopelight.server.runs.loading import LoadedRun, Loading
from scopelight.server.settings_check import meaningful
from scopelight.server.views.comparisons import Comparisons
from scopelight.server.views.records import Records
from scopelight.server.views.timeline_lookups import TimelineLookups
from scopelight.server.views.timeline_views import TimelineViews
from scopelight.server.wire.transport import Transport
from scopelight.server.work import Cache, Work, begin
from scopelight.source.drift.document import DocumentDrift

logger = logging.getLogger(__name__)


class Session:
    """One client's session. Everything here is used on the event loop only."""

    _turn = 0

    leave_job: Callable[[], None] | None = None
    """Ends what watches a job; None while none is watched."""

    def __init__(self, transport: Transport, beside: "Session | None" = None) -> None:
        """``beside`` is a session that this one has settings and folders of, and shares threads with and what they have
        computed."""
        self.transport = transport
        self.work: Work = Work() if beside is None else beside.work
        self.cache: Cache = Cache(self.work) if beside is None else beside.cache
        self.documents = Documents()
        self.loading = Loading(self.work, self.cache)
        self.records = Records(self.cache, self.loading)
        self.timeline_lookups = TimelineLookups(self.work, self.cache, self.loading)
        self.timelines = TimelineViews(self.work, self.cache, self.loading, self.timeline_lookups, lambda: self.roots)
        self.notebooks = Notebooks()
        self.placements = Placements(self.work, self.documents, self.notebooks)
        self.options = InitializationOptions()
        self.settings = Settings()
        self.client = types.ClientCapabilities()
        self.folders: dict[str, Path] = {}
        """Workspace folders by their URI."""
        self.fetched: dict[Path, Fetched] = {}
        """What was downloaded, by where it lies."""
        self.followed: dict[Path, bool] = {}
        """Captures that are followed, and whether the window of one was asked for before it had a directory."""
        self.shown: LoadedRun | None = None
        self.shown_changed: Event[[]] = Event()
        """Another run, or none, is shown."""
        self.settings_changed: Event[[]] = Event()
        self.document_opened: Event[[Document]] = Event()
        self.document_changed: Event[[Document]] = Event()
        """A document has another text, or may be of another file than before."""
        self.document_closed: Event[[Document]] = Event()
        self.files_renamed: Event[[]] = Event()
        self.places_told: Event[[LoadedRun, Survey]] = Event()
        """A panel was told where the lines of a run are."""
        self.costs_changed: Event[[]] = Event()
        """The costs of the shown run's lines became known, or others."""
        self.memory_changed: Event[[]] = Event()
        """The memory of the shown run's lines became known."""
        self.sizes_changed: Event[[]] = Event()
        """Other sizes of the shown run than before are edited."""
        self.advice_changed: Event[[]] = Event()
        """The advice on the shown run became known."""
        self.comparisons = Comparisons(self)
        self.costs = ShownCosts(self, self.costs_changed)
        self.advice = ShownAdvice(self, self.advice_changed)
        self.memory = ShownMemory(self, self.memory_changed)
        self.edited_sizes = EditedSizes(self)
        self._said_of_settings: tuple[str, ...] = ()
        if beside is not None:
            self._take(beside.settings)
            self.folders = beside.folders
        self._turn_path: Path | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def roots(self) -> Sequence[Path]:
        """The workspace folders, in the client's order."""
        return tuple(self.folders.values())

    @property
    def is_foreign(self) -> bool:
        """Whether the client speaks the Language Server Protocol alone."""
        return self.options.protocol_version is None

    def begin(self, params: types.InitializeParams, options: InitializationOptions) -> None:
        """Take over what the client said of itself."""
        self.options = options
        self._take(self._meaningful(options.settings))
        self.client = params.capabilities
        folders = params.workspace_folders or []
        if not folders and params.root_uri:
            folders = [types.WorkspaceFolder(params.root_uri, "")]
        self.add_folders(folders)

    def add_folders(self, folders: Sequence[types.WorkspaceFolder]) -> None:
        """Add workspace folders; one that is no folder of this machine is left out."""
        for folder in folders:
            path = to_fs_path(folder.uri)
            if path:
                self.folders[folder.uri] = Path(path)

    async def placed(self, uri: str) -> tuple[Document, LoadedRun, DocumentDrift] | None:
        """An open document, the run that is shown and its lines there; None where it holds none of them."""
        document, run = self.documents.get(uri), self.shown
        drift = await self.placements.placed(run, document) if document is not None and run is not None else None
        return (document, run, drift) if document is not None and run is not None and drift is not None else None

    def next_turn(self, path: Path | None) -> int:
        """The client wants ``path`` shown, or nothing: of several such wishes the last one counts."""
        self._turn += 1
        self._turn_path = path
        return self._turn

    def is_turn(self, turn: int, path: Path) -> bool:
        """Whether no other path was wished for after ``turn``."""
        return turn == self._turn or path == self._turn_path

    def show(self, run: LoadedRun | None) -> None:
        """Make a run the one that is shown."""
        self.shown = run
        self.shown_changed.emit()

    def apply(self, settings: Settings) -> None:
        """Take over changed settings, and tell the panels where those make their records others."""
        settings = self._meaningful(settings)
        if settings == self.settings:
            return
        has_other_records = self._take(settings)
        self.settings_changed.emit()
        if has_other_records:
            self.tell("scopelight/recordsChanged", Nothing())

    def tell(self, method: str, record: object) -> None:
        """Send a notification of the protocol; a foreign client would not know it."""
        if not self.is_foreign:
            self.transport.send(method, record)

    def _take(self, settings: Settings) -> bool:
        """Have all that depends on settings use these; whether records are others with them."""
        self.settings = settings
        self.loading.source_folders = settings.source_folders or {}
        return self.records.apply(settings)

    def _meaningful(self, settings: Settings) -> Settings:
        """The settings without what means nothing, of which the person is told once."""
        kept, sentences = meaningful(settings)
        for sentence in sentences:
            if sentence not in self._said_of_settings:
                logger.warning("%s", sentence)
                message = types.ShowMessageParams(types.MessageType.Warning, sentence)
                self.transport.notify(types.WINDOW_SHOW_MESSAGE, message)
        self._said_of_settings = sentences
        return kept

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside the requests; its fault goes to the log."""
        task = asyncio.get_running_loop().create_task(_begun(work))
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        # One that is cancelled before it began has awaited nothing, which Python would warn of.
        task.add_done_callback(lambda _: work.close())
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            logger.error("Work beside the requests failed.", exc_info=fault)


async def _begun(work: Coroutine[Any, Any, None]) -> None:
    begin()
    await work
