// The panel Hot Lines.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { LinesAnswer, PlaceRecord } from '../../../src/protocol';
import { lineTimeText } from '../../shared/comparison/columns';
import { useComparedRows } from '../../shared/comparison/comparedRows';
import { useComparedWith } from '../../shared/comparison/comparison';
import { Choice } from '../../shared/controls/choice';
import { Button } from '../../shared/controls/elements';
import { ListPanel } from '../../shared/frame/listPanel';
import { foundText } from '../../shared/frame/status';
import { grouped } from '../../shared/grouped';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { ColumnChoice } from '../../shared/table/columnChoice';
import type { Sort } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { search as searched, wordsOf } from '../../shared/table/search';
import { asWideAsItsTexts } from '../../shared/table/textWidth';
import { openRows, tableState } from '../../shared/table/tableState';
import { count } from '../../shared/text/format';
import { hotColumns, isRest, OP_TIME_COLUMN, PER_STEP_COLUMN, SHARE_COLUMN, TIME_COLUMN } from './columns';
import { RowDetails } from './details';
import { Head } from './head';
import './hotLines.css';
import { panel } from './panel';
import { comparedKeys, type Grouping, type HotRow, hotRows, lineKey } from './rows';
import { exceedsWall, hasPart, type PartId, type WallPart, wallParts } from './split';
import { partStatusParts, statusParts } from './status';
import { Steps } from './steps';

/** By the whole cost: compute and waiting together. */
const LONGEST_FIRST: Sort = { column: SHARE_COLUMN, descending: true };

export function HotLines() {
  return <RecordView panel={panel} params={{}} show={(view) => <HotLinesTable view={view} />} />;
}

function HotLinesTable({ view }: { readonly view: LinesAnswer }) {
  const { record } = view;
  const { host, saved } = usePage();
  const grouping = saved.signal<Grouping>('grouping', 'lines');
  const isByFunction = grouping.value === 'functions';
  const timeColumn = record.extent.steps > 0 ? PER_STEP_COLUMN : TIME_COLUMN;
  const isInSideBar = document.body.dataset['place'] === 'sideBar';
  const isCompared = useComparedWith().value !== null;
  const isTight = isInSideBar && isCompared;
  const arranged = tableState(saved, grouping.value, LONGEST_FIRST);
  // The same order, by a column that is there.
  const tightSort = saved.signal<Sort>(`${grouping.value}.tightSort`, { column: timeColumn, descending: true });
  const state = isTight ? { ...arranged, sort: tightSort } : arranged;
  const search = saved.signal('search', '');
  const columnsChosen = saved.signal<readonly string[] | null>('columns', null);
  const chosenPart = saved.signal<ChosenPart | null>('chosenPart', null);
  const listed = saved.signal<string | null>('listedCapture', null);
  const captured = host.facts.value?.capturedRun ?? null;
  // Before the table is drawn: what was searched, sorted and selected was of another run.
  if (captured === view.run.path && listed.peek() !== captured) {
    listed.value = captured;
    search.value = '';
    arranged.sort.value = LONGEST_FIRST;
    tightSort.value = { column: timeColumn, descending: true };
    state.selected.value = null;
    state.scroll_px.value = 0;
    chosenPart.value = null;
  }
  const part = useMemo(() => partOf(view, chosenPart.value), [view, chosenPart.value]);
  useEffect(() => {
    // What was chosen of another run, or is no part of this one, is not chosen any more.
    if (part === null) {
      chosenPart.value = null;
    }
  }, [part]);
  const every = useMemo(() => hotRows(view, grouping.value), [view, grouping.value]);
  const rows = useMemo(() => ofPart(every, part?.id ?? null), [every, part]);
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
  const all = useMemo(
    () =>
      hotColumns({
        extent: record.extent,
        wall_ps: record.wall?.wall_ps ?? 0,
        longest_ps: greatest(every, (row) => (row.kind === 'idle' ? 0 : row.wall_ps)),
        hasWaiting: record.lines.some(({ waiting_ps }) => waiting_ps > 0),
        hasStale: view.places.some((place) => place !== null && place.state !== 'current'),
        isByFunction,
        isInSideBar,
        isTight,
      }).map((column) => (isTight && column.id === timeColumn ? asWideAsItsTexts(column, every) : column)),
    [view, every, isTight],
  );
  const usual = all.filter(({ id }) => id !== OP_TIME_COLUMN || exceedsWall(record)).map(({ id }) => id);
  const chosen = columnsChosen.value ?? usual;
  const columns = all.filter(({ id }, position) => position === 0 || chosen.includes(id));
  const below = isByFunction ? { childrenOf } : {};
  const hits = searched({ roots: rows, keyOf, ...below }, columns, wordsOf(search.value));
  const selected = byKey.get(state.selected.value ?? '') ?? null;
  const compared = useComparedRows<HotRow>('line', {
    keysOf: comparedKeys,
    meaning: lineTimeText(),
    extent: record.extent,
    behind: timeColumn,
    isShort: isTight,
    isFiltered: part !== null,
  });
  return (
    <ListPanel
      // Lines are those of all devices: there is none to choose.
      view={{ run: view.run }}
      extent={record.extent}
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
        ...(part === null
          ? statusParts(record, grouping.value)
          : partStatusParts(record, grouping.value, part.name, rows)),
      ]}
      selected={selected}
      onFollow={({ file, line }) => {
        const row = byKey.get(file === null || line === null ? '' : lineKey(file, line));
        if (row !== undefined) {
          openRows(state, rows.filter(({ children }) => children.includes(row)).map(keyOf));
          state.selected.value = row.key;
        }
      }}
      head={
        <Head
          view={view}
          part={part?.id ?? null}
          onPart={(id) => (chosenPart.value = id === null ? null : { run: view.run.path, id })}
        />
      }
      search={search}
      searchLabel={l10n.t('Search lines')}
      tools={
        <>
          <Choice
            label={l10n.t('Rows')}
            options={[
              { value: 'lines', label: l10n.t('Lines') },
              { value: 'functions', label: l10n.t('Functions') },
            ]}
            value={grouping.value}
            onChange={(value) => (grouping.value = value)}
          />
          <ColumnChoice columns={all} chosen={chosen} onChange={(wanted) => (columnsChosen.value = wanted)} />
        </>
      }
      arrangement={grouping.value}
      label={l10n.t('Hot lines')}
      columns={columns}
      compared={compared}
      state={state}
      roots={rows}
      empty={
        part === null || every.length === 0 ? null : (
          <>
            <p>{l10n.t('No line has any of “{0}”.', part.name)}</p>
            <Button label={l10n.t('Show All Lines')} secondary onPress={() => (chosenPart.value = null)} />
          </>
        )
      }
      keyOf={keyOf}
      isLast={isRest}
      {...below}
      classOf={(row) => (isRest(row) ? 'quiet' : '')}
      onOpen={(row) => row.kind !== 'function' && host.goToLineOf(row)}
      onSelect={select}
      selectionOf={selectionOf}
    />
  );
}

