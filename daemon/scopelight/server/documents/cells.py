"""Notebooks as the client opens, changes and closes them."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from scopelight.server.session import Session


def register(server: LanguageServer, session: Session) -> None:
    """Follow which notebooks are open, and the text of their cells."""

    def opened(notebook: str, items: list[types.TextDocumentItem]) -> None:
        for item in items:
            if item.language_id != "python":
                continue
            session.document_opened.emit(session.documents.opened(item, notebook))

    def closed(uri: str) -> None:
        document = session.documents.closed(uri)
        session.placements.closed(uri)
        if document is not None:
            session.document_closed.emit(document)

    def others_may_have_moved() -> None:
        """Another cell may be the one that ran, now that there are more or fewer of them."""
        for document in session.documents:
            if document.notebook is not None:
                session.document_changed.emit(document)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenNotebookDocumentParams) -> None:
        notebook = session.notebooks.opened(params.notebook_document)
        opened(notebook.path, list(params.cell_text_documents))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeNotebookDocumentParams) -> None:
        uri, change = params.notebook_document.uri, params.change.cells
        notebook = session.notebooks.get(uri)
        if notebook is None or change is None:
            return
        if change.structure is not None:
            session.notebooks.changed(uri, change.structure.array)
            for each in change.structure.did_close or ():
                closed(each.uri)
            opened(notebook.path, list(change.structure.did_open or ()))
            others_may_have_moved()
        for text in change.text_content or ():
            changed = session.documents.changed(types.DidChangeTextDocumentParams(text.document, text.changes))
            if changed is not None:
                session.document_changed.emit(changed)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseNotebookDocumentParams) -> None:
        session.notebooks.closed(params.notebook_document.uri)
        for each in params.cell_text_documents:
            closed(each.uri)
