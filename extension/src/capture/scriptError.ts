// The exception that ended a script: said in one sentence, with ways to what mends it.

import path from 'node:path';
import * as vscode from 'vscode';
import { showLine } from '../lines/goToLine';
import type { ScriptError } from '../protocol';
import { type Button, commandButton, offer } from '../userMessages';

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
export function tellNothingCaptured(title: string, error: ScriptError, asModule?: Button): void {
  const sentence = vscode.l10n.t('{0} ended before anything was captured: {1}.', title, describeError(error));
  const remedy = asModule === undefined ? remedyOf(error) : packageRemedy();
  const buttons = asModule === undefined ? buttonsOf(error) : [asModule, ...placeButtons(error)];
  void offer(vscode.window.showErrorMessage, [sentence, remedy].join(' ').trimEnd(), buttons);
}

/** Says what ended a script whose lines are shown. */
export function tellEndedAfter(title: string, error: ScriptError): void {
  const sentence = vscode.l10n.t('{0} ended with {1}; the lines are of what ran before.', title, describeError(error));
  void offer(vscode.window.showWarningMessage, sentence, buttonsOf(error));
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

function buttonsOf(error: ScriptError): Button[] {
  const interpreter = commandButton(vscode.l10n.t('Choose Interpreter…'), 'scopelight.chooseInterpreter');
  const isMissing = error.kind === 'ModuleNotFoundError' && error.module !== null;
  return [...(isMissing ? [interpreter] : []), ...placeButtons(error)];
}

function placeButtons({ path: file, line }: ScriptError): Button[] {
  const terminal = commandButton(vscode.l10n.t('Show Terminal'), 'workbench.action.terminal.focus');
  const goTo =
    file !== null && line !== null && path.isAbsolute(file)
      ? [{ label: vscode.l10n.t('Go to Line {0}', line), press: () => showLine(file, line) }]
      : [];
  return [...goTo, terminal];
}

function packageOf(module: string): string {
  return module.split('.')[0] ?? module;
}
