// Rows of one height in a grid, as many as there are: those in sight are drawn. For the mouse and for the keyboard alone.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Menu, type MenuItem, type OpenMenu } from '../controls/menu';
import { usePage } from '../page/page';
import { useSize } from '../frame/size';
import type { Column } from './columns';
import { rowsAsText } from './copy';
import { keyAction } from './keyboard';
import { columnsInSight, layout } from './layout';
import { TableRow } from './row';
import type { ShownRow } from './rows';
import { ROW_HEIGHT_PX, rowsPerPage, rowWindow, scrollToRow } from './rowWindow';
import type { TableState } from './tableState';

export interface GridProps<Row> {
  /** What the rows are, for assistive technology. */
  readonly label: string;
  readonly className?: string;
  readonly isBusy?: boolean;
  readonly isTree: boolean;
  readonly columns: readonly Column<Row>[];
  readonly state: Pick<TableState, 'widths' | 'sort' | 'scroll_px'>;
  /** The row of headers, of the columns that there is room for. */
  readonly header: (columns: readonly Column<Row>[]) => ComponentChildren;
  /** Those that have not come yet are undefined. */
  readonly rows: ArrayLike<ShownRow<Row> | undefined>;
  /** The position of the row that is selected, -1 where none is, and of the one row that Tab reaches. */
  readonly selectedAt: number;
  readonly reachableAt: number;
  /** Stands for what is selected: whenever it is another one, the selected row is brought into sight. */
  readonly revealed: string;
  /** Whenever it is another one, the rows are others: the first of them are shown. */
  readonly turn?: number;
  readonly onSelect: (at: number) => void;
  /** Enter and double click. */
  readonly onOpen: (row: ShownRow<Row>) => void;
  readonly onToggle?: (row: ShownRow<Row>) => void;
  readonly onEscape?: () => void;
  /** Told which row the mouse is over; null where it has left. */
  readonly onHover?: ((row: Row | null) => void) | undefined;
  /** Told the first row that is drawn. */
  readonly onFirst?: (first: number) => void;
  readonly menuOf: (row: ShownRow<Row>, copyRow: MenuItem) => readonly MenuItem[];
  readonly classOf?: ((row: Row) => string) | undefined;
  /** For a control above the table that hands the focus down to it. */
  readonly focusRef?: RefObject<TableFocus | null> | undefined;
  /** What stands below the rows. */
  readonly children?: ComponentChildren;
}

export interface TableFocus {
  readonly focus: () => void;
}

