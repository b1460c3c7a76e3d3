// The panel Op Statistics.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { OpRow, OpsRecord, ViewAnswer } from '../../../src/protocol';
import { DeviceSelect, useDevice } from '../../shared/controls/deviceSelect';
import { useSharedSelection } from '../../shared/page/followSelection';
import { emptyRows } from '../../shared/op/emptyRows';
import { didNotRun } from '../../shared/op/extent';
import { Frame } from '../../shared/frame/frame';
import { OpCard } from '../../shared/op/card/opCard';
import { OpNotices } from '../../shared/op/notices';
import { sideWord } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { Peaks } from '../../shared/op/peaks';
import { RecordView } from '../../shared/page/recordView';
import { showInItems } from '../../shared/page/showIn';
import { ColumnChoice } from '../../shared/table/columnChoice';
import type { Column } from '../../shared/table/columns';
import { Table, type TableFocus } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { FLOPS_COLUMN, opColumns, SHARE_COLUMN, usualColumns } from './columns';
import './opStatistics.css';
import { panel } from './panel';
import { statusText } from './status';
import { SearchTools, statisticsState, TypeTools } from './tools';
import { opTypes } from './types';
import { typeName, Types } from './typesView';

export function OpStatistics() {
  const device = useDevice();
  return (
    <RecordView
      panel={panel}
      params={{ device }}
      empty={({ record }) => emptyRows(record, l10n.t('No op ran.'))}
      show={(view, took_ms) => <Statistics view={view} took_ms={took_ms} />}
    />
  );
}

function Statistics(props: { readonly view: ViewAnswer<OpsRecord>; readonly took_ms: number | null }) {
  const { view, took_ms } = props;
  const { record, run } = view;
  const page = usePage();
  const { host, saved } = page;
  const state = statisticsState(saved);
  const device = useDevice();
  const isStatic = didNotRun(record.extent);
  const arranged = tableState(saved, isStatic ? 'ops of programs' : 'ops', {
    column: isStatic ? FLOPS_COLUMN : SHARE_COLUMN,
    descending: true,
  });
  const table = useRef<TableFocus>(null);
  const [shown, setShown] = useState(record.rows.length);

  const ofSide = useMemo(
    () => (state.side.value === 'all' ? record.rows : record.rows.filter(({ side }) => side === state.side.value)),
    [record, state.side.value],
  );
  const measure = isStatic ? 'flops' : 'self_ps';
  const types = useMemo(() => opTypes(ofSide, measure), [ofSide, measure]);
  const type = types.find(({ key }) => key === state.type.value) ?? null;
  const rows = useMemo(
    () => (type === null ? ofSide : ofSide.filter(({ category }) => type.categories.has(category))),
    [ofSide, type],
  );

  const go = (row: OpRow): boolean => host.goToLineOf(row);
  const all = useMemo(() => opColumns(record, go), [record]);
  const usual = useMemo(() => usualColumns(record), [record]);
  const chosen = state.columns.value;
  const columns = useMemo(() => columnsToShow(all, usual, chosen), [all, usual, chosen]);
  const byKey = useMemo(() => new Map(record.rows.map((row) => [row.key, row])), [record]);
  const selected = byKey.get(arranged.selected.value ?? '') ?? null;

  const select = (row: OpRow): void => {
    arranged.selected.value = row.key;
    host.select(selectionOf(row));
  };
  useSharedSelection('ops', (selection) => {
    if (selection.kind === 'category') {
      state.type.value = types.find(({ categories }) => categories.has(selection.name))?.key ?? null;
      return;
    }
    if (selection.kind !== 'op' && selection.kind !== 'line') {
      return;
    }
    const isThere = selection.kind === 'line' && selected?.file === selection.file && selected.line === selection.line;
    const row = selection.kind === 'op' ? byKey.get(selection.key) : longestOn(record.rows, selection);
    if (isThere || row === undefined) {
      return;
    }
    // What is filtered out could not be seen.
    if (!rows.includes(row)) {
      state.side.value = 'all';
      state.type.value = null;
    }
    arranged.selected.value = row.key;
  });

  const words = state.search.value.trim();
  const filters = [
    state.side.value === 'all' ? '' : sideWord(state.side.value).text,
    type === null ? '' : typeName(type),
    words === '' ? '' : l10n.t('with “{0}”', words),
  ].filter((filter) => filter !== '');
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={<DeviceSelect devices={view.devices} />}
      details={{
        label: l10n.t('Details'),
        content: selected === null ? <Peaks peaks={record.peaks} /> : <OpCard opKey={selected.key} device={device} />,
      }}
      status={statusText(record, { rows: shown, filters, took_ms })}
    >
      <OpNotices record={record} />
      <TypeTools state={state} rows={record.rows} />
      <Types types={types} measure={measure} shown={state.types.value} filter={state.type} />
      <div class="tool-row">
        <SearchTools
          state={state}
          type={type === null ? null : typeName(type)}
          onLeave={() => table.current?.focus()}
        />
        <ColumnChoice
          columns={all}
          chosen={chosen ?? Object.keys(usual)}
          onChange={(wanted) => (state.columns.value = wanted)}
        />
      </div>
      <Table
        label={l10n.t('Ops')}
        columns={columns}
        state={arranged}
        search={state.search.value}
        roots={rows}
        keyOf={keyOf}
        textOf={state.searchIn.value === 'name' ? byName : byType}
        onOpen={go}
        onSelect={select}
        onArranged={(found) => setShown(found.length)}
        menuOf={(row) => [
          ...(row.file === null
            ? []
            : [{ label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void go(row) }]),
          { label: l10n.t('Show This Type Alone'), run: () => (state.type.value = typeOf(types, row)) },
          ...showInItems(page, selectionOf(row)),
        ]}
        nothingFound={l10n.t('No op has “{0}”.', words)}
        focusRef={table}
      />
    </Frame>
  );
}

/** What was chosen, all of it; else what is usual, as far as there is room. */
function columnsToShow(
  all: readonly Column<OpRow>[],
  usual: Readonly<Record<string, number>>,
  chosen: readonly string[] | null,
): readonly Column<OpRow>[] {
  return chosen === null
    ? all.flatMap((column) => {
        const rank = usual[column.id];
        return rank === undefined ? [] : [{ ...column, rank }];
      })
    : all.filter((column, position) => position === 0 || chosen.includes(column.id));
}

const keyOf = ({ key }: OpRow): string => key;
const byName = (row: OpRow): string =>
  [row.name, row.op_name, row.primitive, `${row.path ?? ''}:${String(row.line ?? '')}`].join('\n');
const byType = (row: OpRow): string => `${row.category}\n${row.opcode}`;

function selectionOf({ key, file, line }: OpRow): Selection {
  return { kind: 'op', key, file, line };
}

function typeOf(types: ReturnType<typeof opTypes>, { category }: OpRow): string | null {
  return types.find(({ categories }) => categories.has(category))?.key ?? null;
}

function longestOn(rows: readonly OpRow[], place: { readonly file: string; readonly line: number }): OpRow | undefined {
  return rows
    .filter(({ file, line }) => file === place.file && line === place.line)
    .sort((one, other) => other.self_ps - one.self_ps)[0];
}
