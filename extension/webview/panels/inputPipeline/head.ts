// The head of Input Pipeline: how much of the steps waits for input, and what the queues and launches say.

import * as l10n from '@vscode/l10n';
import type { InputRecord, InputSpread } from '../../../src/protocol';
import { type Figure, quantityFigure } from '../../shared/frame/figures';
import { count, duration } from '../../shared/text/format';
import { RATIO, TIME } from '../../shared/text/quantities';
import { levelText, operationName, verdictText } from './words';

export function figures(record: InputRecord): readonly (Figure | null)[] {
  const { level, verdict, launches, idle_launches: idle } = record;
  const waiting = spreadOf(record, 'input');
  const step = spreadOf(record, 'step');
  const queue = record.queues.find(({ is_nearest: isNearest }) => isNearest);
  const suspected = record.operations.find(({ suspected: certainty }) => certainty !== null);
  return [
    quantityFigure(
      l10n.t('Waits for input'),
      RATIO,
      record.input_ratio,
      level === null ? l10n.t('of the steps') : l10n.t('of the steps: {0}', levelText(level)),
      { meaning: l10n.t('Of the wall clock of the complete steps, on all devices') },
    ),
    waiting === null ? null : quantityFigure(l10n.t('Per step'), TIME, waiting.mean_ps, spreadText(waiting)),
    step === null ? null : quantityFigure(l10n.t('Step'), TIME, step.mean_ps, spreadText(step)),
    queue === undefined || queue.gets === 0
      ? null
      : {
          name: l10n.t('Queue empty'),
          text: l10n.t('{0} of {1}', count(queue.empty_gets), count(queue.gets)),
          of: verdict === null ? l10n.t('gets') : l10n.t('gets: {0}', verdictText(verdict)),
          exact: l10n.t('What the queue that is nearest to the steps held when they took from it'),
        },
    launches === 0
      ? null
      : {
          name: l10n.t('Met an idle device'),
          text: l10n.t('{0} of {1}', count(idle), count(launches)),
          of: l10n.t('launches'),
          exact: l10n.t('A launch that meets an idle device comes too late'),
        },
    suspected === undefined
      ? null
      : {
          name: l10n.t('Slow'),
          text: operationName(suspected),
          of: suspected.suspected === 'sure' ? l10n.t('holds the others up') : l10n.t('likely'),
          exact: '',
        },
  ];
}

/** What the panel is of whatever the others are of, in place of the run in short. */
export function factsOfSteps(record: InputRecord): readonly string[] {
  const step = spreadOf(record, 'step');
  return [...(step === null ? [] : [l10n.t('{0}/step', duration(step.mean_ps))]), l10n.t('complete steps')];
}

export function spreadOf({ spreads }: InputRecord, quantity: InputSpread['quantity']): InputSpread | null {
  return spreads.find((spread) => spread.quantity === quantity) ?? null;
}

function spreadText({ sigma_ps: sigma }: InputSpread): string {
  return l10n.t('± {0} over steps', duration(sigma));
}
