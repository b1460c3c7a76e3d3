// What is compared, and the few figures that tell most of it.

import * as l10n from '@vscode/l10n';
import type { ComparedQuantity, ComparedSide, ComparisonRecord } from '../../../src/protocol';
import { signedShare, quantityName, verdictText } from '../../shared/comparison/words';
import { Findings } from '../../shared/findings/findings';
import { type Figure, Figures } from '../../shared/frame/figures';
import { count, dotted } from '../../shared/text/format';
import { changeExact, changeText, valueText } from './quantities';

/** Those that say most, as far as they are known. */
const FIRST: readonly ComparedQuantity['name'][] = ['step', 'predicted-step', 'device-time', 'cpu-time'];
const THEN: readonly ComparedQuantity['name'][] = ['flops', 'planned-peak', 'compilations'];

export function Head({ record }: { readonly record: ComparisonRecord }) {
  return (
    <>
      <dl class="sides">
        <Side name={l10n.t('before')} side={record.before} />
        <Side name={l10n.t('after')} side={record.after} />
      </dl>
      <Findings findings={record.findings} />
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

function figures({ quantities }: ComparisonRecord): readonly Figure[] {
  const known = (names: readonly ComparedQuantity['name'][]): readonly ComparedQuantity[] =>
    names.flatMap((name) => quantities.find((each) => each.name === name) ?? []);
  return [...known(FIRST), ...known(THEN)].map((quantity) => ({
    name: quantityName(quantity.name),
    text:
      quantity.verdict === 'same' && quantity.kind === 'exact'
        ? valueText(quantity, quantity.after)
        : `${valueText(quantity, quantity.before)} → ${valueText(quantity, quantity.after)}`,
    of:
      quantity.verdict === 'worse' || quantity.verdict === 'better'
        ? dotted([signedShare(quantity.change_ratio) || changeText(quantity), verdictText(quantity.verdict, null)])
        : verdictText(quantity.verdict, quantity.visible_ratio),
    exact: changeExact(quantity),
  }));
}
