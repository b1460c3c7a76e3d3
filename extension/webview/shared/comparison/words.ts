// What is said of a compared row or quantity, as the daemon says it (report/compare/verdicts.py): how much it changed,
// and whether that can be told from noise. A sign or a word says it, never a colour alone.

import * as l10n from '@vscode/l10n';
import type { ComparedBy, ComparedQuantity, ComparedRow, JudgedBy, PairedBy, Verdict } from '../../../src/protocol';
import { count } from '../text/format';

const MINUS = '\u2212';

/** A change in as many digits as it deserves: `0.4 %`, `3.2 %`, `12 %`. */
export function changeShare(ratio: number): string {
  const percent = ratio * 100;
  if (percent > 0 && percent < 0.05) {
    return '<0.1 %';
  }
  return percent < 9.95 ? `${percent.toFixed(1)} %` : `${count(Math.round(percent))} %`;
}

/** `+12 %`, `−3.2 %`, `×18` of what is many times as much; empty where it is not known. */
export function signedShare(ratio: number | null): string {
  if (ratio === null) {
    return '';
  }
  return ratio >= MANY_RATIO ? factorText(ratio + 1) : `${signOf(ratio)}${changeShare(Math.abs(ratio))}`;
}

/** From ten times as much on, percents say less than how many times it is. */
const MANY_RATIO = 9;

/** In three digits; beyond a thousand there was next to nothing before, and how much next to it says nothing. */
function factorText(factor: number): string {
  return factor < 999.5 ? `×${count(Number(factor.toPrecision(3)))}` : `>×${count(1000)}`;
}

/** A number by `text`, which writes what is above zero, behind its sign; that is behind the mark of what is predicted. */
export function signed(value: number | null, text: (value: number) => string): string {
  if (value === null) {
    return '';
  }
  const [, mark = '', size = ''] = /^(≈?)(.*)$/su.exec(text(Math.abs(value))) ?? [];
  return `${mark}${signOf(value)}${size}`;
}

function signOf(value: number): string {
  return value < 0 ? MINUS : value > 0 ? '+' : '';
}

/** The change of a row that is told: of what its verdict rests on, where there is one. */
export function toldRatio(row: ComparedRow): number | null {
  return row.judged_change_ratio ?? row.change_ratio;
}

/** The smallest change of a row that would have been seen, of what it was before; null where that is not known. */
export function visibleRatio(row: ComparedRow): number | null {
  return row.visible_ratio;
}

/** Of what only a greater change would show, no figure is of use. */
const MOST_SAID_RATIO = 5;

/** From which change on one would have been seen: `9.0 % or more`. */
export function visibleText(visible: number): string {
  return visible > MOST_SAID_RATIO
    ? l10n.t('more than {0}', changeShare(MOST_SAID_RATIO))
    : l10n.t('{0} or more', changeShare(visible));
}

/** `more`; `no change seen; 9 % would have been`. */
export function verdictText(verdict: Verdict, visible: number | null): string {
  switch (verdict) {
    case 'worse':
      return l10n.t('more');
    case 'better':
      return l10n.t('less');
    case 'only-before':
      return l10n.t('gone');
    case 'only-after':
      return l10n.t('new');
    case 'same':
      return visible === null
        ? l10n.t('no change')
        : l10n.t('no change seen; {0} would have been', changeShare(visible));
    case 'cannot-tell':
      return visible === null
        ? l10n.t('cannot tell')
        : visible > MOST_SAID_RATIO
          ? l10n.t('cannot tell; nothing below {0} would have been seen', changeShare(MOST_SAID_RATIO))
          : l10n.t('cannot tell; {0} would have been seen', changeShare(visible));
  }
}

export function rowVerdict(row: ComparedRow): string {
  return verdictText(row.verdict, visibleRatio(row));
}

/** How a verdict looks beside its word: the class of a cell, and of a bar. */
export function verdictClass(verdict: Verdict): string {
  return `verdict ${verdict}`;
}

export function evidenceName(by: JudgedBy): string {
  return {
    exact: l10n.t('exact'),
    'device-time': l10n.t("the device's clock"),
    'cpu-time': l10n.t('CPU time'),
    'wall-clock': l10n.t('wall clock'),
  }[by];
}

export function pairingName(by: PairedBy): string {
  return {
    text: l10n.t('the line is unchanged'),
    place: l10n.t('the line was changed'),
    function: l10n.t('what is left of the same function'),
    name: l10n.t('the same name'),
  }[by];
}

export function groupingName(by: ComparedBy): string {
  return {
    line: l10n.t('Lines'),
    op: l10n.t('Ops'),
    scope: l10n.t('Scopes'),
    step: l10n.t('Step'),
    memory: l10n.t('Memory'),
    shape: l10n.t('Shapes'),
  }[by];
}

export function quantityName(name: ComparedQuantity['name']): string {
  return {
    step: l10n.t('step (median)'),
    'device-time': l10n.t('ops on a device'),
    'cpu-time': l10n.t('CPU time of a step (median)'),
    waiting: l10n.t('waiting in a step'),
    'predicted-step': l10n.t('step, predicted'),
    flops: l10n.t('FLOPs of a step'),
    bytes: l10n.t('bytes moved in a step'),
    ops: l10n.t('ops in a step'),
    compilations: l10n.t('compilations'),
    programs: l10n.t('programs'),
    padding: l10n.t('padding'),
    'planned-peak': l10n.t('planned peak of memory'),
    'collective-bytes': l10n.t('bytes of collectives in a step'),
  }[name];
}

/** What a row is called; of the rest, and of parts of a step, in words. */
export function rowLabel(row: ComparedRow): string {
  const words: Readonly<Record<string, string>> = {
    unattributed: l10n.t('(of no line)'),
    'unattributed-waiting': l10n.t('(waiting of no line)'),
    'without-scope': l10n.t('(in no scope)'),
    'without-shape': l10n.t('(of no known shape)'),
    compute: l10n.t('computing'),
    communication: l10n.t('communication'),
    input: l10n.t('waiting for input'),
    sync: l10n.t('waiting for the host to read results'),
    transfer: l10n.t('moving data'),
    compile: l10n.t('compiling'),
    dispatch: l10n.t('launching'),
    python: l10n.t('other Python'),
    unexplained: l10n.t('unexplained'),
  };
  return row.kind === 'rest' || row.kind === 'part' ? (words[row.label] ?? row.label) : row.label;
}
