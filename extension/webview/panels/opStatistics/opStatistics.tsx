// The panel Op Statistics.

import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { OpRow, OpsRecord, ViewAnswer } from '../../../src/protocol';
import { selfTimeText } from '../../shared/comparison/columns';
import { useComparedRows } from '../../shared/comparison/comparedRows';
import { useDevice } from '../../shared/controls/deviceSelect';
import { ListPanel } from '../../shared/frame/listPanel';
import { OpCard } from '../../shared/op/card/opCard';
import { didNotRun } from '../../shared/op/extent';
import { searchedName } from '../../shared/op/opName';
import { aboveOf, Findings, FindingsBelow } from '../../shared/findings/findings';
import { Peaks } from '../../shared/op/peaks';
import { sideWord } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { ColumnChoice } from '../../shared/table/columnChoice';
import type { Column } from '../../shared/table/columns';
import { tableState } from '../../shared/table/tableState';
import { heaviest } from '../../shared/table/tree';
import { FLOPS_COLUMN, opColumns, SHARE_COLUMN, usualColumns } from './columns';
import './opStatistics.css';
import { panel } from './panel';
import { statusParts } from './status';
import { SearchTools, statisticsState, TypeTools } from './tools';
import { useComparedTypes } from './compared';
import { MOST_SLICES, opTypes } from './types';
import { Types } from './typesView';
import { typeName } from './typeWords';

export function OpStatistics() {
  const device = useDevice();
  return <RecordView panel={panel} params={{ device }} show={(view) => <Statistics view={view} />} />;
}

function Statistics({ view }: { readonly view: ViewAnswer<OpsRecord> }) {
  const { record } = view;
  const { host, saved } = usePage();
  const state = statisticsState(saved);
  const isStatic = didNotRun(record.extent);
  const arranged = tableState(saved, isStatic ? 'ops of programs' : 'ops', {
    column: isStatic ? FLOPS_COLUMN : SHARE_COLUMN,
    descending: true,
  });
  const [shown, setShown] = useState(record.rows.length);

  const ofSide = useMemo(
    () => (state.side.value === 'all' ? record.rows : record.rows.filter(({ side }) => side === state.side.value)),
    [record, state.side.value],
  );
  const measure = isStatic ? 'flops' : 'self_ps';
  const listed = useMemo(() => opTypes(ofSide, measure), [ofSide, measure]);
  const slices = useMemo(() => opTypes(ofSide, measure, MOST_SLICES), [ofSide, measure]);
  const types = state.types.value === 'pie' ? slices : listed;
  // One that was chosen in a list may have no slice of its own.
  const type = [...types, ...listed].find(({ key }) => key === state.type.value) ?? null;
  const rows = useMemo(
    () => (type === null ? ofSide : ofSide.filter(({ category }) => type.categories.has(category))),
    [ofSide, type],
  );

  const all = useMemo(() => opColumns(record), [record]);
  const usual = useMemo(() => usualColumns(record), [record]);
  const chosen = state.columns.value;
  const columns = useMemo(() => columnsToShow(all, usual, chosen), [all, usual, chosen]);
  const byKey = useMemo(() => new Map(record.rows.map((row) => [row.key, row])), [record]);
  const selected = byKey.get(arranged.selected.value ?? '') ?? null;
  const typeOf = (category: string): string | null =>
    types.find(({ categories }) => categories.has(category))?.key ?? null;
  const follow = (selection: Selection): void => {
    if (selection.kind === 'category') {
      state.type.value = typeOf(selection.name);
      return;
    }
    const row = rowOf(record.rows, byKey, selection);
    if (row === null) {
      return;
    }
    // What is filtered out could not be seen.
    if (!rows.includes(row)) {
      state.side.value = 'all';
      state.type.value = null;
    }
    arranged.selected.value = row.key;
  };

  const compared = useComparedRows<OpRow>('op', {
    keysOf: comparedKeys,
    meaning: selfTimeText(),
    extent: record.extent,
    behind: SHARE_COLUMN,
    isFiltered: rows.length !== record.rows.length,
  });
  const comparedTypes = useComparedTypes(record.extent, ofSide === record.rows && measure === 'self_ps');
  const words = state.search.value.trim();
  const filters = [
    state.side.value === 'all' ? '' : sideWord(state.side.value).text,
    type === null ? '' : typeName(type),
    words === '' ? '' : l10n.t('with “{0}”', words),
  ].filter((filter) => filter !== '');
  return (
    <ListPanel
      view={view}
      extent={record.extent}
      details={
        selected === null ? (
          <>
            <FindingsBelow findings={aboveOf(record)} />
            <Peaks peaks={record.peaks} />
          </>
        ) : (
          <OpCard opKey={selected.key} />
        )
      }
      status={statusParts(record, shown, filters)}
      arrangement="ops"
      selected={selected}
      onFollow={follow}
      head={
        <>
          <Findings findings={record.findings} />
          <TypeTools state={state} rows={record.rows} />
          <Types
            types={types}
            measure={measure}
            shown={state.types.value}
            filter={state.type}
            compared={comparedTypes}
          />
        </>
      }
      search={state.search}
      searchLabel={state.searchIn.value === 'name' ? l10n.t('Search names') : l10n.t('Search types')}
      tools={
        <>
          <SearchTools state={state} type={type === null ? null : typeName(type)} />
          <ColumnChoice
            columns={all}
            chosen={chosen ?? Object.keys(usual)}
            onChange={(wanted) => (state.columns.value = wanted)}
          />
        </>
      }
      label={l10n.t('Ops')}
      columns={columns}
      compared={compared}
      state={arranged}
      roots={rows}
      keyOf={keyOf}
      textOf={state.searchIn.value === 'name' ? byName : byType}
      onSelect={(row) => host.select(selectionOf(row))}
      onArranged={(found) => setShown(found.length)}
      selectionOf={selectionOf}
      menuOf={({ category }) => [
        { label: l10n.t('Show This Type Alone'), run: () => (state.type.value = typeOf(category)) },
      ]}
    />
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
const comparedKeys = ({ key }: OpRow): readonly string[] => [key];
const byName = (row: OpRow): string => `${searchedName(row)}\n${row.op_name}`;
const byType = (row: OpRow): string => `${row.category}\n${row.opcode}`;

function selectionOf({ key, file, line }: OpRow): Selection {
  return { kind: 'op', key, file, line };
}

function rowOf(rows: readonly OpRow[], byKey: ReadonlyMap<string, OpRow>, selection: Selection): OpRow | null {
  switch (selection.kind) {
    case 'op':
      return byKey.get(selection.key) ?? null;
    case 'line':
      return heaviest(rows, ({ file, line }) => file === selection.file && line === selection.line);
    default:
      return null;
  }
}
