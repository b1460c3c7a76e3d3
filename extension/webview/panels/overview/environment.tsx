// The details pane of Overview: what the run ran on, as far as it is recorded.

import * as l10n from '@vscode/l10n';
import type { OverviewRecord } from '../../../src/protocol';
import { type Fact, Facts } from '../../shared/frame/facts';
import { FindingsBelow } from '../../shared/findings/findings';
import { byteSize, count } from '../../shared/text/format';
import { isVerdict } from './verdict';

export function Environment({ record }: { readonly record: OverviewRecord }) {
  const { environment } = record;
  const notes = record.findings.filter((each) => each.severity === 'note' && !isVerdict(each));
  return (
    <>
      <h2 class="details-title">
        {record.predicted_for === null ? l10n.t('What it ran on') : l10n.t('What it is predicted for')}
      </h2>
      <Facts facts={facts(record)} />
      {environment.command.length === 0 ? null : (
        <section>
          <h3>{l10n.t('Command')}</h3>
          <code class="command">{environment.command.join(' ')}</code>
        </section>
      )}
      {Object.keys(environment.flags).length === 0 ? null : (
        <section>
          <h3>{l10n.t('Settings')}</h3>
          {Object.entries(environment.flags).map(([name, value]) => (
            <p key={name}>
              <code class="command">{`${name}=${value}`}</code>
            </p>
          ))}
        </section>
      )}
      <FindingsBelow findings={notes} />
    </>
  );
}

function facts({ environment, predicted_devices: alike }: OverviewRecord): readonly (Fact | null)[] {
  const { devices, cores, usable_cores: usable, memory_bytes: memory, batch_size: batch, hosts } = environment;
  const most = environment.batch_size_most;
  const models = [...new Set(devices.map(({ model, name }) => model || name))];
  return [
    devices.length === 0 ? null : { name: l10n.t('Hosts'), text: count(hosts) },
    devices.length === 0
      ? null
      : {
          name: l10n.t('Devices'),
          text: `${count(Math.max(devices.length, alike ?? 1))} × ${models.join(', ')}`,
          exact: models.join('\n'),
        },
    cores === null
      ? null
      : {
          name: l10n.t('Cores'),
          text: usable !== null && usable < cores ? l10n.t('{0}, {1} usable', count(cores), usable) : count(cores),
        },
    memory === null ? null : { name: l10n.t('Memory'), text: byteSize(memory) },
    batch === null
      ? null
      : {
          name: l10n.t('Batch size'),
          text: most === null ? count(batch) : l10n.t('{0} to {1}', count(batch), count(most)),
          exact: l10n.t('The leading size that these arguments share: {0}', environment.batch_arguments.join(', ')),
        },
    environment.python === null ? null : { name: l10n.t('Interpreter'), text: environment.python },
    ...Object.entries(environment.versions)
      .filter(([, version]) => version !== '')
      .map(([name, version]) => ({ name, text: version })),
    environment.platform === null ? null : { name: l10n.t('System'), text: environment.platform },
    environment.folder === null ? null : { name: l10n.t('Folder'), text: environment.folder },
    environment.created === null
      ? null
      : {
          name: l10n.t('Captured'),
          text: environment.created.replace('T', ' ').replace(/(\+00:00|Z)$/, ' UTC'),
        },
    environment.git_commit === null
      ? null
      : {
          name: l10n.t('Commit'),
          text:
            environment.git_dirty === true
              ? l10n.t('{0}, with changes', environment.git_commit.slice(0, 12))
              : environment.git_commit.slice(0, 12),
          exact: environment.git_commit,
        },
  ];
}