/** The part of the wall clock whose lines alone are listed, and the run that it is of. */
interface ChosenPart {
  readonly run: string;
  readonly id: PartId;
}

/** The part that is chosen of a view; null where it is of another run, or where there is no such part. */
function partOf({ run, record }: LinesAnswer, chosen: ChosenPart | null): WallPart | null {
  return chosen === null || chosen.run !== run.path || record.wall === null
    ? null
    : (wallParts(record, record.wall).find(({ id }) => id === chosen.id) ?? null);
}

/** The lines that have any time of a part of the wall clock, or functions with any of them; all where none is chosen. */
function ofPart(rows: readonly HotRow[], part: PartId | null): readonly HotRow[] {
  if (part === null) {
    return rows;
  }
  return rows.flatMap((row): readonly HotRow[] => {
    if (row.kind === 'function') {
      const children = row.children.filter((line) => hasPart(line, part));
      return children.length === 0 ? [] : [{ ...row, children }];
    }
    return hasPart(row, part) ? [row] : [];
  });
}

const keyOf = (row: HotRow): string => row.key;
const childrenOf = (row: HotRow): readonly HotRow[] => row.children;

function selectionOf({ file, line }: HotRow): Selection | null {
  return file === null ? null : { kind: 'line', file, line };
}

function devices({ record }: LinesAnswer): string {
  const kinds = [...grouped(record.devices, ({ model, kind, name }) => model || kind || name)];
  return kinds.map(([kind, same]) => (same.length === 1 ? kind : `${count(same.length)} × ${kind}`)).join(', ');
}

function steps({ record }: LinesAnswer): string {
  const found = record.extent.steps;
  return found === 0 ? '' : found === 1 ? l10n.t('1 step') : l10n.t('steps 1–{0}', count(found));
}
