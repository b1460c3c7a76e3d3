// Windows of one job, named by what they hold.

import * as vscode from 'vscode';
import type { RunWindow } from '../protocol';

/** `window 2: 5 steps, 05:15:33`; with their numbers where the script counts its steps. */
export function windowName(window: RunWindow, language: string): string {
  const held = contents(window);
  const time =
    window.started === null ? null : new Date(window.started).toLocaleTimeString(language, { hourCycle: 'h23' });
  const facts = [held, time].filter((fact) => fact !== null).join(', ');
  return facts === ''
    ? vscode.l10n.t('window {0}', window.number)
    : vscode.l10n.t('window {0}: {1}', window.number, facts);
}

function contents({ kind, seconds, steps, first_step: first, last_step: last, slow_steps: slow }: RunWindow) {
  if (slow.length > 0) {
    return slow.length === 1
      ? vscode.l10n.t('slow step {0}', slow[0] ?? 0)
      : vscode.l10n.t('slow steps {0}', slow.join(', '));
  }
  if (first !== null && last !== null) {
    return first === last ? vscode.l10n.t('step {0}', first) : vscode.l10n.t('steps {0} to {1}', first, last);
  }
  if (steps !== null && steps > 0) {
    return steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', steps);
  }
  if (kind === 'whole') {
    return vscode.l10n.t('the whole script');
  }
  return seconds === null ? null : vscode.l10n.t('{0} s', Number(seconds.toPrecision(3)));
}
