import * as vscode from 'vscode';
import { askWindow, stepSettings } from '../launch/captureWindow';
import { splitArguments } from '../launch/scriptArguments';
import { resourceOf } from '../launch/targets';
import type { Answers, Target } from '../remembered';

/**
 * Asks for arguments and window of what is called `name`; undefined where the user leaves. A configuration has its own
 * arguments.
 */
export async function askAnswers(
  target: Target,
  name: string,
  before: Answers | undefined,
): Promise<Answers | undefined> {
  const title = vscode.l10n.t('Profile {0}', name);
  const args = target.kind === 'configuration' ? '' : await askArguments(title, before?.args ?? '');
  if (args === undefined) {
    return undefined;
  }
  const window = await askWindow(title, stepSettings(resourceOf(target)), before?.window);
  return window === undefined ? undefined : { args, window };
}

/** Asks for the arguments of a script; undefined where the user leaves. */
export function askArguments(title: string, value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    value,
    prompt: vscode.l10n.t('Arguments of the script, as on a command line. They are remembered for the script.'),
    placeHolder: vscode.l10n.t('none'),
    ignoreFocusOut: true,
    validateInput: (text) => {
      try {
        splitArguments(text);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  });
}
