// The table twin of the picture: the events in sight in the order of their start, for the keyboard and screen readers.

import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TableRow } from '../../../../src/protocol';
import { Menu, type MenuItem, type OpenMenu } from '../../../shared/controls/menu';
import { usePage } from '../../../shared/page/page';
import { showInItems } from '../../../shared/page/showIn';
import { useSize } from '../../../shared/frame/size';
import type { Column } from '../../../shared/table/columns';
import { keyAction } from '../../../shared/table/keyboard';
import { numberColumn, textColumn } from '../../../shared/table/kinds';
import { ROW_HEIGHT_PX, rowsPerPage } from '../../../shared/table/rowWindow';
import { TIME } from '../../../shared/text/quantities';
import type { Timeline } from '../state/controller';
import { wholePicoseconds } from '../state/viewport';
import { EventPages } from '../tools/eventPages';

/** What moves less long than this is still being moved: other events are asked for after it. */
const SETTLED_MS = 250;
/** No browser draws elements that are higher: beyond it a pixel of the scroll bar stands for several rows. */
const MOST_HEIGHT_PX = 8_000_000;
const OVERSCAN = 4;

export function EventTable(props: { readonly timeline: Timeline; readonly onLeave: () => void }) {
  const { timeline } = props;
  const { state, selecting } = timeline;
  const page = usePage();
  const { host, path } = page;
  const pages = useMemo(() => new EventPages(host), [host]);
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const [scroll_px, setScroll] = useState(0);
  const [reached, setReached] = useState(0);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const toFocus = useRef(false);
  const columns = useMemo(() => columnsOf(timeline), [timeline]);

  const question = { ...wholePicoseconds(state.view.value), tracks: timeline.shownTracks, path };
  const wanted = JSON.stringify([question, state.record.value?.complete]);
  useEffect(() => {
    const timer = setTimeout(() => pages.ask(question), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [wanted, pages]);
  useEffect(() => () => pages.stop(), [pages]);

  // Rows are read anew with every page that came.
  const generation = pages.generation.value;
  const rows = generation === 0 ? 0 : (pages.count.value ?? 0);
  const height_px = Math.max(0, (size?.height_px ?? 0) - ROW_HEIGHT_PX);
  const sheet_px = Math.min(MOST_HEIGHT_PX, rows * ROW_HEIGHT_PX);
  const shownRows = Math.ceil(height_px / ROW_HEIGHT_PX);
  const most_px = Math.max(1, sheet_px - height_px);
  const mostFirst = Math.max(0, rows - Math.floor(height_px / ROW_HEIGHT_PX));
  /** The row at the top, with its fraction. */
  const top = Math.min(1, scroll_px / most_px) * mostFirst;
  const first = Math.max(0, Math.floor(top) - OVERSCAN);
  const end = Math.min(rows, Math.ceil(top) + shownRows + OVERSCAN);
  useEffect(() => pages.want(first, end), [pages, first, end]);

  const at = Math.min(reached, Math.max(0, rows - 1));
  useLayoutEffect(() => {
    if (toFocus.current) {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-position="${String(at)}"]`);
      if (row !== null && row !== undefined) {
        toFocus.current = false;
        row.focus({ preventScroll: true });
      }
    }
  });

  const select = (to: number): void => {
    const next = Math.min(Math.max(0, to), rows - 1);
    setReached(next);
    toFocus.current = true;
    const room = Math.max(1, Math.floor(height_px / ROW_HEIGHT_PX));
    if (next < top || next >= top + room) {
      const wantedTop = next < top ? next : next - room + 1;
      const to_px = mostFirst === 0 ? 0 : (Math.min(mostFirst, wantedTop) / mostFirst) * most_px;
      setScroll(to_px);
      if (scroller.current !== null) {
        scroller.current.scrollTop = to_px;
      }
    }
    const row = pages.row(next);
    if (row !== undefined) {
      void selecting.look(row.place);
    }
  };
  const copy = (row: TableRow): void =>
    host.copy(columns.map((column) => (column.copied ?? column).text(row)).join('\t'));
  const openMenu = (row: TableRow, x_px: number, y_px: number): void =>
    setMenu({ x_px, y_px, items: rowMenu(timeline, page, () => copy(row)) });

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = pages.row(at);
    // Rows that have not come yet can be gone to as well.
    const action = keyAction(event, at, { length: rows }, rowsPerPage(height_px));
    if (action?.kind === 'select') {
      select(action.at);
    } else if (action?.kind === 'open') {
      void selecting.goToLineOfEvent();
    } else if (action?.kind === 'copy' && row !== undefined) {
      copy(row);
    } else if (action?.kind === 'menu' && row !== undefined) {
      const box = (event.target as HTMLElement).getBoundingClientRect();
      openMenu(row, box.left + ROW_HEIGHT_PX, box.bottom);
    } else if (event.key === 'Escape') {
      props.onLeave();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const offset_px = scroll_px - top * ROW_HEIGHT_PX;
  return (
    <div
      class="table event-table"
      role="grid"
      aria-label={l10n.t('Events in sight, by start')}
      aria-rowcount={rows + 1}
      aria-busy={pages.count.value === null}
      ref={scroller}
      onKeyDown={onKeyDown}
      onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
    >
      <div class="header" role="row" aria-rowindex={1}>
        {columns.map(({ id, title, align }) => (
          <div key={id} role="columnheader" class={`cell ${align ?? ''}`}>
            {title}
          </div>
        ))}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${String(sheet_px)}px` }}>
        {positions(first, end, at, rows).map((position) => (
          <EventRow
            key={position}
            timeline={timeline}
            columns={columns}
            row={pages.row(position)}
            at={position}
            top_px={position * ROW_HEIGHT_PX + offset_px}
            isReachable={position === at}
            onSelect={() => select(position)}
            onMenu={openMenu}
          />
        ))}
      </div>
      {pages.failure.value === null ? null : (
        <p class="nothing-found" role="alert">
          {pages.failure.value}
        </p>
      )}
      {pages.count.value === 0 ? <p class="nothing-found">{l10n.t('No event is in sight.')}</p> : null}
      {menu === null ? null : <Menu menu={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

function columnsOf({ state }: Timeline): readonly Column<TableRow>[] {
  return [
    numberColumn('start', l10n.t('start'), TIME, ({ place }) => place.start_ps),
    numberColumn('duration', l10n.t('duration'), TIME, ({ place }) => place.duration_ps),
    numberColumn('self', l10n.t('self'), TIME, ({ self_ps }) => self_ps),
    textColumn('name', l10n.t('name'), (row) => row.shown_name, {
      isCode: true,
      exact: ({ place }) => place.name,
      copied: { title: l10n.t('name'), text: ({ place }) => place.name },
    }),
    textColumn('track', l10n.t('track'), ({ place }) => state.trackOf(place.track)?.name ?? ''),
  ];
}

function EventRow(props: {
  readonly timeline: Timeline;
  readonly columns: readonly Column<TableRow>[];
  readonly row: TableRow | undefined;
  readonly at: number;
  readonly top_px: number;
  readonly isReachable: boolean;
  readonly onSelect: () => void;
  readonly onMenu: (row: TableRow, x_px: number, y_px: number) => void;
}) {
  const { row, timeline } = props;
  const selected = timeline.state.selectedEvent.value;
  const isSelected = row !== undefined && selected?.track === row.place.track && selected.event === row.place.event;
  return (
    <div
      role="row"
      class={isSelected ? 'row selected' : 'row'}
      style={{ top: `${String(props.top_px)}px` }}
      data-position={props.at}
      aria-rowindex={props.at + 2}
      aria-selected={isSelected}
      tabIndex={props.isReachable ? 0 : -1}
      onClick={props.onSelect}
      onDblClick={() => void timeline.selecting.goToLineOfEvent()}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onSelect();
        if (row !== undefined) {
          props.onMenu(row, event.clientX, event.clientY);
        }
      }}
    >
      {props.columns.map(({ id, align, isCode, text, exact }) => (
        <div
          key={id}
          role="gridcell"
          class={`cell text-only ${align ?? ''} ${isCode === true ? 'code' : ''}`}
          title={row === undefined ? '' : (exact ?? text)(row)}
        >
          {row === undefined ? '…' : text(row)}
        </div>
      ))}
    </div>
  );
}

function rowMenu(timeline: Timeline, page: ReturnType<typeof usePage>, copy: () => void): readonly MenuItem[] {
  const { selecting } = timeline;
  return [
    { label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void selecting.goToLineOfEvent() },
    { label: l10n.t('Show in the Picture'), run: () => selecting.reveal() },
    { label: l10n.t('Copy Row'), keys: 'Ctrl+C', run: copy },
    ...showInItems(page, selecting.asSelection()),
  ];
}

/** The rows to draw: those in sight, and the one that the keyboard is on. */
function positions(first: number, end: number, at: number, rows: number): readonly number[] {
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, place) => first + place);
  return at < rows && (at < first || at >= end) ? [...drawn, at] : drawn;
}
