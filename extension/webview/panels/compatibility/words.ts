// What the record of compatibility says in single words, as a person reads it.

import * as l10n from '@vscode/l10n';
import type { CompatibilityOp, CompatibilityPlace, CompatibilityRecord } from '../../../src/protocol';
import { count } from '../../shared/text/format';

export type Verdict = CompatibilityOp['verdict'];
export type PlaceKind = CompatibilityPlace['kind'];
type Outcome = NonNullable<CompatibilityPlace['outcome']>;

/** The worst first. */
export const VERDICTS: readonly Verdict[] = ['refused', 'unjudged', 'on-host', 'emulated', 'native'];

/** What the TPU does with an op, as a word, what that means, and an icon. */
export function verdictWord(verdict: Verdict): {
  readonly text: string;
  readonly icon: string;
  readonly meaning: string;
} {
  return {
    native: { text: l10n.t('native'), icon: 'check', meaning: l10n.t('The TPU computes it as it is') },
    emulated: {
      text: l10n.t('emulated'),
      icon: 'versions',
      meaning: l10n.t(
        'Computed as pairs of narrower numbers, or as wider ones: the TPU does not have its element type',
      ),
    },
    'on-host': { text: l10n.t('on the host'), icon: 'server', meaning: l10n.t('The host computes it') },
    refused: { text: l10n.t('refused'), icon: 'error', meaning: l10n.t('jax or the compiler says no to it') },
    unjudged: {
      text: l10n.t('not judged'),
      icon: 'question',
      meaning: l10n.t('Nothing says what the TPU would do with it'),
    },
  }[verdict];
}

/** A word at the beginning of a title. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** How many ops of a place have a verdict. */
export function countOf(place: CompatibilityPlace, verdict: Verdict): number {
  return place[verdict === 'on-host' ? 'on_host' : verdict];
}

/** What says so. */
export function judgedText(by: CompatibilityOp['judged_by']): string {
  return {
    kind: l10n.t('its kind'),
    program: l10n.t('a program that compiles has it'),
    alone: l10n.t('compiled alone'),
    tracing: l10n.t('jax could not trace it'),
    nothing: l10n.t('nothing'),
  }[by];
}

export function outcomeText(outcome: Outcome | null): string {
  if (outcome === null) {
    return '';
  }
  return {
    compiled: l10n.t('compiles'),
    'no-room': l10n.t('does not fit into memory'),
    refused: l10n.t('refused by the compiler'),
    'not-lowered': l10n.t('refused by jax'),
    'too-few-devices': l10n.t('needs more devices'),
    crashed: l10n.t('the compiler ended'),
    'memory-limit': l10n.t('the compiler took too much memory'),
    cancelled: l10n.t('cancelled'),
  }[outcome];
}

/**
 * What jax or the compiler said, in a sentence; the name of its error where it said no more; where it said nothing the
 * element types that the TPU does not have.
 */
export function whyText({ sentence, kind_of_error: kind, wide }: CompatibilityOp): string {
  return sentence !== '' ? sentence : kind !== '' ? kind : wide.join(', ');
}

/** `2 of 5 lines`, and what there is in all. */
export function statusParts(record: CompatibilityRecord, listed: string, found: string | null): (string | null)[] {
  const { total, target } = record;
  return [found, listed, total === null ? null : l10n.t('{0} ops in all, for {1}', count(total.ops), target)];
}

/** What the compiled program of `jit(step)` is called in other panels: `jit_step`. */
export function compiledName(name: string): string {
  return name.replace('(', '_').replace(/\)$/, '');
}

/** Whether what other panels call a program, with its id where a run has several, is one of this name. */
export function isProgram(name: string, selected: string): boolean {
  return compiledName(name) === compiledName(selected.replace(/ \(.*\)$/, ''));
}
