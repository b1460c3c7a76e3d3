// The recorded texts of what is compared: the copy of one run, or those of both against each other.

import path from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { ComparedWith } from '../protocol';
import type { ComparedRun } from './comparedRun';
import type { Services } from '../services';
import { recordedUri } from '../lines/recordedSource';

/** A line of a file, as a run names it. */
interface RecordedPlace {
  readonly file: string;
  readonly line: number;
}

export function registerSourceChanges(
  services: Pick<Services, 'daemon' | 'log'>,
  compared: Pick<ComparedRun, 'current'>,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.openRecorded', async (run, file, line) => {
      if (typeof run === 'string' && typeof file === 'string' && typeof line === 'number') {
        await vscode.window.showTextDocument(
          await vscode.workspace.openTextDocument(recordedUri({ run, file })),
          options(line),
        );
      }
    }),
    registerCommand(services, 'scopelight.showSourceChanges', async (before, after) => {
      const sides = compared.current;
      if (sides === null) {
        throw new UserError(vscode.l10n.t('The run that is shown is compared with no other.'));
      }
      if (isPlace(before) || isPlace(after)) {
        await show(sides, isPlace(before) ? before : null, isPlace(after) ? after : null);
        return;
      }
      const place = await askFile(services, sides);
      if (place !== undefined) {
        await show(sides, place.before, place.after);
      }
    }),
  );
}

async function show(sides: ComparedWith, before: RecordedPlace | null, after: RecordedPlace | null): Promise<void> {
  // A file that one of them lacks goes by the name that the other has for it: its copy says that there is none.
  const file = (after ?? before)?.file ?? '';
  const one = recordedUri({ run: sides.before[0] ?? '', file: before?.file ?? file });
  const other = recordedUri({ run: sides.after[0] ?? sides.run, file: after?.file ?? file });
  const title = vscode.l10n.t('{0} (since {1})', path.basename(file), sides.since);
  await Promise.all([one, other].map((uri) => vscode.workspace.openTextDocument(uri)));
  await vscode.commands.executeCommand('vscode.diff', one, other, title, options((after ?? before)?.line ?? 1));
}

/** Which of the files that lines are in. */
async function askFile(
  { daemon }: Pick<Services, 'daemon'>,
  sides: ComparedWith,
): Promise<{ readonly before: RecordedPlace | null; readonly after: RecordedPlace | null } | undefined> {
  const { rows } = await daemon.request('scopelight/details/compared', { by: 'line' });
  const files = new Map<string, string>();
  for (const { file, before_file: before, after_key: key } of rows) {
    if (file !== null && key !== null && before !== null) {
      files.set(file, before);
    }
  }
  if (files.size === 0) {
    throw new UserError(vscode.l10n.t('No file of which both runs keep a copy holds lines that are compared.'));
  }
  const items = [...files].map(([file, before]) => ({ label: path.basename(file), description: file, file, before }));
  const placeHolder = vscode.l10n.t('The file whose changes since {0} are shown', sides.since);
  const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder });
  return chosen === undefined
    ? undefined
    : { before: { file: chosen.before, line: 1 }, after: { file: chosen.file, line: 1 } };
}

function options(line: number): vscode.TextDocumentShowOptions {
  return { selection: new vscode.Range(line - 1, 0, line - 1, 0), preview: true };
}

function isPlace(given: unknown): given is RecordedPlace {
  return (
    typeof given === 'object' &&
    given !== null &&
    'file' in given &&
    typeof given.file === 'string' &&
    'line' in given &&
    typeof given.line === 'number'
  );
}
