// Below the chart: what was in use at the peak, or what a snapshot has by line.

import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type {
  MemoryBreakdownRow,
  MemoryProfileRecord,
  MemoryRecord,
  MemorySnapshot,
  MemorySnapshotRow,
} from '../../../src/protocol';
import { useComparedList } from '../../shared/comparison/comparedList';
import { Choice } from '../../shared/controls/choice';
import { byteSize, dotted, duration } from '../../shared/text/format';
import { BYTES } from '../../shared/text/quantities';
import { type LinePlace, selectionOf } from '../../shared/controls/lineLink';
import { List } from '../../shared/frame/list';
import { lineText } from '../../shared/op/words';
import { useSharedSelection } from '../../shared/page/followSelection';
import { usePage } from '../../shared/page/page';
import { Select } from '../../shared/controls/select';
import type { SavedState } from '../../shared/page/state';
import { greatestRow } from '../../shared/table/greatest';
import { tableState, type TableState } from '../../shared/table/tableState';
import { breakdownColumns, keyed, SIZE_COLUMN, snapshotColumns } from './columns';
import { moment } from './words';

export type ListName = 'breakdown' | 'snapshots';

/** A row that is looked at. */
export type LookedRow =
  | { readonly kind: 'breakdown'; readonly row: MemoryBreakdownRow }
  | { readonly kind: 'snapshot'; readonly row: MemorySnapshotRow; readonly whole_bytes: number };

export interface ListsProps {
  readonly record: MemoryProfileRecord;
  readonly memory: MemoryRecord | null;
  readonly list: Signal<ListName>;
  readonly onLook: (looked: LookedRow) => void;
}

/** Snapshots of a moment that runs have in common; those of a new high are of other moments in every run. */
const MOMENTS: ReadonlySet<string> = new Set(['end', 'out-of-memory']);

const bySize = { column: SIZE_COLUMN, descending: true };

/** How the two tables are arranged. */
export function listStates(saved: SavedState): readonly [breakdown: TableState, snapshots: TableState] {
  return [tableState(saved, 'breakdown', bySize), tableState(saved, 'snapshots', bySize)];
}

export function Lists(props: ListsProps) {
  const { record, memory, list } = props;
  const { saved } = usePage();
  const search = saved.signal('search', '');
  const chosenSnapshot = saved.signal<string | null>('snapshot', null);
  const [breakdownState, snapshotState] = listStates(saved);
  const { snapshots } = record;
  const shown: ListName =
    memory === null || (list.value === 'snapshots' && snapshots.length > 0) ? 'snapshots' : 'breakdown';
  const largest = greatestRow(snapshots, ({ bytes }) => bytes);
  const snapshot = snapshots.find(({ name }) => name === chosenSnapshot.value) ?? largest;
  const breakdown = useMemo(() => keyed(memory?.breakdown ?? []), [memory]);
  const rows = snapshot?.rows ?? NO_ROWS;
  const ofBreakdown = useMemo(() => breakdownColumns(breakdown), [breakdown]);
  const ofSnapshot = useMemo(() => snapshotColumns(rows), [rows]);
  const isLargest = snapshot === largest;
  const compared = useComparedList<MemorySnapshotRow>(
    shown === 'snapshots' && snapshot !== null && (isLargest || MOMENTS.has(snapshot.name))
      ? { of: 'snapshot', program: null, memory_space: null, snapshot: isLargest ? null : snapshot.name }
      : null,
    {
      quantity: BYTES,
      meaning: isLargest
        ? l10n.t('What was alive at the largest snapshot, whenever that was')
        : l10n.t('What was alive at the snapshot of that name'),
      behind: SIZE_COLUMN,
    },
  );

  // What is on a line that another panel selected is selected here too.
  useSharedSelection(JSON.stringify([memory?.id, snapshot?.name]), (selection) => {
    const isMeant = ({ file, line }: LinePlace): boolean =>
      file !== null && file === selection.file && line === selection.line;
    breakdownState.selected.value = breakdown.find(isMeant)?.key ?? breakdownState.selected.value;
    snapshotState.selected.value = rows.find(isMeant)?.key ?? snapshotState.selected.value;
  });

  if (memory === null && snapshot === null) {
    return null;
  }
  const common = {
    search,
    searchLabel: l10n.t('Search rows'),
    keyOf,
    selectionOf,
  };
  const choice =
    memory === null ? null : snapshots.length === 0 ? (
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
    );
  return shown === 'snapshots' ? (
    <List
      {...common}
      key="snapshots"
      tools={
        <>
          {choice}
          {snapshot === null ? null : (
            <Select
              label={l10n.t('Snapshot')}
              options={snapshots.map((each) => ({ value: each.name, label: snapshotName(each) }))}
              value={snapshot.name}
              onChange={(name) => (chosenSnapshot.value = name)}
            />
          )}
        </>
      }
      label={l10n.t('Snapshot by line')}
      columns={ofSnapshot}
      compared={compared}
      state={snapshotState}
      roots={rows}
      textOf={snapshotText}
      onSelect={(row) => props.onLook({ kind: 'snapshot', row, whole_bytes: snapshot?.bytes ?? 0 })}
    />
  ) : breakdown.length === 0 ? (
    <>
      <div class="tool-row">{choice}</div>
      <p class="quiet nothing-known">{l10n.t('Nothing tells what this memory was in use for at its peak.')}</p>
    </>
  ) : (
    <List
      {...common}
      key="breakdown"
      tools={choice}
      label={l10n.t('In use at the peak')}
      columns={ofBreakdown}
      state={breakdownState}
      roots={breakdown}
      classOf={({ basis }) => (basis === 'joined' ? 'joined' : '')}
      onSelect={(row) => props.onLook({ kind: 'breakdown', row })}
    />
  );
}

const NO_ROWS: readonly MemorySnapshotRow[] = [];
const keyOf = ({ key }: { readonly key: string }): string => key;
const snapshotText = (row: MemorySnapshotRow): string =>
  [
    lineText(row.path, row.line),
    row.function,
    row.kind,
    row.device,
    ...row.stack.map(({ path, line }) => lineText(path, line)),
  ].join('\n');

/** A snapshot by its name, when it was taken, what was alive and what it cost. */
function snapshotName({ name, time_ps, bytes, cost_ms }: MemorySnapshot): string {
  return dotted([
    name,
    time_ps === null ? null : moment(time_ps),
    byteSize(bytes),
    cost_ms === null ? null : l10n.t('took {0}', duration(cost_ms * 1e9)),
  ]);
}
