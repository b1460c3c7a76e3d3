// The details pane of Step Trace: one step, or the mean of them.

import * as l10n from '@vscode/l10n';
import type { StepTraceRecord } from '../../../src/protocol';
import { FindingsBelow } from '../../shared/findings/findings';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable, type PlainRow } from '../../shared/frame/plainTable';
import { Ways } from '../../shared/frame/ways';
import { greatestParts, partName } from '../../shared/steps/parts';
import { count, duration, exactDuration, timeShare } from '../../shared/text/format';
import { BYTES, TIME } from '../../shared/text/quantities';
import type { Row } from './charts';

export function MeanCard({ record }: { readonly record: StepTraceRecord }) {
  return (
    <>
      <h2 class="details-title">{l10n.t('The mean step')}</h2>
      {record.mean === null ? (
        <p class="quiet">{l10n.t('In every step something was compiled, or its interval is not in the profile.')}</p>
      ) : (
        <Contents record={record} row={record.mean} />
      )}
      <FindingsBelow findings={record.findings.filter(({ severity }) => severity === 'note')} />
    </>
  );
}

export function StepCard({ record, row }: { readonly record: StepTraceRecord; readonly row: Row }) {
  const { start_ps, duration_ps } = row;
  return (
    <>
      <h2 class="details-title">{l10n.t('Step {0}', count(row.number))}</h2>
      <Contents record={record} row={row} />
      {row.is_steady ? null : <p class="row-note">{l10n.t('A program was compiled in it: it is in no mean.')}</p>}
      {row.has_interval ? null : (
        <p class="row-note">{l10n.t('What devices waited for before it is not in the profile: it is in no mean.')}</p>
      )}
      <Ways selection={{ kind: 'time', start_ps, end_ps: start_ps + duration_ps, file: null, line: null }} />
    </>
  );
}

function Contents({ record, row }: { readonly record: StepTraceRecord; readonly row: Row }) {
  const { has_backward: trains } = record;
  const whole = Math.max(1, row.duration_ps);
  const line = (key: string, name: string, time: number): PlainRow | null =>
    time === 0
      ? null
      : {
          key,
          name,
          cells: [{ text: duration(time), exact: exactDuration(time) }, { text: timeShare(time / whole) }],
        };
  const spans = [
    line('interval', l10n.t('interval'), row.interval_ps),
    line('passes', trains ? l10n.t('forward to backward') : l10n.t('forward'), row.forward_backward_ps),
    line('tail', l10n.t('tail'), row.tail_ps),
  ];
  const phases = [
    line('forward', l10n.t('forward'), row.forward_ps),
    line('backward', l10n.t('backward'), row.backward_ps),
    line('recompute', l10n.t('recompute'), row.recompute_ps),
    line('optimizer', l10n.t('optimizer'), row.optimizer_ps),
    line('other', l10n.t('other'), row.other_ps),
    line('communication', l10n.t('communication not hidden'), row.communication_ps),
  ];
  const interval = greatestParts(row.interval_parts).map(([part, time]) => line(part, partName(part), time));
  const collectives: readonly (Fact | null)[] = [
    { name: l10n.t('Collectives'), text: String(Math.round(row.collectives * 100) / 100) },
    quantityFact(l10n.t('Together'), TIME, row.collective_ps),
    quantityFact(l10n.t('Not hidden'), TIME, row.exposed_ps),
    quantityFact(l10n.t('Move'), BYTES, row.collective_bytes),
  ];
  return (
    <>
      <Facts facts={[quantityFact(l10n.t('Takes'), TIME, row.duration_ps)]} />
      <Part title={l10n.t('From end to end')} rows={spans} />
      <Part title={l10n.t('The interval went to')} rows={interval} />
      <Part title={l10n.t('Ops of the whole step')} rows={phases} />
      {row.collectives === 0 ? null : <Facts facts={collectives} />}
    </>
  );
}

function Part(props: { readonly title: string; readonly rows: readonly (PlainRow | null)[] }) {
  const rows = props.rows.filter((row) => row !== null);
  return rows.length === 0 ? null : (
    <PlainTable titles={[props.title, l10n.t('Time'), l10n.t('Of the step')]} rows={rows} />
  );
}
