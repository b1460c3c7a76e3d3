// A script that failed because it is a module of a package and was run by its path.

import * as vscode from 'vscode';
import { isFoundAbove, moduleOfFile } from '../launch/howToRun';
import type { ScriptError } from '../protocol';
import type { Remembered } from '../remembered';
import { type Button, commandButton } from '../userMessages';
import { wantsItsPackage } from './scriptError';

/** The button that runs the script of a capture as a module, where its error says that it should have been one. */
export async function runAsModuleButton(
  remembered: Pick<Remembered, 'making'>,
  run: string,
  error: ScriptError,
): Promise<Button | undefined> {
  const target = remembered.making(run)?.target;
  if (target?.kind !== 'script' || (await moduleOfFile(target.path)) === undefined) {
    return undefined;
  }
  const isMissing = error.kind === 'ModuleNotFoundError' && error.module !== null;
  const isMeant = wantsItsPackage(error) || (isMissing && (await isFoundAbove(error.module, target.path)));
  return isMeant
    ? commandButton(vscode.l10n.t('Run as Module'), 'scopelight.profileAsModule', vscode.Uri.file(target.path), run)
    : undefined;
}
