import * as vscode from 'vscode';
import { Observable } from '../observable';
import type { Annotation } from '../protocol';
import type { Services } from '../services';
import { affects, annotationPlace, annotationsEnabled } from '../settings';
import { loadWidths } from './alignment';
import { Decorations, decorate } from './decorations';
import { changesLineCount, DocumentAnnotations, movesEnds } from './documentAnnotations';

/** The annotations in the text of every visible editor. Changes when other documents than before may carry something. */
export class TextAnnotations extends Observable {
  private readonly decorations = new Decorations();
  private readonly documents = new DocumentAnnotations();

  constructor({ daemon }: Pick<Services, 'daemon'>) {
    super();
    this.parts.push(
      this.decorations,
      daemon.onNotification('scopelight/annotations', (annotations) => {
        const uri = vscode.Uri.parse(annotations.uri).toString();
        const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
        if (document !== undefined && this.documents.receive({ ...annotations, uri }, document.version)) {
          void loadWidths().then(() => {
            this.show(document);
            this.changed.fire();
          });
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const uri = document.uri.toString();
        if (contentChanges.length === 0 || !this.documents.has(uri)) {
          return;
        }
        this.documents.edit(uri, document.version, contentChanges);
        // The editor itself moves what stands on lines that move, and the daemon has the last word. In a column left
        // of the code every line has its part.
        const isLeft = annotationPlace(document).position === 'beforeLine';
        if (movesEnds(this.of(document), contentChanges) || (isLeft && changesLineCount(contentChanges))) {
          this.show(document);
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.documents.forget(document.uri.toString())),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.showIn(editor))),
      vscode.window.onDidChangeTextEditorOptions(({ textEditor }) => this.showIn(textEditor)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const isOfPlace = affects(event, 'annotations.position', 'annotations.column');
        if (isOfPlace || affects(event, 'annotations.enabled') || event.affectsConfiguration('editor.wordWrap')) {
          vscode.window.visibleTextEditors.forEach((editor) => this.showIn(editor));
        }
      }),
    );
  }

  /** What a document carries, where it is as the daemon or the last edit left it. */
  of(document: vscode.TextDocument): readonly Annotation[] {
    return this.documents.of(document.uri.toString(), document.version);
  }

  /** What the run calls a cell of a notebook; null for any other document. */
  fileOf(document: vscode.TextDocument): string | null {
    return this.documents.fileOf(document.uri.toString());
  }

  private show(document: vscode.TextDocument): void {
    vscode.window.visibleTextEditors
      .filter((editor) => editor.document === document)
      .forEach((editor) => this.showIn(editor));
  }

  private showIn(editor: vscode.TextEditor): void {
    if (!this.documents.has(editor.document.uri.toString())) {
      return;
    }
    const { tabSize } = editor.options;
    const annotations = annotationsEnabled() ? this.of(editor.document) : [];
    const columns = typeof tabSize === 'number' ? tabSize : 4;
    this.decorations.apply(editor, decorate(annotations, editor.document, columns, annotationPlace(editor.document)));
  }
}
