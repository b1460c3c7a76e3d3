// The panel Counters.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { CounterRow, CountersRecord, ViewAnswer } from '../../../src/protocol';
import { selfTimeText } from '../../shared/comparison/columns';
import { useComparedRows } from '../../shared/comparison/comparedRows';
import { useDevice } from '../../shared/controls/deviceSelect';
import { Findings } from '../../shared/findings/findings';
import { ListPanel } from '../../shared/frame/listPanel';
import { foundText } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { search as searchRows, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { count } from '../../shared/text/format';
import { counterColumns, TIME_COLUMN } from './columns';
import { AllCard, OpCard } from './details';
import { panel } from './panel';

export function Counters() {
  return <RecordView panel={panel} params={{ device: useDevice() }} show={(view) => <CountersOfRun view={view} />} />;
}

function CountersOfRun({ view }: { readonly view: ViewAnswer<CountersRecord> }) {
  const { record, run } = view;
  const { saved, host } = usePage();
  const search = saved.signal('search', '');
  const state = tableState(saved, 'ops', { column: TIME_COLUMN, descending: true });
  const columns = useMemo(() => counterColumns(record), [record]);
  const compared = useComparedRows<CounterRow>('op', {
    keysOf: comparedKeys,
    meaning: selfTimeText(),
    behind: TIME_COLUMN,
    isOfAllSteps: true,
  });
  const selected = record.rows.find(({ key }) => key === state.selected.value) ?? null;
  const source = { roots: record.rows, keyOf, textOf };
  const found = searchRows(source, columns, wordsOf(search.value))?.rows.size ?? 0;
  return (
    <ListPanel<CounterRow>
      view={{ run, devices: record.device_names }}
      head={<Findings findings={record.findings} />}
      details={selected === null ? <AllCard record={record} /> : <OpCard record={record} row={selected} />}
      isChosen={selected !== null}
      status={[
        foundText(search.value, found, record.rows.length),
        record.counters.length === 1 ? l10n.t('1 counter') : l10n.t('{0} counters', count(record.counters.length)),
        l10n.t('{0} ops', count(record.rows.length)),
      ]}
      search={search}
      searchLabel={l10n.t('Search ops')}
      label={l10n.t('Ops')}
      columns={columns}
      compared={compared}
      state={state}
      roots={record.rows}
      keyOf={keyOf}
      textOf={textOf}
      selectionOf={({ key, file, line }) => ({ kind: 'op', key, file, line })}
      onSelect={({ key, file, line }) => host.select({ kind: 'op', key, file, line })}
      selected={selected}
      onFollow={(selection) => {
        const row = record.rows.find((each) =>
          selection.kind === 'op'
            ? each.key === selection.key
            : selection.kind === 'line' && each.file === selection.file && each.line === selection.line,
        );
        if (row !== undefined) {
          state.selected.value = row.key;
        }
      }}
    />
  );
}

const keyOf = ({ key }: CounterRow): string => key;
const comparedKeys = ({ key }: CounterRow): readonly string[] => [key];
const textOf = ({ name, primitive, category }: CounterRow): string => `${name}\n${primitive}\n${category}`;
