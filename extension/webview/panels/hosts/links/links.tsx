// The links between devices, and the one that is chosen: how long its op takes over each of its links.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { HostsRecord, LinkRow } from '../../../../src/protocol';
import { Select } from '../../../shared/controls/select';
import type { TableState } from '../../../shared/table/tableState';
import { dotted } from '../../../shared/text/format';
import { LinkChart } from './linkChart';
import { linkColumns } from './linkColumns';
import { Section, SectionTable } from '../section';
import { linkKey, linkName, opsText } from '../words';

/** A list that drops down has no more; the table has all. */
const MOST_CHOICES = 200;

export function Links(props: {
  readonly record: HostsRecord;
  readonly state: TableState;
  readonly chosen: LinkRow | null;
  readonly onChoose: (key: string | null) => void;
}) {
  const { record, state, chosen, onChoose } = props;
  const { links } = record;
  const columns = useMemo(() => linkColumns(record), [record]);
  const choices = useMemo(() => {
    const first = links.slice(0, MOST_CHOICES);
    return chosen === null || first.includes(chosen) ? first : [chosen, ...first];
  }, [links, chosen]);
  const choose = (key: string | null): void => {
    state.selected.value = key;
    onChoose(key);
  };
  return (
    <Section title={l10n.t('Links')} empty={links.length === 0 ? emptyReason(record) : null}>
      <SectionTable
        label={l10n.t('Links')}
        columns={columns}
        state={state}
        roots={links}
        keyOf={linkKey}
        classOf={({ is_named: isNamed }) => (isNamed ? 'named' : '')}
        onSelect={(link) => onChoose(linkKey(link))}
      />
      <div class="tool-row">
        <Select
          class="channel-choice"
          label={l10n.t('Channel')}
          options={[
            { value: '', label: l10n.t('None') },
            ...choices.map((link) => ({ value: linkKey(link), label: channelText(link) })),
          ]}
          value={chosen === null ? '' : linkKey(chosen)}
          onChange={(key) => choose(key === '' ? null : key)}
        />
      </div>
      {chosen === null ? (
        <p class="quiet reason">{l10n.t('Choose a link to see it on the map, beside the other links of its op.')}</p>
      ) : (
        <LinkChart links={links} chosen={chosen} onChoose={choose} />
      )}
    </Section>
  );
}

function emptyReason({ collectives }: HostsRecord): string {
  return collectives.length === 0
    ? l10n.t('No device sent another anything in the window that was captured.')
    : l10n.t('Of no collective is it known which devices sent each other its data.');
}

function channelText(link: LinkRow): string {
  const { channels } = link;
  return dotted([
    channels.length === 0 ? null : l10n.t('channel {0}', channels.map(String).join(', ')),
    opsText(link),
    linkName(link),
  ]);
}
