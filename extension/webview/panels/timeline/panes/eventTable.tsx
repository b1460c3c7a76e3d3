// The table twin of the picture: the events in sight in the order of their start, for the keyboard and screen readers.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventTable as EventTableRecord, EventTableOptions, TableRow } from '../../../../src/protocol';
import type { MenuItem } from '../../../shared/controls/menu';
import { useDetails } from '../../../shared/page/details';
import { usePage } from '../../../shared/page/page';
import { showInItems } from '../../../shared/page/showIn';
import { opColumn } from '../../../shared/op/opName';
import type { Column } from '../../../shared/table/columns';
import { Grid } from '../../../shared/table/grid';
import { numberColumn, textColumn } from '../../../shared/table/kinds';
import type { ShownRow } from '../../../shared/table/rows';
import { tableState } from '../../../shared/table/tableState';
import { TIME } from '../../../shared/text/quantities';
import type { Timeline } from '../state/controller';
import { wholePicoseconds } from '../state/viewport';
import { namedEvent, wholeName } from '../state/eventName';

/** What moves less long than this is still being moved: other events are asked for after it. */
const SETTLED_MS = 250;
/** Rows are asked for so many at a time, with as many before them and after. */
const PAGE_ROWS = 200;

export function EventTable(props: { readonly timeline: Timeline; readonly onLeave: () => void }) {
  const { timeline } = props;
  const { state, selecting } = timeline;
  const page = usePage();
  const { path } = page;
  const [first, setFirst] = useState(0);
  const [reached, setReached] = useState(0);
  const columns = useMemo(() => columnsOf(timeline), [timeline]);

  const shown = { ...wholePicoseconds(state.view.value), tracks: timeline.shownTracks, path };
  const [question, setQuestion] = useState<Omit<EventTableOptions, 'first' | 'count'> | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setQuestion(shown), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [JSON.stringify(shown)]);
  const asked = Math.max(0, Math.floor(first / PAGE_ROWS) - 1) * PAGE_ROWS;
  const { value, failure, fetchAgain } = useDetails(
    'timelineTable',
    question === null ? null : { ...question, first: asked, count: 3 * PAGE_ROWS },
  );
  useEffect(() => fetchAgain(), [state.record.value?.complete]);
  // What was there stays in sight until what is asked for comes.
  const events = useRef<EventTableRecord | null>(null);
  events.current = value ?? events.current;
  const rows = useMemo(() => rowsOf(events.current), [events.current]);

  const selected = state.selectedEvent.value;
  const selectedRow =
    events.current?.rows.findIndex(({ place }) => place.track === selected?.track && place.event === selected.event) ??
    -1;
  const menuOf = (_: ShownRow<TableRow>, copyRow: MenuItem): readonly MenuItem[] => [
    { label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void selecting.goToLineOfEvent() },
    { label: l10n.t('Show in the Picture'), run: () => selecting.reveal() },
    copyRow,
    ...showInItems(page, selecting.asSelection()),
  ];
  return (
    <Grid
      label={l10n.t('Events in sight, by start')}
      className="event-table"
      isBusy={events.current === null}
      isTree={false}
      columns={columns}
      state={tableState(page.saved, 'events', { column: 'start', descending: false })}
      header={(fits) => (
        <div class="header" role="row" aria-rowindex={1}>
          {fits.map(({ id, title, align }) => (
            <div key={id} role="columnheader" class={`cell ${align ?? ''}`}>
              {title}
            </div>
          ))}
        </div>
      )}
      rows={rows}
      selectedAt={selectedRow === -1 ? -1 : selectedRow + (events.current?.first ?? 0)}
      reachableAt={Math.min(reached, Math.max(0, rows.length - 1))}
      revealed=""
      onSelect={(at) => {
        setReached(at);
        const row = rows[at];
        if (row !== undefined) {
          void selecting.look(row.row.place);
        }
      }}
      onOpen={() => void selecting.goToLineOfEvent()}
      onEscape={props.onLeave}
      onFirst={setFirst}
      menuOf={menuOf}
    >
      {failure === null ? null : (
        <p class="nothing-found" role="alert">
          {failure}
        </p>
      )}
      {events.current?.count === 0 ? <p class="nothing-found">{l10n.t('No event is in sight.')}</p> : null}
    </Grid>
  );
}

function columnsOf({ state }: Timeline): readonly Column<TableRow>[] {
  return [
    numberColumn('start', l10n.t('start'), TIME, ({ place }) => place.start_ps),
    numberColumn('duration', l10n.t('duration'), TIME, ({ place }) => place.duration_ps),
    numberColumn('self', l10n.t('self'), TIME, ({ self_ps }) => self_ps),
    {
      ...opColumn<TableRow>(namedEvent, { least_px: 100, fills: 1, exact: (row) => wholeName(row, row.place.name) }),
      title: l10n.t('name'),
    },
    textColumn('track', l10n.t('track'), ({ place }) => state.trackOf(place.track)?.name ?? '', {
      width_px: 220,
      least_px: 80,
    }),
  ];
}

/** All rows by their places, of which those around the ones in sight have come. */
function rowsOf(events: EventTableRecord | null): readonly (ShownRow<TableRow> | undefined)[] {
  const rows: (ShownRow<TableRow> | undefined)[] = [];
  rows.length = events?.count ?? 0;
  events?.rows.forEach((row, place) => {
    const at = events.first + place;
    rows[at] = { row, key: String(at), level: 1, parentKey: null, expandable: false, expanded: false };
  });
  return rows;
}
