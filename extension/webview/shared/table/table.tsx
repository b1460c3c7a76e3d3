// A table of any number of rows, flat or a tree: sorted, searched, copied.

import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { MenuItem } from '../controls/menu';
import { type ComparedRows, hasEnded, useComparedTable } from '../comparison/comparedTable';
import { usePage } from '../page/page';
import type { Column } from './columns';
import { type CopyFormat, rowsAsText } from './copy';
import { Grid, type TableFocus } from './grid';
import { TableHeader } from './header';
import type { RowSource } from './rowSource';
import { arrange, type ShownRow } from './rows';
import type { TableState } from './tableState';

export interface TableProps<Row> extends RowSource<Row> {
  /** What the rows are, for assistive technology. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly state: TableState;
  readonly search?: string;
  /** Enter and double click; a row that it returns false for is expanded or closed instead. */
  readonly onOpen?: (row: Row) => boolean;
  readonly onSelect?: (row: Row) => void;
  /** Told which row the mouse is over; null where it has left. */
  readonly onHover?: (row: Row | null) => void;
  /** Told how many rows are left by the search whenever that changes. */
  readonly onArranged?: (shown: readonly ShownRow<Row>[]) => void;
  /** Items of a row's context menu, above those that every table has. */
  readonly menuOf?: (row: Row) => readonly MenuItem[];
  readonly classOf?: (row: Row) => string;
  /** What stands in place of rows where there are none, and none were searched. */
  readonly empty?: ComponentChildren;
  /** For a control above the table that hands the focus down to it. */
  readonly focusRef?: RefObject<TableFocus | null>;
}

/** `compared` is what became of the rows, where their run is compared with another. */
export function Table<Row>({ compared, ...table }: TableProps<Row> & { readonly compared?: ComparedRows<Row> | null }) {
  const props = useComparedTable(table, compared ?? null);
  type Shown = (typeof props)['roots'][number];
  const { host } = usePage();
  const { columns, state, search = '' } = props;
  const expanded = useComputed(() => new Set(state.expanded.value));
  const shown = useMemo(
    () => arrange(props, { columns, sort: state.sort.value, search, expanded: expanded.value }),
    [props.roots, props.childrenOf, props.textOf, columns, state.sort.value, search, expanded.value],
  );
  const selectedAt = shown.findIndex(({ key }) => key === state.selected.value);

  const was = useRef({ compared: compared ?? null, ended: 0 });
  if (was.current.compared !== (compared ?? null)) {
    const { compared: before, ended } = was.current;
    was.current = { compared: compared ?? null, ended: ended + Number(hasEnded(before, compared ?? null)) };
  }

  useEffect(() => props.onArranged?.(shown), [shown]);

  const select = (at: number): void => {
    const to = shown[at];
    if (to !== undefined && state.selected.value !== to.key) {
      state.selected.value = to.key;
      props.onSelect?.(to.row);
    }
  };
  const toggle = ({ key }: ShownRow<Shown>): void => {
    const keys = state.expanded.value;
    state.expanded.value = keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key];
  };
  const open = (row: ShownRow<Shown>): void => {
    if (props.onOpen?.(row.row) !== true && row.expandable) {
      toggle(row);
    }
  };
  const copyTable = (format: CopyFormat): void => {
    const rows = shown.map(({ row }) => row);
    host.copy(rowsAsText(rows, columns, format));
  };
  const menuOf = (row: ShownRow<Shown>, copyRow: MenuItem): readonly MenuItem[] => {
    const own = props.menuOf?.(row.row) ?? [];
    const fold = row.expanded ? { label: l10n.t('Collapse'), keys: '←' } : { label: l10n.t('Expand'), keys: '→' };
    return [
      ...own,
      ...(row.expandable ? [{ ...fold, run: () => toggle(row), startsGroup: own.length > 0 }] : []),
      { ...copyRow, startsGroup: own.length > 0 || row.expandable },
      { label: l10n.t('Copy Table as TSV'), run: () => copyTable('tsv') },
      { label: l10n.t('Copy Table as CSV'), run: () => copyTable('csv') },
    ];
  };

  return (
    <Grid
      label={props.label}
      isTree={props.childrenOf !== undefined}
      columns={columns}
      state={state}
      header={(fits) => <TableHeader columns={fits} state={state} />}
      rows={shown}
      selectedAt={selectedAt}
      reachableAt={Math.max(0, selectedAt)}
      revealed={JSON.stringify([state.selected.value, host.facts.value?.selectionGeneration ?? 0])}
      turn={was.current.ended}
      onSelect={select}
      onOpen={open}
      onToggle={toggle}
      onHover={props.onHover}
      menuOf={menuOf}
      classOf={props.classOf}
      focusRef={props.focusRef}
    >
      {props.roots.length === 0 && props.empty ? <div class="nothing-found">{props.empty}</div> : null}
      {shown.length === 0 && props.roots.length > 0 ? (
        <p class="nothing-found">{l10n.t('No row has “{0}”.', search.trim())}</p>
      ) : null}
    </Grid>
  );
}
