// The details pane of Resources: a reading, a row of a table, or the machine as a whole with what to do.

import * as l10n from '@vscode/l10n';
import type { ResourceDevice, ResourceProcess, ResourcesRecord, ResourceThread } from '../../../src/protocol';
import { FindingsBelow } from '../../shared/findings/findings';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { count, duration } from '../../shared/text/format';
import { BYTE_RATE, BYTES, COUNT, RATIO, TIME, UNKNOWN } from '../../shared/text/quantities';
import { type Chart, readingsAt } from './charts';
import { betweenText } from './chartView';
import type { StepRow } from './columns';
import type { LookedRow } from './lists';
import { moment, processName, quantityOf, seriesName, spanName, threadName } from './words';

/** What of the charts that are shown was read between two readings. */
export function ReadingCard(props: { record: ResourcesRecord; charts: readonly Chart[]; at: number }) {
  const { record, charts, at } = props;
  const from = record.edges_ps[at] ?? 0;
  const step = record.steps.find(({ start_ps, end_ps }) => start_ps <= from && from < end_ps);
  return (
    <>
      <h2 class="details-title">{betweenText(record, at)}</h2>
      <p class="quiet">{step === undefined ? l10n.t('in no complete step') : l10n.t('step {0}', step.name)}</p>
      {charts.map((chart) => (
        <section key={chart.id}>
          <h3>{chart.title}</h3>
          <Facts
            facts={readingsAt(chart, at).map(({ name, value }) =>
              quantityFact(name, quantityOf(chart.quantity), value),
            )}
          />
        </section>
      ))}
    </>
  );
}

export function RowCard(props: { record: ResourcesRecord; charts: readonly Chart[]; looked: LookedRow }) {
  const { record, charts, looked } = props;
  switch (looked.kind) {
    case 'process':
      return <ProcessCard record={record} row={looked.row} />;
    case 'thread':
      return <ThreadCard record={record} row={looked.row} />;
    case 'step':
      return <StepCard charts={charts} row={looked.row} />;
  }
}

function StepCard({ charts, row }: { readonly charts: readonly Chart[]; readonly row: StepRow }) {
  return (
    <>
      <h2 class="details-title">{l10n.t('step {0}', row.name)}</h2>
      <p class="quiet">{l10n.t('{0}, from {1} on', duration(row.end_ps - row.start_ps), moment(row.start_ps))}</p>
      {charts.map(({ id, title, series, quantity }) => (
        <section key={id}>
          <h3>{title}</h3>
          <Facts
            facts={series.map((each) =>
              quantityFact(seriesName(each), quantityOf(quantity), each.step_values[row.at] ?? null),
            )}
          />
        </section>
      ))}
      <p class="quiet row-note">{l10n.t('Enter shows it alone.')}</p>
    </>
  );
}

function ProcessCard({ record, row }: { readonly record: ResourcesRecord; readonly row: ResourceProcess }) {
  return (
    <>
      <h2 class="details-title code">{processName(row)}</h2>
      <p class="quiet">{spanName(record.span)}</p>
      <Facts
        facts={[
          quantityFact(l10n.t('of a core'), RATIO, row.core_ratio),
          quantityFact(l10n.t('user'), RATIO, row.user_ratio),
          quantityFact(l10n.t('system'), RATIO, row.system_ratio),
          quantityFact(l10n.t('waits for a core'), RATIO, row.waiting_ratio),
          quantityFact(l10n.t('resident, at most'), BYTES, row.resident_bytes),
          quantityFact(l10n.t('disk read'), BYTE_RATE, row.read_bytes_per_s),
          quantityFact(l10n.t('disk written'), BYTE_RATE, row.written_bytes_per_s),
          { name: l10n.t('threads'), text: row.threads === 0 ? UNKNOWN : count(row.threads) },
          worksForFact(row),
          { name: l10n.t('id'), text: String(row.pid) },
          row.parent_pid === null ? null : { name: l10n.t('made by'), text: String(row.parent_pid) },
          { name: l10n.t('began'), text: moment(row.started_ps) },
          row.ended_ps === null ? null : { name: l10n.t('ended'), text: moment(row.ended_ps) },
          ...totalFacts(row),
        ]}
      />
    </>
  );
}

function ThreadCard({ record, row }: { readonly record: ResourcesRecord; readonly row: ResourceThread }) {
  return (
    <>
      <h2 class="details-title code">{threadName(row)}</h2>
      <p class="quiet">{spanName(record.span)}</p>
      <Facts
        facts={[
          quantityFact(l10n.t('of a core'), RATIO, row.core_ratio),
          quantityFact(l10n.t('waits for a core'), RATIO, row.waiting_ratio),
          row.tid === null
            ? null
            : quantityFact(l10n.t('got a core'), quantityOf('switches_per_s'), row.switches_per_s),
          worksForFact(row),
          row.tid === null ? null : { name: l10n.t('id'), text: String(row.tid) },
          { name: l10n.t('process'), text: `${row.process} ${String(row.pid)}` },
          ...totalFacts(row),
        ]}
      />
    </>
  );
}

function worksForFact({ works_for: names }: ResourceProcess | ResourceThread): Fact | null {
  return names.length === 0 ? null : { name: l10n.t('works for'), text: names.join(', ') };
}

/** Time on a core and waiting for one, in the steps, the window and all that was read. */
function totalFacts(row: ResourceProcess | ResourceThread): readonly (Fact | null)[] {
  const time = (name: string, time_ps: number | null): Fact | null =>
    time_ps === null ? null : quantityFact(name, TIME, time_ps);
  return [
    time(l10n.t('on a core in the steps'), row.steps_cpu_ps),
    time(l10n.t('on a core in the window'), row.window_cpu_ps),
    time(l10n.t('on a core in the run'), row.run_cpu_ps),
    time(l10n.t('waiting in the steps'), row.steps_waiting_ps),
    time(l10n.t('waiting in the window'), row.window_waiting_ps),
    time(l10n.t('waiting in the run'), row.run_waiting_ps),
  ];
}

/** What to do about it first, then the machine. */
export function Summary({ record }: { readonly record: ResourcesRecord }) {
  const { cores, usable_cores: usable, memory_bytes: memory, findings } = record;
  return (
    <>
      <h2 class="details-title">{l10n.t('The machine')}</h2>
      <FindingsBelow findings={findings.filter(({ severity }) => severity === 'advice')} icon="lightbulb" />
      <Facts
        facts={[
          quantityFact(l10n.t('cores'), COUNT, cores),
          usable === null || usable === cores ? null : quantityFact(l10n.t('usable by the script'), COUNT, usable),
          quantityFact(l10n.t('memory'), BYTES, memory),
          ...record.devices.map(deviceFact),
        ]}
      />
      <FindingsBelow findings={findings.filter(({ severity }) => severity === 'note')} />
    </>
  );
}

function deviceFact({ kind, index, name, total_bytes: total }: ResourceDevice): Fact {
  const memory = total === null ? '' : `, ${BYTES.text(total)}`;
  return { name: `${kind.toUpperCase()} ${String(index)}`, text: `${name}${memory}` };
}
