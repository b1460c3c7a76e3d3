// What is compared, and the few figures that tell most of it.

import * as l10n from '@vscode/l10n';
import type { ComparedQuantity, ComparedSide, ComparisonRecord, Verdict } from '../../../src/protocol';
import { quantityName, verdictText } from '../../shared/comparison/words';
import { Findings } from '../../shared/findings/findings';
import { type Figure, Figures } from '../../shared/frame/figures';
import { count, dotted } from '../../shared/text/format';
import { figureShare } from './basis';
import { changeExact, valueText } from './quantities';
import { untoldWork } from './told';

/** Those that say most: the first that is known of each. */
const FIGURES: readonly (readonly ComparedQuantity['name'][])[] = [
  ['predicted-step', 'step'],
  ['cpu-time', 'device-time'],
  ['flops'],
  ['planned-peak'],
];

export function Head({ record }: { readonly record: ComparisonRecord }) {
  return (
    <>
      <dl class="sides">
        <Side name={l10n.t('before')} side={record.before} />
        <Side name={l10n.t('after')} side={record.after} />
      </dl>
      <Findings findings={record.findings} />
      <p class="outcome">{outcome(record)}</p>
      <Figures label={l10n.t('What changed')} figures={figures(record)} />
    </>
  );
}

function Side({ name, side }: { readonly name: string; readonly side: ComparedSide }) {
  const text = sideText(side);
  return (
    <div title={side.runs.join('\n')}>
      <dt>{name}</dt>
      <dd class="ellipsis">{text}</dd>
    </div>
  );
}

/** `3f2a1b0c · train.py · 5 runs · 4 × TPU v6e · jax 0.10.2`. */
export function sideText({ revision, name, script, runs, devices, device, jax }: ComparedSide): string {
  return dotted([
    revision ?? name,
    revision === null ? null : name,
    script?.split('/').at(-1) ?? null,
    runs.length > 1 ? l10n.t('{0} runs', count(runs.length)) : null,
    device === '' ? null : `${count(devices)} × ${device}`,
    jax === null ? null : `jax ${jax}`,
  ]);
}

/**
 * `2 more, 1 new; 4 have more work; 3 cannot be told from noise`: what FLOPs tell, where time does not, is told; where
 * nothing is, from when on it would have been.
 */
export function outcome({ rows, quantities }: ComparisonRecord): string {
  const known = rows.filter(({ kind }) => kind !== 'rest');
  const those = (verdict: Verdict): number => known.filter((row) => row.verdict === verdict).length;
  const told = (['worse', 'better', 'only-after', 'only-before'] as const)
    .map((verdict) => ({ verdict, number: those(verdict) }))
    .filter(({ number }) => number > 0)
    .map(({ verdict, number }) => `${count(number)} ${verdictText(verdict, null)}`);
  const work = known.flatMap((row) => untoldWork(row) ?? []);
  const unsure = those('cannot-tell');
  const parts = [
    told.join(', '),
    workOutcome(work.filter((ratio) => ratio > 0).length, work.filter((ratio) => ratio < 0).length),
    unsure === 0 ? '' : l10n.t('{0} cannot be told from noise', count(unsure)),
  ].filter((part) => part !== '');
  if (parts.length === 0) {
    const visible = quantities.flatMap(({ visible_ratio: ratio }) => ratio ?? []).sort((one, other) => one - other)[0];
    return verdictText('same', visible ?? null);
  }
  return parts.join('; ');
}

function workOutcome(more: number, less: number): string {
  return [
    more === 0 ? '' : more === 1 ? l10n.t('1 has more work') : l10n.t('{0} have more work', count(more)),
    less === 0 ? '' : less === 1 ? l10n.t('1 has less work') : l10n.t('{0} have less work', count(less)),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function figures({ quantities }: ComparisonRecord): readonly Figure[] {
  const known = FIGURES.flatMap(
    (names) => names.flatMap((name) => quantities.find((each) => each.name === name) ?? [])[0] ?? [],
  );
  return known.map((quantity) => ({
    name: quantityName(quantity.name),
    text:
      quantity.verdict === 'same' && quantity.kind === 'exact'
        ? valueText(quantity, quantity.after)
        : `${valueText(quantity, quantity.before)} → ${valueText(quantity, quantity.after)}`,
    of: told(quantity),
    exact: dotted([changeExact(quantity), verdictText(quantity.verdict, quantity.visible_ratio)]),
  }));
}

/** `+84 %` where that is told; `known only before`, where there is nothing to compare with. */
function told(quantity: ComparedQuantity): string {
  const { verdict, before, after } = quantity;
  if (before === null || after === null) {
    return after === null ? l10n.t('known only before') : l10n.t('known only after');
  }
  const share = verdict === 'worse' || verdict === 'better' ? figureShare(quantity) : '';
  return share === '' ? verdictText(verdict, null) : share;
}
