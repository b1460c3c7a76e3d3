// The exception that ended a script: said in one sentence, with ways to what mends it.

import path from 'node:path';
import * as vscode from 'vscode';
import { showLine } from '../lines/goToLine';
import type { ScriptError } from '../protocol';
import { type Button, commandButton, offer } from '../userMessages';
import { argumentsButton, type FailedRun } from './captureFailure';
import type { Ended } from './endings';

/** The exception with its place: `ValueError: negative (train.py:12)`. */
export function describeError({ kind, message, path: file, line }: ScriptError): string {
  const said = message === '' ? kind : `${kind}: ${message.replace(/[.\s]+$/u, '')}`;
  return file === null || line === null ? said : `${said} (${path.basename(file)}:${line})`;
}

/** Whether a script failed because it is a module of a package that was run as a file. */
export function wantsItsPackage({ kind, message }: ScriptError): boolean {
  return kind === 'ImportError' && message.includes('no known parent package');
}

/** Says what ended a script before anything was captured; `asModule` runs it as a module, where that mends it. */
export function tellNothingCaptured(
  { title, isPreflight }: Ended,
  error: ScriptError,
  made: FailedRun,
  asModule?: Button,
): void {
  const sentence =
    isPreflight === true
      ? vscode.l10n.t('{0} ended before anything was compiled: {1}.', title, describeError(error))
      : vscode.l10n.t('{0} ended before anything was captured: {1}.', title, describeError(error));
  const remedy = asModule === undefined ? remedyOf(error) : packageRemedy();
  const buttons = asModule === undefined ? buttonsOf(error, made) : [asModule, ...placeButtons(error)];
  void offer(vscode.window.showErrorMessage, [sentence, remedy].join(' ').trimEnd(), buttons);
}

/** Says what ended a script whose lines are shown; `first` are buttons before those that mend it. */
export function tellEndedAfter(
  { title, isPreflight }: Ended,
  error: ScriptError,
  made: FailedRun,
  first: readonly Button[] = [],
): void {
  const said = describeError(error);
  const sentence =
    isPreflight === true
      ? vscode.l10n.t('{0} ended with {1}; the lines are of what it compiled before.', title, said)
      : vscode.l10n.t('{0} ended with {1}; the lines are of what ran before.', title, said);
  void offer(vscode.window.showWarningMessage, sentence, [...first, ...buttonsOf(error, made)]);
}

function remedyOf(error: ScriptError): string {
  if (wantsItsPackage(error)) {
    return packageRemedy();
  }
  return error.kind === 'ModuleNotFoundError' && error.module !== null
    ? vscode.l10n.t('Install {0} in its environment, or choose another interpreter.', packageOf(error.module))
    : '';
}

function packageRemedy(): string {
  return vscode.l10n.t('It belongs to a package: run it as a module.');
}

function buttonsOf(error: ScriptError, made: FailedRun): Button[] {
  const interpreter = commandButton(vscode.l10n.t('Choose Interpreter…'), 'scopelight.chooseInterpreter');
  const isMissing = error.kind === 'ModuleNotFoundError' && error.module !== null;
  const hasPlace = goToButtons(error).length > 0;
  // Without a line to mend it at, other arguments are what there is to try.
  const mends = isMissing ? [interpreter] : hasPlace ? [] : [argumentsButton(made)];
  return [...mends, ...placeButtons(error)];
}

function placeButtons(error: ScriptError): Button[] {
  return [...goToButtons(error), commandButton(vscode.l10n.t('Show Terminal'), 'workbench.action.terminal.focus')];
}

function goToButtons({ path: file, line }: ScriptError): Button[] {
  return file !== null && line !== null && path.isAbsolute(file)
    ? [{ label: vscode.l10n.t('Go to Line {0}', line), press: () => showLine(file, line) }]
    : [];
}

function packageOf(module: string): string {
  return module.split('.')[0] ?? module;
}
