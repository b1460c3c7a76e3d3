import * as vscode from 'vscode';
import { type Button, commandButton } from '../userMessages';

const SCRIPT_MISSING = 65;
const INTERPRETER_MISSING = 66;
const NO_JAX = 67;
const JAX_NOT_USED = 68;

/** What mends a failure with that exit code. */
export function remediesOfExit(exitCode: number | undefined): Button[] {
  switch (exitCode) {
    case SCRIPT_MISSING:
    case JAX_NOT_USED:
      return [commandButton(vscode.l10n.t('Profile With…'), 'scopelight.profileWith')];
    case INTERPRETER_MISSING:
    case NO_JAX:
      return [commandButton(vscode.l10n.t('Choose Interpreter…'), 'scopelight.chooseInterpreter')];
    default:
      return [];
  }
}

/** What an exit code of `scopelight run` means where no run directory says more. */
export function sentenceOfExit(exitCode: number | undefined, title: string): string {
  if (exitCode === undefined) {
    return vscode.l10n.t('{0} was ended before anything was captured.', title);
  }
  const sentences: Readonly<Record<number, string>> = {
    [SCRIPT_MISSING]: vscode.l10n.t('{0} does not exist: save it, or check the path.', title),
    [INTERPRETER_MISSING]: vscode.l10n.t('The Python interpreter does not start: choose another.'),
    [NO_JAX]: vscode.l10n.t('The Python interpreter has no jax: install jax there, or choose another.'),
    [JAX_NOT_USED]: vscode.l10n.t('{0} ended without using jax, so there is nothing to show.', title),
    69: vscode.l10n.t('The run directory cannot be written: check the permissions and the space on the disk.'),
    70: vscode.l10n.t('{0} used jax, but no trace could be taken: the terminal says why.', title),
  };
  return (
    sentences[exitCode] ?? vscode.l10n.t('{0} ended with exit code {1} before anything was captured.', title, exitCode)
  );
}
