import * as vscode from 'vscode';
import { openCommand, panelIds } from '../panels/panelList';
import type { TextAnnotations } from './annotations';
import { recordedCopy } from './recordedSource';

/** A line of the run that is shown; both are as recorded. */
export interface RecordedLine {
  readonly file: string;
  readonly line: number;
}

/** The commands that take a line; links of hover cards may run them. */
export const LINE_COMMANDS: readonly string[] = [
  ...panelIds.map(openCommand),
  'scopelight.copyAsMarkdown',
  'scopelight.goToLine',
];

/** Whether what a command was called with names a line, as links of hover cards do. */
export function isRecordedLine(argument: unknown): argument is RecordedLine {
  const { file, line } = (argument ?? {}) as Partial<RecordedLine>;
  return typeof file === 'string' && typeof line === 'number';
}

/** The annotated line that the cursor is on, in the editor that has the keyboard. */
export function lineAtCursor(annotations: Pick<TextAnnotations, 'of' | 'fileOf'>): RecordedLine | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const number = editor.selection.active.line + 1;
  const found = annotations.of(editor.document).find(({ line }) => line === number);
  return found === undefined
    ? undefined
    : { file: annotations.fileOf(editor.document) ?? fileOf(editor.document.uri), line: found.recorded_line };
}

/** The file of a document, which may be a run's copy of it. */
function fileOf(uri: vscode.Uri): string {
  return recordedCopy(uri)?.file ?? uri.fsPath;
}
