// What each core did in a step, as a bar of its parts.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo } from 'preact/hooks';
import type { HostsRecord } from '../../../src/protocol';
import { Swatch } from '../../shared/charts/cells';
import { Legend } from '../../shared/charts/legend';
import { TableToggle } from '../../shared/charts/tableToggle';
import { usePage } from '../../shared/page/page';
import { tableState } from '../../shared/table/tableState';
import { share } from '../../shared/text/format';
import { itemColumns, type ItemRow, presentParts } from './coreColumns';
import type { CoreItem } from './items';
import { corePartName } from './parts';
import { Section, SectionTable } from './section';

export function Breakdown(props: {
  readonly record: HostsRecord;
  readonly items: readonly CoreItem[];
  readonly selected: CoreItem | null;
  readonly onSelect: (item: CoreItem) => void;
}) {
  const { record, items, selected } = props;
  const { saved } = usePage();
  const asNumbers = saved.signal('breakdownAsTable', false);
  const state = tableState(saved, 'breakdown', { column: 'name', descending: false });
  const parts = useMemo(() => presentParts(items), [items]);
  const columns = useMemo(() => itemColumns(items, parts, asNumbers.value), [items, parts, asNumbers.value]);
  const rows = useMemo((): readonly ItemRow[] => {
    const places = new Map(record.hosts.map(({ host, path, file, line }) => [host, { path, file, line }]));
    return items.map((item) => ({ ...item, ...(places.get(item.host) ?? { path: null, file: null, line: null }) }));
  }, [record, items]);
  useEffect(() => {
    state.selected.value = selected?.key ?? null;
  }, [selected?.key]);
  const whole = Math.max(
    1,
    items.reduce((sum, { duration_ps: time }) => sum + (time ?? 0), 0),
  );
  return (
    <Section
      title={l10n.t('What cores did')}
      empty={items.length === 0 ? l10n.t('No core ran anything in the steps.') : null}
      tools={
        <>
          <span class="spacer" />
          <TableToggle asTable={asNumbers} />
        </>
      }
    >
      <SectionTable
        key={String(asNumbers.value)}
        label={l10n.t('What cores did')}
        columns={columns}
        state={state}
        roots={rows}
        keyOf={({ key }) => key}
        onSelect={props.onSelect}
      />
      <Legend
        entries={parts.map((part) => ({
          mark: <Swatch hue={`core-${part}`} />,
          text: corePartName(part),
          note: share(items.reduce((sum, item) => sum + (item.parts[part] ?? 0), 0) / whole),
        }))}
      />
    </Section>
  );
}
