// The head of Overview: how long a step takes, and how much of what there is it uses.

import * as l10n from '@vscode/l10n';
import type { OverviewRecord, PeakRecord } from '../../../src/protocol';
import { type Figure, quantityFigure } from '../../shared/frame/figures';
import { greatest } from '../../shared/table/greatest';
import { byteRate, capacitySize, count, dotted, duration, flopRate } from '../../shared/text/format';
import { BYTES, TIME, TIME_RATIO } from '../../shared/text/quantities';

type SummaryFigure = OverviewRecord['summary'][number];

export function figures(record: OverviewRecord): readonly Figure[] {
  return record.summary.map((each) => figureOf(record, each));
}

function figureOf(record: OverviewRecord, figure: SummaryFigure): Figure {
  const { quantity, value } = figure;
  const { steps } = record.step_time;
  const ofSteps = steps === 0 ? l10n.t('of the window') : l10n.t('of the steps');
  const [steady, all] = [steadySteps(record), record.steps.length];
  const ofSteady = steady === all ? null : l10n.t('of {0} of {1} steps', count(steady), count(all));
  const mark = figure.at_least ? '≥ ' : figure.basis === 'estimated' ? '≈ ' : '';
  const ratio = (name: string, of: string, meaning: string): Figure =>
    quantityFigure(name, TIME_RATIO, value, value === null ? l10n.t('not known') : of, { mark, meaning });
  switch (quantity) {
    case 'step':
      return quantityFigure(l10n.t('Step'), TIME, value, dotted([spreadText(figure, steady), ofSteady]), {
        meaning:
          ofSteady !== null
            ? l10n.t('Mean of the steps in which nothing was compiled')
            : steps === 1
              ? l10n.t('1 complete step')
              : l10n.t('Mean of {0} complete steps', count(steps)),
      });
    case 'device-idle':
      return ratio(l10n.t('Devices idle'), ofSteps, l10n.t('How much of the steps devices ran nothing'));
    case 'host-idle':
      return ratio(l10n.t('Host idle'), ofSteps, l10n.t('How much of the steps no thread of the script was on a core'));
    case 'input':
      return ratio(
        l10n.t('Waits for input'),
        ofSteady ?? ofSteps,
        l10n.t('How much of the steps devices waited for data'),
      );
    case 'model-flops':
      return ratio(
        'MFU',
        l10n.t('of the peak'),
        l10n.t('Model FLOPs per second, of what the devices can do at most: {0}', peakText(record.peaks, 'flops')),
      );
    case 'executed-flops':
      return ratio(
        'HFU',
        l10n.t('of the peak'),
        l10n.t('FLOPs that ran, with recomputation and padding, of the peak: {0}', peakText(record.peaks, 'flops')),
      );
    case 'bandwidth':
      return ratio(
        l10n.t('Bandwidth'),
        l10n.t('of the peak'),
        l10n.t('Bytes of main memory per second, of the peak: {0}', peakText(record.peaks, 'bytes')),
      );
    case 'memory': {
      const capacity = record.memories.find(({ peak_bytes: peak }) => peak === value)?.capacity_bytes ?? null;
      return quantityFigure(
        l10n.t('Memory'),
        BYTES,
        value,
        capacity === null ? l10n.t('at most') : l10n.t('at most, of {0}', capacitySize(capacity)),
      );
    }
  }
}

/** How many steps compile nothing. */
export function steadySteps({ steps }: OverviewRecord): number {
  return steps.filter(({ is_steady: isSteady }) => isSteady).length;
}

/** How the steps scatter: `± 0.42 ms, 31.9 to 33.4 ms`. Those of a prediction are all alike. */
function spreadText({ value, sigma, least, greatest }: SummaryFigure, steps: number): string {
  if (value === null) {
    return l10n.t('no complete step');
  }
  return least === null || greatest === null || least === greatest
    ? steps > 1
      ? l10n.t('{0} equal steps', count(steps))
      : l10n.t('1 step')
    : l10n.t('± {0}, {1} to {2}', duration(sigma ?? 0), duration(least), duration(greatest));
}

function peakText(peaks: readonly PeakRecord[], of: 'flops' | 'bytes'): string {
  const most = greatest(peaks, ({ bytes_per_s: bytes, flops_per_s: rates }) =>
    of === 'bytes' ? (bytes['main'] ?? 0) : greatest(Object.values(rates), (rate) => rate),
  );
  return most === 0 ? l10n.t('not known') : of === 'bytes' ? byteRate(most) : flopRate(most);
}
