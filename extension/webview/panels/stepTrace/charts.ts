// What the charts of Step Trace draw over the steps: their spans, the phases of their ops, or what the interval went to.

import * as l10n from '@vscode/l10n';
import type { StepTraceRecord } from '../../../src/protocol';
import { type Look, partLook, partName, STEP_PARTS } from '../../shared/steps/parts';

export type Row = StepTraceRecord['rows'][number];
export type ChartName = 'spans' | 'phases' | 'interval' | 'communication';

export interface Curve {
  readonly id: string;
  readonly name: string;
  readonly look: Look;
  readonly of: (row: Row) => number;
}

export function chartTitle(name: ChartName): string {
  return {
    spans: l10n.t('Step'),
    phases: l10n.t('Phases'),
    interval: l10n.t('Interval'),
    communication: l10n.t('Communication'),
  }[name];
}

/** The charts that have something to draw. */
export function chartNames({ rows, collectives }: StepTraceRecord): readonly ChartName[] {
  const hasInterval = rows.some(({ interval_ps: time }) => time > 0);
  return [
    'spans',
    'phases',
    ...(hasInterval ? (['interval'] as const) : []),
    ...(collectives.length > 0 ? (['communication'] as const) : []),
  ];
}

/** In the order in which they stand on each other; those that are zero in all steps are left out. */
export function curvesOf(record: StepTraceRecord, name: ChartName): readonly Curve[] {
  return curves(record, name).filter(({ of }) => record.rows.some((row) => of(row) > 0));
}

function curves({ has_backward: trains }: StepTraceRecord, name: ChartName): readonly Curve[] {
  const hue = (phase: string): `--${string}` => `--vscode-scopelight-phase${phase}`;
  switch (name) {
    case 'spans':
      return [
        {
          id: 'interval',
          name: l10n.t('interval'),
          look: { hue: hue('Idle'), hatch: 'plain' },
          of: (row) => row.interval_ps,
        },
        {
          id: 'passes',
          name: trains ? l10n.t('forward and backward') : l10n.t('forward'),
          look: { hue: hue('Forward'), hatch: 'plain' },
          of: (row) => row.forward_backward_ps,
        },
        {
          id: 'tail',
          name: l10n.t('tail'),
          look: { hue: hue('Optimizer'), hatch: 'horizontal' },
          of: (row) => row.tail_ps,
        },
      ];
    case 'phases':
      return [
        {
          id: 'forward',
          name: l10n.t('forward'),
          look: { hue: hue('Forward'), hatch: 'plain' },
          of: (row) => row.forward_ps,
        },
        {
          id: 'backward',
          name: l10n.t('backward'),
          look: { hue: hue('Backward'), hatch: 'diagonal' },
          of: (row) => row.backward_ps,
        },
        {
          id: 'recompute',
          name: l10n.t('recompute'),
          look: { hue: hue('Recompute'), hatch: 'vertical' },
          of: (row) => row.recompute_ps,
        },
        {
          id: 'optimizer',
          name: l10n.t('optimizer'),
          look: { hue: hue('Optimizer'), hatch: 'horizontal' },
          of: (row) => row.optimizer_ps,
        },
        { id: 'other', name: l10n.t('other'), look: { hue: hue('Other'), hatch: 'dense' }, of: (row) => row.other_ps },
        {
          id: 'communication',
          name: l10n.t('communication not hidden'),
          look: partLook('communication'),
          of: (row) => row.communication_ps,
        },
      ];
    case 'interval':
      return STEP_PARTS.map((part) => ({
        id: part,
        name: partName(part),
        look: partLook(part),
        of: (row) => row.interval_parts[part] ?? 0,
      }));
    case 'communication':
      return [
        {
          id: 'exposed',
          name: l10n.t('nothing else ran'),
          look: partLook('communication'),
          of: (row) => row.exposed_ps,
        },
        {
          id: 'hidden',
          name: l10n.t('hidden behind other ops'),
          look: { hue: hue('Communication'), hatch: 'plain' },
          of: (row) => Math.max(0, row.collective_ps - row.exposed_ps),
        },
      ];
  }
}
