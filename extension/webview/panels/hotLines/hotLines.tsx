// The panel Hot Lines.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { LinesAnswer, PlaceRecord } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { ListPanel } from '../../shared/frame/listPanel';
import { foundText } from '../../shared/frame/status';
import { grouped } from '../../shared/grouped';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { greatest } from '../../shared/table/greatest';
import { search as searched, wordsOf } from '../../shared/table/search';
import { openRows, tableState } from '../../shared/table/tableState';
import { count } from '../../shared/text/format';
import { hotColumns, SHARE_COLUMN } from './columns';
import { RowDetails } from './details';
import { Head } from './head';
import './hotLines.css';
import { panel } from './panel';
import { type Grouping, type HotRow, hotRows, lineKey } from './rows';
import { statusParts } from './status';
import { Steps } from './steps';

export function HotLines() {
  return <RecordView panel={panel} params={{}} show={(view) => <HotLinesTable view={view} />} />;
}

function HotLinesTable({ view }: { readonly view: LinesAnswer }) {
  const { record } = view;
  const { host, saved } = usePage();
  const grouping = saved.signal<Grouping>('grouping', 'lines');
  const isByFunction = grouping.value === 'functions';
  const state = tableState(saved, grouping.value, { column: SHARE_COLUMN, descending: true });
  const search = saved.signal('search', '');
  const rows = useMemo(() => hotRows(view, grouping.value), [view, grouping.value]);
  const byKey = useMemo(
    () => new Map(rows.flatMap((row) => [row, ...row.children]).map((row) => [row.key, row])),
    [rows],
  );
  const select = (row: HotRow): void => {
    state.selected.value = row.key;
    host.select(selectionOf(row));
  };
  const goToPlace = (place: PlaceRecord): void => {
    const target = record.lines.find(({ path, line }) => path === place.path && line === place.line);
    const row = target === undefined ? undefined : byKey.get(lineKey(target.file, target.line));
    if (row !== undefined) {
      select(row);
      host.goToLineOf(row);
    }
  };
  const columns = useMemo(
    () =>
      hotColumns({
        op_time_ps: record.op_time_ps,
        longest_ps: greatest(rows, ({ self_ps }) => self_ps),
        hasSteps: record.steps.length > 0,
        hasStale: view.places.some((place) => place !== null && place.state !== 'current'),
        isByFunction,
      }),
    [view, rows],
  );
  const below = isByFunction ? { childrenOf } : {};
  const hits = searched({ roots: rows, keyOf, ...below }, columns, wordsOf(search.value));
  const selected = byKey.get(state.selected.value ?? '') ?? null;
  return (
    <ListPanel
      view={view}
      facts={[devices(view), steps(view)]}
      details={
        selected === null ? (
          <Steps record={record} />
        ) : (
          <RowDetails row={selected} record={record} onGoToPlace={goToPlace} />
        )
      }
      status={[
        foundText(search.value, hits?.rows.size ?? 0, isByFunction ? null : rows.length),
        ...statusParts(record),
      ]}
      selected={selected}
      onFollow={({ file, line }) => {
        const row = byKey.get(file === null || line === null ? '' : lineKey(file, line));
        if (row !== undefined) {
          openRows(state, rows.filter(({ children }) => children.includes(row)).map(keyOf));
          state.selected.value = row.key;
        }
      }}
      head={<Head view={view} />}
      search={search}
      searchLabel={l10n.t('Search lines')}
      tools={
        <Choice
          label={l10n.t('Rows')}
          options={[
            { value: 'lines', label: l10n.t('Lines') },
            { value: 'functions', label: l10n.t('Functions') },
          ]}
          value={grouping.value}
          onChange={(value) => (grouping.value = value)}
        />
      }
      arrangement={grouping.value}
      label={l10n.t('Hot lines')}
      columns={columns}
      state={state}
      roots={rows}
      keyOf={keyOf}
      isLast={isLast}
      {...below}
      classOf={(row) => (row.kind === 'unattributed' ? 'quiet' : '')}
      onOpen={(row) => row.kind !== 'function' && host.goToLineOf(row)}
      onSelect={select}
      selectionOf={selectionOf}
    />
  );
}

const keyOf = (row: HotRow): string => row.key;
const isLast = (row: HotRow): boolean => row.kind === 'unattributed';
const childrenOf = (row: HotRow): readonly HotRow[] => row.children;

function selectionOf({ file, line }: HotRow): Selection | null {
  return file === null ? null : { kind: 'line', file, line };
}

function devices({ record }: LinesAnswer): string {
  const kinds = [...grouped(record.devices, ({ kind, name }) => kind || name)];
  return kinds.map(([kind, same]) => (same.length === 1 ? kind : `${count(same.length)} × ${kind}`)).join(', ');
}

function steps({ record }: LinesAnswer): string {
  const found = record.steps.length;
  return found === 0 ? '' : found === 1 ? l10n.t('1 step') : l10n.t('steps 1–{0}', count(found));
}
