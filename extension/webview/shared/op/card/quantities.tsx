// How long an op took, what it computed and moved, and how that stands to what the device can do.

import * as l10n from '@vscode/l10n';
import type { OpRow, PeakRecord } from '../../../../src/protocol';
import { type Fact, Facts, quantityFact } from '../../frame/facts';
import { byteRate, byteSize, count, duration, exactDuration, flopRate, flops, timeShare } from '../../text/format';
import { TIME } from '../../text/quantities';
import { per_s } from '../rate';
import { boundByText, spaceName } from '../words';
import { FindingsBelow, sentence } from '../../findings/findings';
import { timed } from '../../text/basis';

export function TimeFacts(props: { readonly op: OpRow }) {
  const { op } = props;
  if (op.executions === 0) {
    return (
      <section>
        <h3>{l10n.t('Time')}</h3>
        <p class="quiet">{l10n.t('Not known: it did not run. What it computes is of one run of the program.')}</p>
      </section>
    );
  }
  if (!op.has_estimate) {
    return (
      <section>
        <h3>{l10n.t('Time')}</h3>
        <p class="quiet">{l10n.t('Not predicted: there is no estimate of how long it takes.')}</p>
      </section>
    );
  }
  const time = (name: string, time_ps: number): Fact => quantityFact(name, TIME, time_ps);
  return (
    <section>
      <h3>{l10n.t('Time')}</h3>
      <Facts
        facts={[
          { name: l10n.t('share of op time'), text: timeShare(op.share_ratio) },
          time(l10n.t('self'), op.self_ps),
          // Several threads worked at once.
          op.wall_ps === op.self_ps ? null : time(l10n.t('wall clock'), op.wall_ps),
          op.per_step_ps === null ? null : time(l10n.t('per step'), op.per_step_ps),
          {
            name: l10n.t('executions'),
            text:
              op.executions_per_step === null
                ? count(op.executions)
                : l10n.t('{0} ({1} per step)', count(op.executions), count(op.executions_per_step)),
          },
          op.executions < 2
            ? null
            : {
                name: l10n.t('mean (least – greatest)'),
                text: l10n.t('{0} ({1} – {2})', duration(op.mean_ps), duration(op.least_ps), duration(op.greatest_ps)),
                exact: [op.mean_ps, op.least_ps, op.greatest_ps].map(exactDuration).join(', '),
              },
          op.wasted_ps === null
            ? null
            : {
                ...time(l10n.t('wasted'), op.wasted_ps),
                exact: l10n.t('Self time × (1 − the better of the two utilisations)'),
              },
        ]}
      />
    </section>
  );
}

export function WorkFacts(props: {
  readonly op: OpRow;
  readonly peak: PeakRecord | null;
  /** Whether the padding is that of another device. */
  readonly isPaddingPredicted: boolean;
}) {
  const { op, peak, isPaddingPredicted } = props;
  const mark = { measured: '', estimated: '≈ ', predicted: '≈ ' }[op.basis];
  const work = (name: string, work_flops: number | null): Fact | null =>
    work_flops === null
      ? null
      : { name, text: `${mark}${flops(work_flops)}`, exact: `${count(work_flops)} FLOP, ${basisText(op.basis)}` };
  const spaces = Object.entries(op.bytes_by_space);
  const rate_flops_per_s = per_s(op.flops, op.wall_ps);
  return (
    <section>
      <h3>{l10n.t('Work')}</h3>
      <Facts
        facts={[
          work(op.element_type === '' ? l10n.t('FLOPs') : l10n.t('FLOPs ({0})', op.element_type), op.flops) ?? {
            name: l10n.t('FLOPs'),
            text: l10n.t('unknown'),
          },
          // What is the same as what ran says nothing more.
          op.model_flops === op.flops ? null : work(l10n.t('model FLOPs'), op.model_flops),
          op.padded_flops === op.flops
            ? null
            : work(isPaddingPredicted ? l10n.t('with padding (predicted)') : l10n.t('with padding'), op.padded_flops),
          op.transcendentals === null || op.transcendentals === 0
            ? null
            : { name: l10n.t('transcendentals'), text: `${mark}${count(op.transcendentals)}` },
          rate_flops_per_s === null
            ? null
            : rate(
                // Panels also have the rate over the wall clock of all steps, which is another.
                l10n.t('FLOP rate while it ran'),
                timed(`${mark}${flopRate(rate_flops_per_s)}`),
                op.flop_utilisation_ratio,
                peak === null ? null : peakText(peak, flopRate, peak.flops_per_s[op.element_type]),
              ),
          ...(spaces.length === 0 ? [bytesFact(l10n.t('bytes'), op.bytes, mark)] : []),
          ...spaces.map(([space, bytes]) => bytesFact(spaceName(space), bytes, mark)),
          ...spaces.map(([space, bytes]) => bandwidth(space, bytes, op, peak, mark)),
          op.bound_by === null ? null : { name: l10n.t('bound by'), text: boundByText(op.bound_by) },
        ]}
      />
      <FindingsBelow findings={op.findings} />
    </section>
  );
}

function bytesFact(name: string, bytes: number | null, mark: string): Fact {
  return bytes === null
    ? { name, text: l10n.t('unknown') }
    : { name, text: `${mark}${byteSize(bytes)}`, exact: `${count(bytes)} B` };
}

function bandwidth(space: string, bytes: number, op: OpRow, peak: PeakRecord | null, mark: string): Fact | null {
  const rate_bytes_per_s = per_s(bytes, op.wall_ps);
  if (rate_bytes_per_s === null || rate_bytes_per_s === 0) {
    return null;
  }
  const most = peak?.bytes_per_s[space];
  return rate(
    l10n.t('{0} rate', spaceName(space)),
    timed(`${mark}${byteRate(rate_bytes_per_s)}`),
    most === undefined ? null : rate_bytes_per_s / most,
    peak === null ? null : peakText(peak, byteRate, most),
  );
}

function rate(name: string, text: string, ofPeak_ratio: number | null, peak: string | null): Fact {
  return {
    name,
    text: ofPeak_ratio === null ? text : l10n.t('{0}, {1} of the peak', text, timeShare(ofPeak_ratio)),
    ...(peak === null ? {} : { exact: peak }),
  };
}

function peakText(peak: PeakRecord, text: (value: number) => string, most: number | undefined): string {
  const sources = peak.sources.map(sentence).join(' ');
  return most === undefined
    ? sources
    : l10n.t('The peak of {0} is {1}. {2}', peak.model || peak.kind, text(most), sources);
}

/** Whether a quantity was measured, in a word. */
export function basisText(basis: OpRow['basis']): string {
  return {
    measured: l10n.t('as the profile states it'),
    estimated: l10n.t('estimated from shapes'),
    predicted: l10n.t('predicted'),
  }[basis];
}
