// The details pane of Counters: one op with all its values, or each counter as a whole.

import * as l10n from '@vscode/l10n';
import type { CounterRow, CountersRecord } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { FindingsBelow } from '../../shared/findings/findings';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { Ways } from '../../shared/frame/ways';
import { count, duration, share } from '../../shared/text/format';
import { COUNT, quantityText, TIME } from '../../shared/text/quantities';
import { titleOf, VALUE } from './columns';

export function OpCard({ record, row }: { readonly record: CountersRecord; readonly row: CounterRow }) {
  const { key, file, line } = row;
  return (
    <>
      <h2 class="details-title code">{row.name}</h2>
      <Facts
        facts={[
          quantityFact(l10n.t('Runs'), COUNT, row.executions),
          quantityFact(l10n.t('Op time'), TIME, row.op_time_ps),
          { name: l10n.t('Of it sampled'), text: share(row.sampled_ratio) },
        ]}
      />
      {line === null ? null : <LineLink place={row} />}
      <PlainTable
        titles={[l10n.t('Counter'), l10n.t('While it ran'), l10n.t('While any op ran')]}
        rows={record.counters.map((counter, at) => ({
          key: titleOf(counter),
          name: titleOf(counter),
          cells: [
            { text: quantityText(VALUE, row.values[at] ?? null), exact: String(row.values[at] ?? '') },
            { text: quantityText(VALUE, counter.mean_busy) },
          ],
        }))}
      />
      {row.is_short ? (
        <p class="row-note">{l10n.t('Its runs are shorter than a sample: values are also of what ran beside it.')}</p>
      ) : null}
      <Ways selection={{ kind: 'op', key, file, line }} />
    </>
  );
}

export function AllCard({ record }: { readonly record: CountersRecord }) {
  return (
    <>
      <h2 class="details-title">{l10n.t('All that was counted')}</h2>
      {record.counters.map((counter) => (
        <section key={titleOf(counter)}>
          <h3>{titleOf(counter)}</h3>
          <Facts
            facts={[
              quantityFact(l10n.t('While ops ran'), VALUE, counter.mean_busy),
              quantityFact(l10n.t('Mean'), VALUE, counter.mean),
              {
                name: l10n.t('Range'),
                text: l10n.t('{0} to {1}', VALUE.text(counter.least), VALUE.text(counter.greatest)),
              },
              {
                name: l10n.t('Samples'),
                text: l10n.t('{0}, every {1}', count(counter.samples), duration(counter.period_ps)),
              },
            ]}
          />
        </section>
      ))}
      <FindingsBelow findings={record.findings} />
    </>
  );
}
