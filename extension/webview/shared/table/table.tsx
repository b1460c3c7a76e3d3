// A table of any number of rows, flat or a tree, for the mouse and for the keyboard alone.

import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Menu, type MenuItem, type OpenMenu } from '../controls/menu';
import { usePage } from '../page/page';
import { useSize } from '../frame/size';
import type { Column } from './columns';
import { rowsAsText } from './copy';
import { TableHeader } from './header';
import { keyAction } from './keyboard';
import { columnsInSight, layout } from './layout';
import { TableRow } from './row';
import type { RowSource } from './rowSource';
import { arrange, type ShownRow } from './rows';
import { ROW_HEIGHT_PX, rowsPerPage, rowWindow, scrollToRow } from './rowWindow';
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
  /** For a control above the table that hands the focus down to it. */
  readonly focusRef?: RefObject<TableFocus | null>;
}

export interface TableFocus {
  readonly focus: () => void;
}

export function Table<Row>(props: TableProps<Row>) {
  const { host } = usePage();
  const { columns, state, onHover, search = '' } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const [scroll_px, setScroll] = useState(state.scroll_px.value);
  const [left_px, setLeft] = useState(0);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const expanded = useComputed(() => new Set(state.expanded.value));
  const shown = useMemo(
    () => arrange(props, { columns, sort: state.sort.value, search, expanded: expanded.value }),
    [props.roots, props.childrenOf, props.textOf, columns, state.sort.value, search, expanded.value],
  );
  const laidOut = layout(columns, size?.width_px ?? 0, state.widths.value, state.sort.value.column);
  const fits = laidOut.map(({ column }) => column);
  const height_px = Math.max(0, (size?.height_px ?? 0) - ROW_HEIGHT_PX);
  const selectedAt = shown.findIndex(({ key }) => key === state.selected.value);
  /** The one row that Tab reaches. */
  const reachableAt = selectedAt === -1 ? 0 : selectedAt;

  useLayoutEffect(() => {
    // Once there are rows to scroll by.
    if (size !== null && shown.length > 0 && scroller.current !== null) {
      scroller.current.scrollTop = state.scroll_px.value;
    }
  }, [size === null, shown.length === 0]);

  useEffect(() => props.onArranged?.(shown), [shown]);

  const rowElement = (at: number): HTMLElement | null =>
    scroller.current?.querySelector<HTMLElement>(`[data-position="${String(at)}"]`) ?? null;

  const bringIntoSight = (at: number): void => {
    if (scroller.current !== null && height_px > 0) {
      const before_px = scroller.current.scrollTop;
      const after_px = scrollToRow(at, before_px, height_px);
      if (after_px !== before_px) {
        scroller.current.scrollTop = after_px;
        setScroll(after_px);
      }
    }
  };

  // A selection made elsewhere is brought into sight, once its row is there: what is above it may open only now. So is
  // what was selected already and is to be shown again.
  const wanted = JSON.stringify([state.selected.value, host.facts.value?.selectionGeneration ?? 0]);
  const seen = useRef(wanted);
  useLayoutEffect(() => {
    if (selectedAt !== -1 && height_px > 0 && seen.current !== wanted) {
      seen.current = wanted;
      bringIntoSight(selectedAt);
    }
  }, [wanted, selectedAt === -1, height_px === 0]);

  // Where the table is made lower, such as by a card that opens, the selected row stays in sight.
  const seenHeight_px = useRef(height_px);
  useLayoutEffect(() => {
    const before_px = seenHeight_px.current;
    seenHeight_px.current = height_px;
    const top_px = scroller.current?.scrollTop ?? 0;
    if (selectedAt !== -1 && height_px < before_px && scrollToRow(selectedAt, top_px, before_px) === top_px) {
      bringIntoSight(selectedAt);
    }
  }, [height_px]);

  const focusAt = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (focusAt.current !== null) {
      const row = rowElement(focusAt.current);
      row?.focus({ preventScroll: true });
      // In a low page the table itself may be out of sight.
      row?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      focusAt.current = null;
    }
  });

  const select = (at: number): void => {
    const to = shown[Math.min(Math.max(0, at), shown.length - 1)];
    if (to === undefined) {
      return;
    }
    const position = shown.indexOf(to);
    focusAt.current = position;
    bringIntoSight(position);
    if (state.selected.value === to.key) {
      const element = rowElement(position);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      return;
    }
    state.selected.value = to.key;
    props.onSelect?.(to.row);
  };

  if (props.focusRef !== undefined) {
    props.focusRef.current = { focus: () => select(reachableAt) };
  }

  const toggle = ({ key }: ShownRow<Row>): void => {
    const keys = state.expanded.value;
    state.expanded.value = keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key];
  };
  const open = (row: ShownRow<Row>): void => {
    if (props.onOpen?.(row.row) !== true && row.expandable) {
      toggle(row);
    }
  };
  const copyRow = ({ row }: ShownRow<Row>): void => host.copy(rowsAsText([row], columns, 'tsv'));
  // The editor's own Copy (of its Edit menu, by Ctrl+Insert) arrives at the document: it has no selection to go by.
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const focused = document.activeElement;
      const row = shown[reachableAt];
      const isOnRow = focused !== null && focused === rowElement(reachableAt);
      if (row !== undefined && isOnRow && document.getSelection()?.isCollapsed !== false) {
        copyRow(row);
        event.preventDefault();
      }
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, [shown, reachableAt, columns, host]);

  const copyTable = (format: 'tsv' | 'csv'): void =>
    host.copy(
      rowsAsText(
        shown.map(({ row }) => row),
        columns,
        format,
      ),
    );

  const openMenu = (row: ShownRow<Row>, x_px: number, y_px: number): void => {
    const own = props.menuOf?.(row.row) ?? [];
    const folding: readonly MenuItem[] = !row.expandable
      ? []
      : [
          {
            ...(row.expanded ? { label: l10n.t('Collapse'), keys: '←' } : { label: l10n.t('Expand'), keys: '→' }),
            run: () => toggle(row),
            startsGroup: own.length > 0,
          },
        ];
    const hasMore = own.length + folding.length > 0;
    setMenu({
      x_px,
      y_px,
      items: [
        ...own,
        ...folding,
        { label: l10n.t('Copy Row'), keys: 'Ctrl+C', run: () => copyRow(row), startsGroup: hasMore },
        { label: l10n.t('Copy Table as TSV'), run: () => copyTable('tsv') },
        { label: l10n.t('Copy Table as CSV'), run: () => copyTable('csv') },
      ],
    });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = shown[reachableAt];
    if (row === undefined || !(event.target instanceof HTMLElement) || event.target.dataset['position'] === undefined) {
      return;
    }
    const action = keyAction(event, reachableAt, shown, rowsPerPage(height_px));
    switch (action?.kind) {
      case undefined:
        return;
      case 'select':
        select(action.at);
        break;
      case 'toggle':
        toggle(row);
        break;
      case 'open':
        open(row);
        break;
      case 'copy':
        copyRow(row);
        break;
      case 'menu': {
        const box = event.target.getBoundingClientRect();
        openMenu(row, box.left + ROW_HEIGHT_PX, box.bottom);
        break;
      }
    }
    event.preventDefault();
  };

  const { first, end } = rowWindow(scroll_px, height_px, shown.length);
  const drawn = Array.from({ length: end - first }, (_, index) => first + index);
  // The row that has the focus stays, also when it is scrolled out of sight.
  if (reachableAt < shown.length && (reachableAt < first || reachableAt >= end)) {
    drawn.push(reachableAt);
  }
  const inSight = columnsInSight(laidOut, left_px, size?.width_px ?? 0);
  const isTree = props.childrenOf !== undefined;
  const tracks = laidOut.map(({ width_px }) => `${String(width_px)}px`).join(' ');
  const sheet_px = laidOut.reduce((total, { width_px }) => total + width_px, 0);

  return (
    <div
      class="table"
      role={isTree ? 'treegrid' : 'grid'}
      aria-label={props.label}
      aria-rowcount={shown.length + 1}
      aria-colcount={fits.length}
      ref={scroller}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        setScroll(event.currentTarget.scrollTop);
        setLeft(event.currentTarget.scrollLeft);
        state.scroll_px.value = event.currentTarget.scrollTop;
      }}
    >
      <div class="sheet" style={{ '--tracks': tracks, minWidth: `${String(sheet_px)}px` }}>
        <TableHeader columns={fits} state={state} />
        <div class="rows" role="rowgroup" style={{ height: `${String(shown.length * ROW_HEIGHT_PX)}px` }}>
          {drawn.map((at) => {
            const row = shown[at];
            return row === undefined ? null : (
              <TableRow
                key={row.key}
                row={row}
                at={at}
                columns={fits}
                inSight={inSight}
                isTree={isTree}
                isSelected={at === selectedAt}
                isReachable={at === reachableAt}
                className={props.classOf?.(row.row) ?? ''}
                onSelect={() => select(at)}
                onOpen={() => open(row)}
                onToggle={() => toggle(row)}
                {...(onHover === undefined ? {} : { onHover: (isOver) => onHover(isOver ? row.row : null) })}
                onMenu={(x_px, y_px) => {
                  select(at);
                  openMenu(row, x_px, y_px);
                }}
              />
            );
          })}
        </div>
        {shown.length === 0 && props.roots.length > 0 ? (
          <p class="nothing-found">{l10n.t('No row has “{0}”.', search.trim())}</p>
        ) : null}
      </div>
      {menu === null ? null : <Menu menu={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