export function Grid<Row>(props: GridProps<Row>) {
  const { host } = usePage();
  const { columns, rows, state, selectedAt, reachableAt } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const [scroll_px, setScroll] = useState(state.scroll_px.value);
  const [left_px, setLeft] = useState(0);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const laidOut = layout(columns, size?.width_px ?? 0, state.widths.value, state.sort.value.column);
  const fits = laidOut.map(({ column }) => column);
  const height_px = Math.max(0, (size?.height_px ?? 0) - ROW_HEIGHT_PX);

  useLayoutEffect(() => {
    // Once there are rows to scroll by.
    if (size !== null && rows.length > 0 && scroller.current !== null) {
      scroller.current.scrollTop = state.scroll_px.value;
    }
  }, [size === null, rows.length === 0]);

  const rowElement = (at: number): HTMLElement | null =>
    scroller.current?.querySelector<HTMLElement>(`[data-position="${String(at)}"]`) ?? null;

  const bringIntoSight = (at: number): void => {
    if (scroller.current !== null && height_px > 0) {
      const before_px = scroller.current.scrollTop;
      const after_px = scrollToRow(at, before_px, height_px, rows.length);
      if (after_px !== before_px) {
        scroller.current.scrollTop = after_px;
        setScroll(after_px);
      }
    }
  };

  const turned = useRef(props.turn);
  useLayoutEffect(() => {
    if (turned.current !== props.turn && scroller.current !== null) {
      turned.current = props.turn;
      scroller.current.scrollTop = 0;
      state.scroll_px.value = 0;
      setScroll(0);
    }
  }, [props.turn]);

  // A selection made elsewhere is brought into sight, once its row is there: what is above it may open only now. So is
  // what was selected already and is to be shown again.
  const seen = useRef(props.revealed);
  useLayoutEffect(() => {
    if (selectedAt !== -1 && height_px > 0 && seen.current !== props.revealed) {
      seen.current = props.revealed;
      bringIntoSight(selectedAt);
    }
  }, [props.revealed, selectedAt === -1, height_px === 0]);

  // Where the table is made lower, such as by a card that opens, the selected row stays in sight.
  const seenHeight_px = useRef(height_px);
  useLayoutEffect(() => {
    const before_px = seenHeight_px.current;
    seenHeight_px.current = height_px;
    const top_px = scroller.current?.scrollTop ?? 0;
    const wasInSight = scrollToRow(selectedAt, top_px, before_px, rows.length) === top_px;
    if (selectedAt !== -1 && height_px < before_px && wasInSight) {
      bringIntoSight(selectedAt);
    }
  }, [height_px]);

  const focusAt = useRef<number | null>(null);
  const focusRow = (): void => {
    const row = focusAt.current === null ? null : rowElement(focusAt.current);
    if (row !== null) {
      row.focus({ preventScroll: true });
      // In a low page the table itself may be out of sight.
      row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      focusAt.current = null;
    }
  };
  useLayoutEffect(focusRow);

  const select = (to: number): void => {
    const at = Math.min(Math.max(0, to), rows.length - 1);
    if (at < 0) {
      return;
    }
    focusAt.current = at;
    bringIntoSight(at);
    props.onSelect(at);
    if (at === reachableAt) {
      focusRow();
    }
  };
  if (props.focusRef !== undefined) {
    props.focusRef.current = { focus: () => select(reachableAt) };
  }

  const copyRow = ({ row }: ShownRow<Row>): void => host.copy(rowsAsText([row], columns, 'tsv'));
  // The editor's own Copy (of its Edit menu, by Ctrl+Insert) arrives at the document: it has no selection to go by.
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const focused = document.activeElement;
      const row = rows[reachableAt];
      const isOnRow = focused !== null && focused === rowElement(reachableAt);
      if (row !== undefined && isOnRow && document.getSelection()?.isCollapsed !== false) {
        copyRow(row);
        event.preventDefault();
      }
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, [rows, reachableAt, columns, host]);

  const openMenu = (row: ShownRow<Row>, x_px: number, y_px: number): void => {
    const copy = { label: l10n.t('Copy Row'), keys: 'Ctrl+C', run: () => copyRow(row) };
    setMenu({ x_px, y_px, items: props.menuOf(row, copy) });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[reachableAt];
    if (!(event.target instanceof HTMLElement) || event.target.dataset['position'] === undefined) {
      return;
    }
    const action = keyAction(event, reachableAt, rows, rowsPerPage(height_px));
    if (action?.kind === 'select') {
      // Rows that have not come yet can be gone to as well.
      select(action.at);
    } else if (event.key === 'Escape' && props.onEscape !== undefined) {
      props.onEscape();
    } else if (action === null || row === undefined) {
      return;
    } else if (action.kind === 'menu') {
      const box = event.target.getBoundingClientRect();
      openMenu(row, box.left + ROW_HEIGHT_PX, box.bottom);
    } else {
      ({ toggle: props.onToggle, open: props.onOpen, copy: copyRow })[action.kind]?.(row);
    }
    event.preventDefault();
  };

  const { first, end, sheet_px, moved_px } = rowWindow(scroll_px, height_px, rows.length);
  useEffect(() => props.onFirst?.(first), [first]);
  const drawn = Array.from({ length: end - first }, (_, index) => first + index);
  // The row that has the focus stays, also when it is scrolled out of sight.
  if (reachableAt < rows.length && (reachableAt < first || reachableAt >= end)) {
    drawn.push(reachableAt);
  }
  const inSight = columnsInSight(laidOut, left_px, size?.width_px ?? 0);
  const tracks = laidOut.map(({ width_px }) => `${String(width_px)}px`).join(' ');
  const width_px = laidOut.reduce((total, column) => total + column.width_px, 0);

  return (
    <div
      class={`table ${props.className ?? ''}`}
      role={props.isTree ? 'treegrid' : 'grid'}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={fits.length}
      aria-busy={props.isBusy}
      ref={scroller}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        setScroll(event.currentTarget.scrollTop);
        setLeft(event.currentTarget.scrollLeft);
        state.scroll_px.value = event.currentTarget.scrollTop;
      }}
    >
      <div class="sheet" style={{ '--tracks': tracks, minWidth: `${String(width_px)}px` }}>
        {props.header(fits)}
        <div class="rows" role="rowgroup" style={{ height: `${String(sheet_px)}px` }}>
          {drawn.map((at) => {
            const row = rows[at];
            const onRow = (does: ((of: ShownRow<Row>) => void) | undefined) => () => {
              if (row !== undefined) {
                does?.(row);
              }
            };
            return (
              <TableRow
                key={row?.key ?? String(at)}
                row={row}
                at={at}
                top_px={at * ROW_HEIGHT_PX - moved_px}
                columns={fits}
                inSight={inSight}
                isTree={props.isTree}
                isSelected={at === selectedAt}
                isReachable={at === reachableAt}
                className={row === undefined ? '' : (props.classOf?.(row.row) ?? '')}
                onSelect={() => select(at)}
                onOpen={onRow(props.onOpen)}
                onToggle={onRow(props.onToggle)}
                onHover={props.onHover}
                onMenu={(x_px, y_px) => {
                  select(at);
                  onRow((of) => openMenu(of, x_px, y_px))();
                }}
              />
            );
          })}
        </div>
        {props.children}
      </div>
      {menu === null ? null : <Menu menu={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
