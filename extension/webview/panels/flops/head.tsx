// The head of FLOPs: the model's figures, each with what it is a part of.

import * as l10n from '@vscode/l10n';
import type { FlopsRecord, FlopsRow, PeakRecord } from '../../../src/protocol';
import { type Figure, Figures, quantityFigure } from '../../shared/frame/figures';
import { didNotRun, extentText } from '../../shared/op/extent';
import { count, duration, flopRate, flops, share, timeShare } from '../../shared/text/format';
import { Findings } from '../../shared/findings/findings';
import { Notice } from '../../shared/page/states';
import { FLOP_RATE, FLOPS, quantityText, UNKNOWN } from '../../shared/text/quantities';
import { utilisationText } from './measures';

/** From this share of the time that is without FLOPs it is worth a line of its own. */
const WORTH_SAYING = 0.01;
/** Work in other types that changes the peak of all by less plays no part. */
const SAME_PEAK = 0.005;

export function Head(props: { readonly record: FlopsRecord; readonly model: FlopsRow }) {
  const { record, model } = props;
  const unknown_ratio = model.unknown_ps / Math.max(1, model.self_ps);
  return (
    <>
      <Figures label={l10n.t('FLOPs of the model')} figures={figures(record, model)} />
      <Findings findings={record.findings} />
      {unknown_ratio >= WORTH_SAYING ? (
        <Notice
          kind="partial"
          text={l10n.t(
            'The FLOPs of ops with {0} of the op time are not known; they are left out of every figure.',
            timeShare(unknown_ratio),
          )}
        />
      ) : null}
    </>
  );
}

/** The model's figures. */
export function figures(record: FlopsRecord, model: FlopsRow): readonly Figure[] {
  const { steps } = record;
  const isStatic = didNotRun(record.extent);
  const wall = duration(record.wall_ps);
  const over =
    steps === 0
      ? extentText(record.extent)
      : steps === 1
        ? l10n.t('over {0}, 1 step', wall)
        : l10n.t('over {0}, {1} steps', wall, count(steps));
  const ofEach = record.extent.devices > 1 ? l10n.t('each device, {0}', over) : over;
  const perStep = (amount: number | null): number | null => (amount === null ? null : amount / Math.max(1, steps));
  const unknownFlops = l10n.t('of no op known');
  const work = perStep(model.flops);
  return [
    quantityFigure(
      steps > 0 ? l10n.t('FLOPs per step') : l10n.t('FLOPs'),
      FLOPS,
      work,
      work === null
        ? unknownFlops
        : isStatic
          ? l10n.t('in one run')
          : steps > 0
            ? l10n.t('all devices')
            : record.extent.kind === 'outside'
              ? l10n.t('outside of steps')
              : l10n.t('in the window'),
    ),
    // Where no time went by there are no rates.
    ...(isStatic
      ? []
      : [
          {
            name: l10n.t('Rate over wall clock'),
            text: quantityText(FLOP_RATE, model.flops_per_s),
            of: model.flops_per_s === null ? unknownFlops : ofEach,
            exact: l10n.t('Executed FLOPs over the wall clock of each device: {0}', over),
          },
          utilisation('MFU', model.mfu_ratio, model, record.peaks, l10n.t('Model FLOPs over wall clock and peak')),
          utilisation('HFU', model.hfu_ratio, model, record.peaks, l10n.t('Executed FLOPs over wall clock and peak')),
        ]),
    {
      name: l10n.t('Padding waste'),
      ...padding(record, model, perStep(model.padded_flops)),
      exact: l10n.t('One less executed over padded FLOPs, those with sizes rounded up to the matrix unit'),
    },
    {
      name: l10n.t('Recompute'),
      ...part(model.recompute_ratio, work, unknownFlops),
      exact: l10n.t('Share of the executed FLOPs that was computed again'),
    },
  ];
}

/** The waste, and of what: of another device than that of the profile it is predicted. */
function padding(
  { matrix_unit: unit }: FlopsRecord,
  model: FlopsRow,
  padded: number | null,
): Pick<Figure, 'text' | 'of'> {
  if (unit === null) {
    return { text: UNKNOWN, of: l10n.t('no matrix unit: choose a target') };
  }
  const known = part(model.padding_waste_ratio, padded, l10n.t('no matrix unit'));
  return unit.basis !== 'predicted' || unit.device === null
    ? known
    : { ...known, of: l10n.t('predicted for {0}', unit.device) };
}

function utilisation(
  name: string,
  ratio: number | null,
  model: FlopsRow,
  peaks: readonly PeakRecord[],
  meaning: string,
): Figure {
  return {
    name,
    text: utilisationText(ratio, model),
    of: ratio === null ? l10n.t('no peak known') : ofPeak(model, peaks),
    exact: model.utilisation_is_least
      ? l10n.t('{0}. FLOPs of types whose peak is not known count as nothing', meaning)
      : meaning,
  };
}

/** The peak that a utilisation is of: that of a type, where nearly all of the work was in one. */
function ofPeak({ flops_per_s, hfu_ratio, utilisation_is_least }: FlopsRow, peaks: readonly PeakRecord[]): string {
  // What the rate would be at the peaks of the types that it has.
  const whole = flops_per_s === null || hfu_ratio === null || utilisation_is_least ? 0 : flops_per_s / hfu_ratio;
  const rates = peaks.flatMap((peak) => Object.values(peak.flops_per_s));
  const one = rates.find((rate) => Math.abs(rate - whole) < SAME_PEAK * rate);
  return one === undefined ? l10n.t('of each type’s peak') : l10n.t('of {0}', flopRate(one));
}

function part(ratio: number | null, whole: number | null, unknown: string): Pick<Figure, 'text' | 'of'> {
  return ratio === null || whole === null
    ? { text: UNKNOWN, of: unknown }
    : { text: share(ratio), of: l10n.t('of {0}', flops(whole)) };
}
