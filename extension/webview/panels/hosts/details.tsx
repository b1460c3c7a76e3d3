// The details pane of Hosts: what a core did, or how costs are told.

import * as l10n from '@vscode/l10n';
import type { HostsRecord, HostsStep } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { Ways } from '../../shared/frame/ways';
import { count, duration, exactDuration, share } from '../../shared/text/format';
import { COUNT, TIME } from '../../shared/text/quantities';
import type { CoreItem } from './items';
import { CORE_PARTS, corePartName } from './parts';

export function ItemCard(props: {
  readonly record: HostsRecord;
  readonly item: CoreItem;
  /** Null where it is of the mean of all. */
  readonly step: HostsStep | null;
}) {
  const { record, item, step } = props;
  const host = record.hosts.find(({ host: name }) => name === item.host);
  const whole = Math.max(1, item.duration_ps ?? 0);
  const first = item.cores.length === 1 ? record.cores[item.cores[0] ?? -1] : undefined;
  return (
    <>
      <h2 class="details-title">{item.name}</h2>
      <Facts
        facts={[
          { name: l10n.t('Host'), text: item.host },
          item.chip === null ? null : { name: l10n.t('Chip'), text: String(item.chip) },
          first === undefined || first.id === null
            ? null
            : { name: l10n.t('Device in the job'), text: String(first.id) },
          item.cores.length === 1 ? null : quantityFact(l10n.t('Mean of cores'), COUNT, item.cores.length),
          {
            name: l10n.t('Steps'),
            text: step === null ? l10n.t('mean of {0}', count(record.step_count)) : count(step.number),
          },
          quantityFact(l10n.t('Takes'), TIME, item.duration_ps),
          quantityFact(l10n.t('Costs per step'), TIME, item.cost_ps),
        ]}
      />
      <PlainTable
        titles={[l10n.t('It did'), l10n.t('Time'), l10n.t('Of the step')]}
        rows={CORE_PARTS.map((part) => ({ part, time: item.parts[part] ?? 0 }))
          .filter(({ time }) => time > 0)
          .map(({ part, time }) => ({
            key: part,
            name: corePartName(part),
            cells: [{ text: duration(time), exact: exactDuration(time) }, { text: share(time / whole) }],
          }))}
      />
      {host === undefined || host.line === null ? null : (
        <p class="row-note">
          {l10n.t('Its host works longest at')} <LineLink place={host} />
        </p>
      )}
      {step === null ? null : (
        <Ways
          selection={{
            kind: 'time',
            start_ps: step.start_ps,
            end_ps: step.start_ps + step.duration_ps,
            file: null,
            line: null,
          }}
        />
      )}
    </>
  );
}

/** What stands there until something is chosen. */
export function MeaningCard({ record }: { readonly record: HostsRecord }) {
  const { instances, complete_instances: complete, executions } = record;
  return (
    <>
      <h2 class="details-title">{l10n.t('How this is told')}</h2>
      <p class="meaning">
        {l10n.t(
          'The steps are replayed as they were, and with one host like the others: what they then take less is what it costs. A host that others wait for costs; one that waits does not.',
        )}
      </p>
      <Facts
        facts={[
          quantityFact(l10n.t('Step over all hosts'), TIME, record.step_ps),
          quantityFact(l10n.t('Steps that all have'), COUNT, record.step_count),
          quantityFact(l10n.t('Executions of collectives'), COUNT, executions),
          quantityFact(l10n.t('In which devices met'), COUNT, instances),
          quantityFact(l10n.t('With all that take part'), COUNT, complete),
        ]}
      />
    </>
  );
}
