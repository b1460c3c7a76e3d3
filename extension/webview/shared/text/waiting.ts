// Waiting in words: why devices were idle.

import * as l10n from '@vscode/l10n';
import type { WaitingClass } from '../charts/cells';

/** What a class of waiting is called. */
export function waitingName(name: WaitingClass): string {
  return {
    compile: l10n.t('compiling'),
    'garbage-collection': l10n.t('garbage collection'),
    release: l10n.t('jax freeing objects'),
    input: l10n.t('input'),
    callback: l10n.t('callbacks'),
    transfer: l10n.t('transfers'),
    sync: l10n.t('reading results'),
    dispatch: l10n.t('launching'),
    python: l10n.t('other Python'),
    runtime: l10n.t('the runtime'),
    untraced: l10n.t('not traced'),
    unknown: l10n.t('not known'),
  }[name];
}

/** The classes that there are of, the longest first. */
export function waitingParts(
  classes: Readonly<Partial<Record<WaitingClass, number>>>,
): readonly (readonly [WaitingClass, number])[] {
  return (Object.entries(classes) as [WaitingClass, number][])
    .filter(([, time_ps]) => time_ps > 0)
    .sort(([, one], [, other]) => other - one);
}

/** `input 98, launching 2` in whole percent, without those that round to nothing. */
export function waitingInWords(classes: Readonly<Partial<Record<WaitingClass, number>>>): string {
  const parts = waitingParts(classes);
  const whole = Math.max(
    1,
    parts.reduce((sum, [, time_ps]) => sum + time_ps, 0),
  );
  return parts
    .map(([name, time_ps]) => [waitingName(name), Math.round((time_ps / whole) * 100)] as const)
    .filter(([, percent]) => percent > 0)
    .map(([name, percent]) => `${name} ${String(percent)} %`)
    .join(', ');
}
