// Where folders that were recorded on another machine are on this one: asked once, and kept as a setting.

import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../services';
import { setSourceFolder } from '../settings';
import { offer } from '../userMessages';
import type { RecordedLine } from './annotatedLine';

/** Shows a sentence about a file that is not here, with a button to say where it is; then `show` is called. */
export function offerToLocate(
  services: Pick<Services, 'daemon'>,
  sentence: string,
  place: RecordedLine,
  show: () => Promise<void>,
): Promise<void> {
  const locate = { label: vscode.l10n.t('Locate Folder…'), press: () => locateFolder(services, place, show) };
  return offer(vscode.window.showWarningMessage, sentence, [locate]);
}

/** Asks for the folder that a recorded file is in on this machine; `show` is called once its place is known. */
export async function locateFolder(
  services: Pick<Services, 'daemon'>,
  place: RecordedLine,
  show: () => Promise<void>,
): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Locate the Folder of {0}', nameOf(place.file)),
    openLabel: vscode.l10n.t('Use Folder'),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  const folder = chosen?.[0];
  if (folder === undefined) {
    return;
  }
  const found = await services.daemon.request('scopelight/locateFolder', { file: place.file, folder: folder.fsPath });
  if (found.recorded === null || found.folder === null) {
    await offerToLocate(services, found.reason ?? '', place, show);
    return;
  }
  await setSourceFolder(found.recorded, found.folder);
  await show();
}

/** The last part of a path that may be of another kind of machine. */
function nameOf(file: string): string {
  return path.posix.basename(file.replaceAll('\\', '/'));
}
