import * as vscode from 'vscode';
import { split } from 'shlex';
import { UserError } from '../failure';

/** Splits a line of arguments as a POSIX shell does, without expanding anything. Throws `UserError`. */
export function splitArguments(text: string): string[] {
  try {
    return split(text);
  } catch {
    throw new UserError(
      vscode.l10n.t('The arguments have a quote that is not closed, or end with a backslash: complete them.'),
    );
  }
}
