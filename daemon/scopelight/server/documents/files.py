"""Documents and folders as the client opens, changes, renames and closes them."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from scopelight.server.documents.documents import Document
from scopelight.server.events import Event
from scopelight.server.runs.shown_run import reanalyse
from scopelight.server.session import Session

_PYTHON_FILES = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern(glob), scheme="file") for glob in ("**/*.py", "**/")]
)


def register(server: LanguageServer, session: Session) -> None:
    """Follow what is open."""

    def tell(event: Event[[Document]], document: Document | None) -> None:
        if document is not None:
            event.emit(document)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        tell(session.document_opened, session.documents.opened(params.text_document))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        tell(session.document_changed, session.documents.changed(params))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        document = session.documents.closed(params.text_document.uri)
        session.placements.closed(params.text_document.uri)
        tell(session.document_closed, document)

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, _PYTHON_FILES)
    def did_rename_files(params: types.RenameFilesParams) -> None:
        for each in params.files:
            old, new = to_fs_path(each.old_uri), to_fs_path(each.new_uri)
            if old and new:
                session.placements.renamed(old, new)
        for document in session.documents:
            tell(session.document_changed, document)
        session.files_renamed.emit()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        for folder in params.event.removed:
            session.folders.pop(folder.uri, None)
        session.add_folders(params.event.added)
        session.spawn(reanalyse(session))
