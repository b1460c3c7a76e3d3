"""Edits of a file, to be confirmed in a preview where the client has one."""

from collections.abc import Sequence

from lsprotocol import types
from pygls.uris import from_fs_path

from scopelight.server.session import Session


def workspace_edit(
    session: Session, path: str, edits: Sequence[types.TextEdit], kind: str, label: str, description: str
) -> types.WorkspaceEdit:
    """The ``edits`` of the file at ``path``, open or not; ``kind`` groups those of one reason."""
    open_document = next((each for each in session.documents if each.path == path), None)
    uri = open_document.uri if open_document is not None else from_fs_path(path)
    assert uri is not None
    workspace = session.client.workspace
    can = workspace.workspace_edit if workspace is not None else None
    if can is None or not can.document_changes:
        return types.WorkspaceEdit(changes={uri: list(edits)})
    version = open_document.version if open_document is not None else None
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    if can.change_annotation_support is None:
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, list(edits))])
    note = types.ChangeAnnotation(label=label, needs_confirmation=True, description=description)
    annotated = [types.AnnotatedTextEdit(kind, each.range, each.new_text) for each in edits]
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(identifier, annotated)], change_annotations={kind: note}
    )
