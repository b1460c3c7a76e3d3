import * as vscode from 'vscode';
import { UserError } from '../failure';
import { decideHowToRun } from '../launch/howToRun';
import { launchConfigurations } from '../launch/launchConfigurations';
import { activeScript, pickTarget } from '../launch/pickTarget';
import { scriptsOfTargets, titleOf } from '../launch/targets';
import type { Remembered, Target } from '../remembered';
import type { RunsList } from '../runs/runsList';
import { scriptsOf } from '../runs/scriptNames';

/** The script that a command is for: that of a file's menu, else the one that the palette means. */
export async function targetOfCommand(remembered: Remembered, uri: unknown): Promise<Target | undefined> {
  return uri instanceof vscode.Uri ? decideHowToRun(remembered, fileOf(uri)) : targetOfPalette(remembered);
}

/** What a target is called beside all scripts that were profiled. */
export async function nameOfTarget(target: Target, remembered: Remembered, list: RunsList): Promise<string> {
  // To capture needs no answer of the daemon.
  const scripts = await list.get().then(scriptsOf, () => []);
  return titleOf(target, [...scripts, ...scriptsOfTargets(remembered.targets)]);
}

/** In the palette the active script is meant, unless configurations offer another way to run it the first time. */
async function targetOfPalette(remembered: Remembered): Promise<Target | undefined> {
  const file = activeScript();
  const isDecided = file !== undefined && remembered.targetOfFile(file) !== undefined;
  return file !== undefined && (isDecided || launchConfigurations().length === 0)
    ? decideHowToRun(remembered, file)
    : pickTarget(remembered);
}

/** The path of a file of this machine. Throws `UserError` for others. */
export function fileOf(uri: vscode.Uri): string {
  if (uri.scheme !== 'file') {
    throw new UserError(vscode.l10n.t('The script is not a file on this machine: save it first.'));
  }
  return uri.fsPath;
}

/** What runs is what is on the disk: as when running without the profiler, edited Python files are saved first. */
export async function saveScripts(): Promise<void> {
  const edited = vscode.workspace.textDocuments.filter(
    ({ isDirty, isUntitled, languageId }) => isDirty && !isUntitled && languageId === 'python',
  );
  for (const document of edited) {
    if (!(await document.save())) {
      throw new UserError(vscode.l10n.t('{0} could not be saved, so it was not run.', document.fileName));
    }
  }
}
