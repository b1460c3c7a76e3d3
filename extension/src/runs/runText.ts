import path from 'node:path';
import { join } from 'shlex';
import * as vscode from 'vscode';
import type { RunRecord } from '../protocol';
import type { OpenedProfile } from '../remembered';

/** Relative times step up where the next unit has become readable. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** What was run, as one types it: `train.py --name 'two words'`. */
export function runTitle(run: RunRecord, name: string): string {
  return [name, ...(run.args.length === 0 ? [] : [join([...run.args])])].join(' ');
}

/**
 * What tells a run apart, in the order in which a narrow side bar leaves it: `exit code 1 · 5 min. ago · 5 steps`. The
 * `args` are left out where the title has them; of a script that was cancelled, how it took that.
 */
export function runDescription(run: RunRecord, isShown: boolean, now: Date, args: readonly string[] = []): string {
  const facts = [
    run.problem === null ? stateText(run) : vscode.l10n.t('cannot be read'),
    run.exit_code === null || run.exit_code === 0 || run.was_cancelled
      ? null
      : vscode.l10n.t('exit code {0}', run.exit_code),
    args.length === 0 ? null : join([...args]),
    isShown ? vscode.l10n.t('shown') : null,
    run.created === null ? null : relativeTime(new Date(run.created), now, vscode.env.language),
    run.steps === null || run.steps === 0 ? null : stepsText(run.steps),
    devicesText(run),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}

/** Whether it is shown, in which folder it is, and when it was opened: `shown · tpu-runs · opened 5 min. ago`. */
export function profileDescription(profile: OpenedProfile, isShown: boolean, now: Date): string {
  const facts = [
    isShown ? vscode.l10n.t('shown') : null,
    path.basename(path.dirname(profile.path)),
    vscode.l10n.t('opened {0}', relativeTime(new Date(profile.opened), now, vscode.env.language)),
  ];
  return facts.filter((fact) => fact !== null && fact !== '').join(' · ');
}

/** `5 minutes ago`, in the language of the editor. */
export function relativeTime(then: Date, now: Date, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000);
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
  // Seconds would be wrong as soon as they are read.
  return unit === 'second' ? vscode.l10n.t('just now') : format.format(-Math.floor(seconds / length), unit);
}

function stateText(run: RunRecord): string | null {
  if (run.was_cancelled) {
    return vscode.l10n.t('cancelled');
  }
  switch (run.state) {
    case 'running':
      return vscode.l10n.t('running');
    case 'failed':
      return vscode.l10n.t('failed');
    default:
      return null;
  }
}

function stepsText(steps: number): string {
  return steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', steps);
}

/** What it ran on: `4 × TPU v6e`; of a run that was predicted, `predicted for v5e-8`. */
export function devicesText(run: RunRecord): string | null {
  if (run.predicted_for !== null) {
    return vscode.l10n.t('predicted for {0}', run.predicted_for);
  }
  const kind = run.device_kind ?? run.backend?.toUpperCase() ?? null;
  return kind === null || run.devices === null ? kind : `${run.devices} × ${kind}`;
}
