// What of a run can be looked at, in words. The extension's host and its pages use the same.

import * as l10n from '@vscode/l10n';
import type { Scope } from '../protocol';

/** In the order in which people choose. */
export const SCOPES: readonly Scope[] = ['steps', 'window', 'outside'];

/** A scope by its name. */
export function scopeName(scope: Scope): string {
  return {
    steps: l10n.t('Complete steps'),
    window: l10n.t('Whole window'),
    outside: l10n.t('Outside of steps'),
  }[scope];
}

/** A scope by its name within a line: `whole window`. */
export function scopeInLine(scope: Scope): string {
  return {
    steps: l10n.t('complete steps'),
    window: l10n.t('whole window'),
    outside: l10n.t('outside of steps'),
  }[scope];
}

/** What belongs to a scope. */
export function scopeMeaning(scope: Scope): string {
  return {
    steps: l10n.t('The steps that were captured from start to end; in a run without steps the whole window'),
    window: l10n.t('All that was captured: steps, compilation, evaluation, and what the profiler cut off'),
    outside: l10n.t('What was captured before, between and after the complete steps'),
  }[scope];
}
