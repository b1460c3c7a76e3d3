import * as vscode from 'vscode';
import { isRecordedLine, lineAtCursor } from './annotatedLine';
import type { TextAnnotations } from './annotations';
import { registerCommand } from '../failure';
import type { Services } from '../services';

/** How long the status bar says what was copied. */
const SENTENCE_MILLISECONDS = 4000;

/** Copies a line of the run that is shown: the one named (as recorded), else the one at the cursor, else all. */
export function registerCopyAsMarkdown(services: Services, annotations: TextAnnotations): vscode.Disposable {
  return registerCommand(services, 'scopelight.copyAsMarkdown', async (argument) => {
    const line = isRecordedLine(argument) ? argument : lineAtCursor(annotations);
    const { text } = await services.daemon.request('scopelight/copyAsMarkdown', line ?? { file: null, line: null });
    await vscode.env.clipboard.writeText(text);
    const sentence = line === undefined ? vscode.l10n.t('Copied all hot lines.') : vscode.l10n.t('Copied the line.');
    vscode.window.setStatusBarMessage(sentence, SENTENCE_MILLISECONDS);
  });
}
