// The table twin of the picture: the events in sight in the order of their start, for the keyboard and screen readers.

import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventTable as EventTableRecord, EventTableOptions, TableRow } from '../../../../src/protocol';
import { boxStyle } from '../../../shared/charts/box';
import { Menu, type MenuItem, type OpenMenu } from '../../../shared/controls/menu';
import { useDetails } from '../../../shared/page/details';
import { usePage } from '../../../shared/page/page';
import { showInItems } from '../../../shared/page/showIn';
import { useSize } from '../../../shared/frame/size';
import type { Column } from '../../../shared/table/columns';
import { keyAction } from '../../../shared/table/keyboard';
import { numberColumn, textColumn } from '../../../shared/table/kinds';
import { TableRow as Row } from '../../../shared/table/row';
import { ROW_HEIGHT_PX, rowsPerPage } from '../../../shared/table/rowWindow';
import { TIME } from '../../../shared/text/quantities';
import type { Timeline } from '../state/controller';
import { wholePicoseconds } from '../state/viewport';

/** What moves less long than this is still being moved: other events are asked for after it. */
const SETTLED_MS = 250;
/** No browser draws elements that are higher: beyond it a pixel of the scroll bar stands for several rows. */
const MOST_HEIGHT_PX = 8_000_000;
const OVERSCAN = 4;
/** Rows are asked for so many at a time, with as many before them and after. */
const PAGE_ROWS = 200;

export function EventTable(props: { readonly timeline: Timeline; readonly onLeave: () => void }) {
  const { timeline } = props;
  const { state, selecting } = timeline;
  const page = usePage();
  const { host, path } = page;
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const [scroll_px, setScroll] = useState(0);
  const [reached, setReached] = useState(0);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const toFocus = useRef(false);
  const columns = useMemo(() => columnsOf(timeline), [timeline]);

  const shown = { ...wholePicoseconds(state.view.value), tracks: timeline.shownTracks, path };
  const [question, setQuestion] = useState<Omit<EventTableOptions, 'first' | 'count'> | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setQuestion(shown), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [JSON.stringify(shown)]);
  const [asked, setAsked] = useState(0);
  const { value, failure, fetchAgain } = useDetails(
    'timelineTable',
    question === null ? null : { ...question, first: asked, count: 3 * PAGE_ROWS },
  );
  useEffect(() => fetchAgain(), [state.record.value?.complete]);
  // What was there stays in sight until what is asked for comes.
  const events = useRef<EventTableRecord | null>(null);
  events.current = value ?? events.current;
  const rowAt = (position: number): TableRow | undefined => events.current?.rows[position - events.current.first];

  const rows = events.current?.count ?? 0;
  const height_px = Math.max(0, (size?.height_px ?? 0) - ROW_HEIGHT_PX);
  const sheet_px = Math.min(MOST_HEIGHT_PX, rows * ROW_HEIGHT_PX);
  const shownRows = Math.ceil(height_px / ROW_HEIGHT_PX);
  const most_px = Math.max(1, sheet_px - height_px);
  const mostFirst = Math.max(0, rows - Math.floor(height_px / ROW_HEIGHT_PX));
  /** The row at the top, with its fraction. */
  const top = Math.min(1, scroll_px / most_px) * mostFirst;
  const first = Math.max(0, Math.floor(top) - OVERSCAN);
  const end = Math.min(rows, Math.ceil(top) + shownRows + OVERSCAN);
  const wanted = Math.max(0, Math.floor(first / PAGE_ROWS) - 1) * PAGE_ROWS;
  useEffect(() => setAsked(wanted), [wanted]);

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
    const row = rowAt(next);
    if (row !== undefined) {
      void selecting.look(row.place);
    }
  };
  const copy = (row: TableRow): void =>
    host.copy(columns.map((column) => (column.copied ?? column).text(row)).join('\t'));
  const openMenu = (row: TableRow, x_px: number, y_px: number): void =>
    setMenu({ x_px, y_px, items: rowMenu(timeline, page, () => copy(row)) });

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowAt(at);
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

  const selected = state.selectedEvent.value;
  const offset_px = scroll_px - top * ROW_HEIGHT_PX;
  return (
    <div
      class="table event-table"
      role="grid"
      aria-label={l10n.t('Events in sight, by start')}
      aria-rowcount={rows + 1}
      aria-busy={events.current === null}
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
        {positions(first, end, at, rows).map((position) => {
          const row = rowAt(position);
          const top_px = position * ROW_HEIGHT_PX + offset_px;
          const isReachable = position === at;
          return row === undefined ? (
            <div
              key={position}
              role="row"
              class="row"
              style={boxStyle({ top_px })}
              data-position={position}
              tabIndex={isReachable ? 0 : -1}
              onClick={() => select(position)}
            >
              <div class="cell">…</div>
            </div>
          ) : (
            <Row
              key={position}
              row={{ row, key: '', level: 1, parentKey: null, expandable: false, expanded: false }}
              at={position}
              top_px={top_px}
              columns={columns}
              inSight={columns.map((_, column) => column)}
              isTree={false}
              isSelected={selected?.track === row.place.track && selected.event === row.place.event}
              isReachable={isReachable}
              className=""
              onSelect={() => select(position)}
              onOpen={() => void selecting.goToLineOfEvent()}
              onToggle={() => undefined}
              onMenu={(x_px, y_px) => {
                select(position);
                openMenu(row, x_px, y_px);
              }}
            />
          );
        })}
      </div>
      {failure === null ? null : (
        <p class="nothing-found" role="alert">
          {failure}
        </p>
      )}
      {events.current?.count === 0 ? <p class="nothing-found">{l10n.t('No event is in sight.')}</p> : null}
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
