// How a script ended, in words.

import { constants } from 'node:os';
import * as vscode from 'vscode';
import type { CapturedScript } from './captures';

/** What a shell adds to the number of the signal that ended a program. */
const BY_SIGNAL = 128;

/** What ended, and whether it was compiled for a TPU instead of profiled. */
export type Ended = Pick<CapturedScript, 'title' | 'isPreflight'>;

/** The signal that ended a script, in words; undefined where its exit code tells of none. */
export function signalOf(exitCode: number): string | undefined {
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - BY_SIGNAL)?.[0];
  switch (name) {
    case undefined:
      return undefined;
    case 'SIGABRT':
    case 'SIGIOT':
      return vscode.l10n.t('an abort (SIGABRT)');
    case 'SIGBUS':
      return vscode.l10n.t('a bus error (SIGBUS)');
    case 'SIGFPE':
      return vscode.l10n.t('an arithmetic error (SIGFPE)');
    case 'SIGHUP':
      return vscode.l10n.t('the end of its terminal (SIGHUP)');
    case 'SIGILL':
      return vscode.l10n.t('an instruction that this processor does not have (SIGILL)');
    case 'SIGINT':
      return vscode.l10n.t('an interrupt (SIGINT)');
    case 'SIGKILL':
      return vscode.l10n.t('a kill, by someone or by the system for want of memory (SIGKILL)');
    case 'SIGSEGV':
      return vscode.l10n.t('a segmentation fault (SIGSEGV)');
    case 'SIGTERM':
      return vscode.l10n.t('a request to end (SIGTERM)');
    default:
      return vscode.l10n.t('the signal {0}', name);
  }
}

/** Says of a script whose lines are shown that it did not end well. */
export function sentenceOfEnd(exitCode: number, { title, isPreflight }: Ended): string {
  const signal = signalOf(exitCode);
  if (isPreflight === true) {
    return signal === undefined
      ? vscode.l10n.t('{0} ended with exit code {1}; the lines are of what it compiled before.', title, exitCode)
      : vscode.l10n.t('{0} was ended by {1}; the lines are of what it compiled before.', title, signal);
  }
  return signal === undefined
    ? vscode.l10n.t('{0} ended with exit code {1}; the lines are of what ran before.', title, exitCode)
    : vscode.l10n.t('{0} was ended by {1}; the lines are of what ran before.', title, signal);
}

/** Says of a script that nothing was captured of it. */
export function sentenceOfEarlyEnd(exitCode: number, title: string): string {
  const signal = signalOf(exitCode);
  return signal === undefined
    ? vscode.l10n.t('{0} ended with exit code {1} before anything was captured.', title, exitCode)
    : vscode.l10n.t('{0} was ended by {1} before anything was captured.', title, signal);
}
