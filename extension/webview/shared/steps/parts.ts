// What the wall clock of a step went to: the parts by name, and how each looks in a chart and in a legend.

import * as l10n from '@vscode/l10n';
import type { OverviewRecord } from '../../../src/protocol';
import type { HatchName } from '../charts/hatch';

export type StepPart = keyof OverviewRecord['parts'];
export type StepParts = Readonly<Partial<Record<StepPart, number>>>;

/** In the order in which they stand on each other. */
export const STEP_PARTS: readonly StepPart[] = [
  'compute',
  'communication',
  'input',
  'transfer',
  'sync',
  'dispatch',
  'compile',
  'python',
  'unexplained',
];

export interface Look {
  readonly hue: `--${string}`;
  readonly hatch: HatchName;
}

export function partLook(part: StepPart): Look {
  return looks[part];
}

const IDLE = '--vscode-scopelight-phaseIdle';
const INPUT = '--vscode-scopelight-phaseInput';

const looks: Readonly<Record<StepPart, Look>> = {
  compute: { hue: '--vscode-charts-blue', hatch: 'plain' },
  communication: { hue: '--vscode-scopelight-phaseCommunication', hatch: 'diagonal' },
  input: { hue: INPUT, hatch: 'plain' },
  transfer: { hue: INPUT, hatch: 'horizontal' },
  sync: { hue: IDLE, hatch: 'vertical' },
  dispatch: { hue: IDLE, hatch: 'diagonal' },
  compile: { hue: IDLE, hatch: 'plain' },
  python: { hue: IDLE, hatch: 'horizontal' },
  unexplained: { hue: '--vscode-scopelight-phaseOther', hatch: 'dense' },
};

export function partName(part: StepPart): string {
  return {
    compute: l10n.t('computing'),
    communication: l10n.t('communication not hidden'),
    input: l10n.t('waiting for input'),
    sync: l10n.t('reading results'),
    transfer: l10n.t('transfers'),
    compile: l10n.t('compiling'),
    dispatch: l10n.t('launching'),
    python: l10n.t('other Python'),
    unexplained: l10n.t('unexplained'),
  }[part];
}

/** Those that there are, the greatest first. */
export function greatestParts(parts: StepParts): readonly (readonly [StepPart, number])[] {
  return STEP_PARTS.map((part) => [part, parts[part] ?? 0] as const)
    .filter(([, time_ps]) => time_ps > 0)
    .sort(([, one], [, other]) => other - one);
}
