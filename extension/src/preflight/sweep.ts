// One argument of a script and the values of it that are compared.

import * as vscode from 'vscode';
import type { Remembered } from '../remembered';

/** An argument as the script knows it, and its values in the order of the columns. */
export interface Sweep {
  readonly name: string;
  readonly values: readonly string[];
}

/** What `--batch-size 64,128,256` says, also with `=`; undefined where it names no argument, or fewer than two values. */
export function parseSweep(text: string): Sweep | undefined {
  const { name, list } =
    /^(?<name>-{0,2}[A-Za-z_][\w.-]*)(?:\s*=\s*|\s+)(?<list>\S.*)$/u.exec(text.trim())?.groups ?? {};
  const values = [...new Set(list?.split(',').map((each) => each.trim()))].filter((each) => each !== '');
  return name === undefined || values.length < 2 ? undefined : { name, values };
}

/** Asks for it; undefined where the user leaves. */
export async function askSweep(
  remembered: Pick<Remembered, 'sweep' | 'setSweep'>,
  title: string,
): Promise<Sweep | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    value: remembered.sweep,
    prompt: vscode.l10n.t('An argument of the script and its values, with commas between them: each is compared.'),
    placeHolder: '--batch-size 64,128,256',
    ignoreFocusOut: true,
    validateInput: (written) =>
      written === '' || parseSweep(written) !== undefined
        ? undefined
        : vscode.l10n.t('Write the argument and two values or more, as in --batch-size 64,128.'),
  });
  const sweep = text === undefined ? undefined : parseSweep(text);
  if (text !== undefined && sweep !== undefined) {
    await remembered.setSweep(text);
  }
  return sweep;
}
