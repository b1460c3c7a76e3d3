// The head of Resources: what the machine did in the steps, and how much of that was the script.

import * as l10n from '@vscode/l10n';
import type { ResourcesRecord } from '../../../src/protocol';
import { type Figure, quantityFigure } from '../../shared/frame/figures';
import { greatest } from '../../shared/table/greatest';
import { byteSize, count } from '../../shared/text/format';
import { BYTES, RATIO } from '../../shared/text/quantities';
import { type ResourceQuantity, quantityOf, spanName } from './words';

export function figures(record: ResourcesRecord): readonly (Figure | null)[] {
  const over = spanName(record.span);
  const { cores, usable_cores: usable, processes, memory_bytes: memory } = record;
  const ofCores =
    cores === null
      ? l10n.t('of all cores')
      : usable !== null && usable < cores
        ? l10n.t('of {0} cores, {1} usable', count(cores), count(usable))
        : cores === 1
          ? l10n.t('of 1 core')
          : l10n.t('of {0} cores', count(cores));
  const machine = (name: string, quantity: ResourceQuantity, of: string): Figure | null => {
    const series = record.series.find((each) => each.quantity === quantity);
    return series === undefined
      ? null
      : quantityFigure(name, quantityOf(quantity), meanOf(record, series), of, { meaning: over });
  };
  const sum = (pick: (process: ResourcesRecord['processes'][number]) => number | null): number | null =>
    processes.every((process) => pick(process) === null)
      ? null
      : processes.reduce((all, process) => all + (pick(process) ?? 0), 0);
  const busiest = greatest(record.devices, ({ busy_ratio }) => busy_ratio);
  return [
    machine(l10n.t('User'), 'cpu_user_ratio', ofCores),
    machine(l10n.t('System'), 'cpu_system_ratio', ofCores),
    machine(l10n.t('Idle'), 'cpu_idle_ratio', ofCores),
    quantityFigure(
      l10n.t('Script'),
      RATIO,
      sum(({ core_ratio }) => core_ratio),
      processes.length === 1 ? l10n.t('of a core') : l10n.t('of a core, {0} processes', count(processes.length)),
      { meaning: over },
    ),
    quantityFigure(
      l10n.t('Waits for a core'),
      RATIO,
      sum(({ waiting_ratio }) => waiting_ratio),
      l10n.t('all its threads'),
      { meaning: over },
    ),
    quantityFigure(
      l10n.t('Resident'),
      BYTES,
      sum(({ resident_bytes }) => resident_bytes),
      memory === null ? mostName(record.span) : l10n.t('{0}, of {1}', mostName(record.span), byteSize(memory)),
    ),
    record.devices.length === 0
      ? null
      : quantityFigure(
          l10n.t('Accelerators'),
          RATIO,
          record.devices.some(({ busy_ratio }) => busy_ratio !== null) ? busiest : null,
          record.devices.length === 1
            ? l10n.t('at work')
            : l10n.t('at work, the busiest of {0}', count(record.devices.length)),
          { meaning: over },
        ),
  ];
}

/** What the most is over, which before or after may have been more. */
function mostName(span: ResourcesRecord['span']): string {
  return {
    steps: l10n.t('at most in the steps'),
    window: l10n.t('at most in the window'),
    run: l10n.t('at most in the run'),
  }[span];
}

/** The mean of a series over what means of the record are over. */
export function meanOf(
  { span }: ResourcesRecord,
  { steps_mean, window_mean, run_mean }: ResourcesRecord['series'][number],
): number | null {
  return { steps: steps_mean, window: window_mean, run: run_mean }[span];
}
