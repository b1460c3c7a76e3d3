// What the record of shapes says in single words, as a person reads it.

import * as l10n from '@vscode/l10n';
import type { BucketPlan, ShapeFamily, ShapeVariant } from '../../../src/protocol';
import { count, dotted, duration } from '../../shared/text/format';

/** The shapes that change, of one variant: `x: f32[32,64]`. */
export function shapesText(variant: ShapeVariant | undefined): string {
  return (variant?.shapes ?? []).map(({ name, shape }) => `${name}: ${shape}`).join(', ');
}

/** The size that changes, where it is one: `dimension 0 of x`. */
export function changingText({ argument, dimension }: ShapeFamily): string | null {
  return argument === null || dimension === null ? null : l10n.t('dimension {0} of {1}', String(dimension), argument);
}

export function sizesText({ sizes }: BucketPlan): string {
  return sizes.map((size) => count(size)).join(', ');
}

/** An iteration in one line. */
export function iterationText(family: ShapeFamily, at: number): string {
  const iteration = family.iterations[at];
  return iteration === undefined
    ? ''
    : dotted([
        l10n.t('run {0}', count(iteration.number)),
        iteration.step === null ? null : l10n.t('step {0}', count(iteration.step)),
        l10n.t('op time {0}', duration(iteration.op_time_ps)),
        shapesText(family.variants[iteration.variant]),
      ]);
}

export function statusParts(family: ShapeFamily): readonly (string | null)[] {
  return [
    family.iterations.length === 1
      ? l10n.t('1 run in the window')
      : l10n.t('{0} runs in the window', count(family.iterations.length)),
    l10n.t('{0} programs', count(family.variants.length)),
    l10n.t('on its first device'),
  ];
}
