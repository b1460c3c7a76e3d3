// A window of a held timeline, as the daemon would answer it: what is shorter than a pixel is merged, no time dropped.

import type { CounterRecord, WindowOptions, WindowRecord, WindowTrack } from '../../../src/protocol';
import type { CounterPoints } from '../../panels/timeline/windows/packed';
import { firstNotBefore } from '../../shared/charts/ascending';
import type { HeldEvents, Row } from './heldEvents';
import { type DrawnBox, packedDoubles, packedRows, RowColumns } from './packing';

/** `isMeant` says of the id of a name whether its events are sought; null where nothing is. */
export function windowOf(
  events: HeldEvents,
  asked: WindowOptions,
  isMeant: ((name: number) => boolean) | null,
): WindowRecord {
  const { start_ps, end_ps, width_px } = asked;
  const px_ps = (end_ps - start_ps) / Math.max(1, width_px);
  const columns = new RowColumns();
  const counters: CounterRecord[] = [];
  const tracks = asked.tracks.map((id, place): WindowTrack => {
    const counter = events.counters.get(id);
    if (counter !== undefined) {
      counters.push(counterIn(counter, start_ps, end_ps));
      return { id, depths: 1, busy_ps: 0, ready: true };
    }
    const rows = events.rowsOf(id);
    let busy_ps = 0;
    for (const row of rows.filter(({ depth }) => depth < (asked.depths[place] ?? 0))) {
      columns.begin(place, row.depth);
      busy_ps += drawRow(events, row, { start_ps, end_ps, px_ps }, columns, isMeant);
    }
    return { id, depths: (rows.at(-1)?.depth ?? -1) + 1, busy_ps, ready: true };
  });
  return {
    start_ps,
    end_ps,
    width_px,
    merged_px: Math.max(1, events.px_ps > 1 ? events.px_ps / px_ps : 1),
    tracks,
    boxes: packedRows(columns, isMeant !== null),
    counters,
  };
}

interface Cut {
  readonly start_ps: number;
  readonly end_ps: number;
  readonly px_ps: number;
}

/** Several short boxes of one pixel. */
class Run {
  readonly times = new Map<number, number>();
  end_ps: number;
  busy_ps = 0;
  count = 0;
  matched = 0;
  colour = 0;
  private longest_ps = -1;

  constructor(
    readonly start_ps: number,
    readonly pixel: number,
  ) {
    this.end_ps = start_ps;
  }

  add(name: number, colour: number, end_ps: number, busy_ps: number, count: number, matched: number): void {
    const time_ps = (this.times.get(name) ?? 0) + busy_ps;
    this.times.set(name, time_ps);
    if (time_ps > this.longest_ps) {
      this.longest_ps = time_ps;
      this.colour = colour;
    }
    this.end_ps = Math.max(this.end_ps, end_ps);
    this.busy_ps += busy_ps;
    this.count += count;
    this.matched += matched;
  }

  /** The name with the most time. */
  get name(): number {
    return [...this.times].reduce((most, each) => (each[1] > most[1] ? each : most), [0, -1])[0];
  }
}

/** Draws a row; returns the time of its events in the window. */
function drawRow(
  events: HeldEvents,
  row: Row,
  { start_ps, end_ps, px_ps }: Cut,
  columns: RowColumns,
  isMeant: ((name: number) => boolean) | null,
): number {
  const { boxes } = events;
  let whole_ps = 0;
  let run: Run | null = null;
  const add = (from_ps: number, to_ps: number, box: Omit<DrawnBox, 'start_ps' | 'duration_ps'>): void =>
    columns.add({ ...box, start_ps: from_ps - start_ps, duration_ps: to_ps - from_ps });
  const end = (): void => {
    if (run !== null) {
      const { name, colour, matched, count, busy_ps } = run;
      add(run.start_ps, run.end_ps, { name, colour, matched, count, busy_ps });
      run = null;
    }
  };
  for (const box of events.boxesIn(row, start_ps, end_ps)) {
    const [from_ps, to_ps, count] = [events.startOf(box), events.endOf(box), events.countOf(box)];
    const [name, colour] = [boxes.name[box] ?? 0, boxes.colour[box] ?? 0];
    const busy_ps = events.busyOf(box, start_ps, end_ps);
    const matched = isMeant?.(name) === true ? count : 0;
    whole_ps += busy_ps;
    if (to_ps - from_ps >= px_ps) {
      end();
      add(from_ps, to_ps, { name, colour, matched, count, busy_ps });
      continue;
    }
    const pixel = Math.floor((from_ps - start_ps) / px_ps);
    const open: Run | null = run;
    const into: Run = open !== null && open.pixel === pixel ? open : new Run(from_ps, pixel);
    if (into !== open) {
      end();
      run = into;
    }
    into.add(name, colour, to_ps, busy_ps, count, matched);
  }
  end();
  return whole_ps;
}

/** The values of a counter from the last before a window to the first behind it. */
function counterIn(
  { record, start_ps, least, greatest }: CounterPoints,
  from_ps: number,
  to_ps: number,
): CounterRecord {
  const firstAfter = (at_ps: number): number =>
    firstNotBefore(0, start_ps.length, (point) => (start_ps[point] ?? 0) <= at_ps);
  const first = Math.max(0, firstAfter(from_ps) - 1);
  const end = firstAfter(to_ps);
  return {
    ...record,
    points: end - first,
    packed: packedDoubles([
      [...start_ps.slice(first, end)].map((time) => time - from_ps),
      [...least.slice(first, end)],
      [...greatest.slice(first, end)],
    ]),
  };
}
