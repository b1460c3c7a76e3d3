// Below the chart: what was in use at the peak, or what a snapshot has by line.

import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type {
  MemoryBreakdownRow,
  MemoryProfileRecord,
  MemoryRecord,
  MemorySnapshot,
  MemorySnapshotRow,
} from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { SearchField } from '../../shared/controls/elements';
import { byteSize, duration } from '../../shared/text/format';
import type { LinePlace } from '../../shared/controls/lineLink';
import type { MenuItem } from '../../shared/controls/menu';
import { lineText } from '../../shared/op/words';
import { type Page, usePage } from '../../shared/page/page';
import { Select } from '../../shared/controls/select';
import { showInItems } from '../../shared/page/showIn';
import type { SavedState } from '../../shared/page/state';
import { Table, type TableFocus } from '../../shared/table/table';
import { tableState, type TableState } from '../../shared/table/tableState';
import { breakdownColumns, keyed, type KeyedRow, SIZE_COLUMN, snapshotColumns } from './columns';
import { moment } from './words';

export type ListName = 'breakdown' | 'snapshots';

/** A row that is looked at. */
export type Looked =
  | { readonly kind: 'breakdown'; readonly row: MemoryBreakdownRow }
  | { readonly kind: 'snapshot'; readonly row: MemorySnapshotRow; readonly whole_bytes: number };

export interface ListsProps {
  readonly record: MemoryProfileRecord;
  readonly memory: MemoryRecord | null;
  readonly list: Signal<ListName>;
  /** What another panel selected. */
  readonly followed: Selection | null;
  readonly onLook: (looked: Looked) => void;
  readonly onGo: (place: LinePlace) => boolean;
}

const bySize = { column: SIZE_COLUMN, descending: true };

/** How the two tables are arranged. */
export function listStates(saved: SavedState): readonly [breakdown: TableState, snapshots: TableState] {
  return [tableState(saved, 'breakdown', bySize), tableState(saved, 'snapshots', bySize)];
}

export function Lists(props: ListsProps) {
  const { record, memory, list, onGo } = props;
  const page = usePage();
  const { saved } = page;
  const table = useRef<TableFocus>(null);
  const search = saved.signal('search', '');
  const wished = saved.signal<string | null>('snapshot', null);
  const [breakdownState, snapshotState] = listStates(saved);
  const { snapshots } = record;
  const shown: ListName =
    memory === null || (list.value === 'snapshots' && snapshots.length > 0) ? 'snapshots' : 'breakdown';
  const snapshot = snapshots.find(({ name }) => name === wished.value) ?? mostOf(snapshots);
  const breakdown = useMemo(() => keyed(memory?.breakdown ?? []), [memory]);
  const rows = useMemo(() => keyed(snapshot?.rows ?? []), [snapshot]);
  const ofBreakdown = useMemo(() => breakdownColumns(breakdown, onGo), [breakdown]);
  const ofSnapshot = useMemo(() => snapshotColumns(rows, onGo), [rows]);

  // What is on a line that another panel selected is selected here too.
  const { followed } = props;
  useEffect(() => {
    const isMeant = ({ file, line }: LinePlace): boolean =>
      followed !== null && followed.file !== null && file === followed.file && line === followed.line;
    breakdownState.selected.value = breakdown.find(isMeant)?.key ?? breakdownState.selected.value;
    snapshotState.selected.value = rows.find(isMeant)?.key ?? snapshotState.selected.value;
  }, [followed, breakdown, rows]);

  if (memory === null && snapshot === null) {
    return null;
  }
  const noRow = l10n.t('No row has “{0}”.', search.value.trim());
  return (
    <>
      <div class="tool-row lists">
        {memory === null ? null : snapshots.length === 0 ? (
          <span class="quiet">{l10n.t('In use at the peak')}</span>
        ) : (
          <Choice<ListName>
            label={l10n.t('List')}
            options={[
              { value: 'breakdown', label: l10n.t('At the Peak') },
              { value: 'snapshots', label: l10n.t('Snapshots by Line') },
            ]}
            value={shown}
            onChange={(chosen) => (list.value = chosen)}
          />
        )}
        {shown === 'breakdown' || snapshot === null ? null : (
          <Select
            label={l10n.t('Snapshot')}
            options={snapshots.map((each) => ({ value: each.name, label: snapshotName(each) }))}
            value={snapshot.name}
            onChange={(name) => (wished.value = name)}
          />
        )}
        <SearchField
          label={l10n.t('Search rows')}
          value={search.value}
          onChange={(text) => (search.value = text)}
          onLeave={() => table.current?.focus()}
        />
      </div>
      {shown === 'snapshots' ? (
        <Table
          key="snapshots"
          label={l10n.t('Snapshot by line')}
          columns={ofSnapshot}
          state={snapshotState}
          search={search.value}
          roots={rows}
          keyOf={keyOf}
          textOf={snapshotText}
          onOpen={onGo}
          onSelect={(row) => props.onLook({ kind: 'snapshot', row, whole_bytes: snapshot?.bytes ?? 0 })}
          menuOf={(row) => menuOf(page, row, onGo)}
          focusRef={table}
          nothingFound={noRow}
        />
      ) : breakdown.length === 0 ? (
        <p class="quiet nothing-known">{l10n.t('Nothing tells what this memory was in use for at its peak.')}</p>
      ) : (
        <Table
          key="breakdown"
          label={l10n.t('In use at the peak')}
          columns={ofBreakdown}
          state={breakdownState}
          search={search.value}
          roots={breakdown}
          keyOf={keyOf}
          classOf={({ basis }) => (basis === 'joined' ? 'joined' : '')}
          onOpen={onGo}
          onSelect={(row) => props.onLook({ kind: 'breakdown', row })}
          menuOf={(row) => menuOf(page, row, onGo)}
          focusRef={table}
          nothingFound={noRow}
        />
      )}
    </>
  );
}

const keyOf = ({ key }: KeyedRow<object>): string => key;
const snapshotText = (row: MemorySnapshotRow): string =>
  [
    lineText(row.path, row.line),
    row.function,
    row.kind,
    row.device,
    ...row.stack.map(({ path, line }) => lineText(path, line)),
  ].join('\n');

function menuOf(page: Page, place: LinePlace, onGo: (place: LinePlace) => boolean): readonly MenuItem[] {
  const { file, line } = place;
  return file === null || line === null
    ? []
    : [
        { label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void onGo(place) },
        ...showInItems(page, { kind: 'line', file, line }),
      ];
}

/** The snapshot with the most alive. */
function mostOf(snapshots: readonly MemorySnapshot[]): MemorySnapshot | null {
  return snapshots.reduce<MemorySnapshot | null>(
    (most, each) => (most === null || each.bytes > most.bytes ? each : most),
    null,
  );
}

/** A snapshot by its name, when it was taken, what was alive and what it cost. */
function snapshotName({ name, time_ps, bytes, cost_ms }: MemorySnapshot): string {
  return [
    name,
    time_ps === null ? null : moment(time_ps),
    byteSize(bytes),
    cost_ms === null ? null : l10n.t('took {0}', duration(cost_ms * 1e9)),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}
