import * as vscode from 'vscode';
import type { TextAnnotations } from './annotations/annotations';
import { registerCommand } from './failure';
import type { CopyLine } from './protocol';
import type { Services } from './services';

/** How long the status bar says what was copied. */
const SENTENCE_MILLISECONDS = 4000;

/** Copies a line of the run that is shown: the one named (as recorded), else the one at the cursor, else all. */
export function registerCopyAsMarkdown(services: Services, annotations: TextAnnotations): vscode.Disposable {
  return registerCommand(services, 'scopelight.copyAsMarkdown', async (argument) => {
    const line = isCopyLine(argument) ? argument : lineAtCursor(annotations);
    const { text } = await services.daemon.request('scopelight/copyAsMarkdown', line ?? { file: null, line: null });
    await vscode.env.clipboard.writeText(text);
    const sentence = line === undefined ? vscode.l10n.t('Copied all hot lines.') : vscode.l10n.t('Copied the line.');
    vscode.window.setStatusBarMessage(sentence, SENTENCE_MILLISECONDS);
  });
}

function isCopyLine(argument: unknown): argument is CopyLine {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'file' in argument &&
    'line' in argument &&
    typeof argument.file === 'string' &&
    typeof argument.line === 'number'
  );
}

function lineAtCursor(annotations: TextAnnotations): CopyLine | undefined {
  const editor = vscode.window.activeTextEditor;
  const number = editor?.selection.active.line;
  if (editor === undefined || number === undefined) {
    return undefined;
  }
  const found = annotations.of(editor.document).find(({ line }) => line === number + 1);
  return found === undefined ? undefined : { file: editor.document.uri.fsPath, line: found.recorded_line };
}
