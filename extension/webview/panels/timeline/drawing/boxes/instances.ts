// What renderers draw: rectangles that know their times and their row, so that neither panning, zooming nor scrolling
// changes them. They are made once for each window.

import type { CounterPoints, DecodedWindow } from '../../windows/packed';
import { firstMergedFrom } from '../../windows/packed';
import { lengthOf } from '../../state/viewport';
import { COUNTER, DIMMED, IDLE, SURFACE, TINTED } from './palette';

/** Beside the look (`TINTED`, `DIMMED`): only a border, and a border in the colour of text. */
export const HOLLOW = 4;
export const OUTLINED = 8;

/**
 * Columns of rectangles, by row: those of row `r` are `firstOfRow[r]` to `firstOfRow[r + 1]`. Times are from the
 * window's start; `top` and `bottom` are parts of 255 of the row's height.
 *
 * Rows are those of the window's boxes, then one for each of its counters, then one for each of its tracks: the last
 * have the ground that hides coarser pictures behind a track.
 */
export interface Instances {
  readonly count: number;
  readonly rows: number;
  readonly firstOfRow: Uint32Array;
  readonly start_ps: Float64Array;
  readonly end_ps: Float64Array;
  readonly row: Uint16Array;
  readonly entry: Uint8Array;
  readonly flags: Uint8Array;
  readonly top: Uint8Array;
  readonly bottom: Uint8Array;
}

/** Of a merged box's height what stays light, so that it is told from a slice at any colour and width. */
const CAP = 50;
/** Of a counter's height the least that a line takes. */
const LEAST_LINE = 10;

/** The first row of counters, of the tracks' grounds, and the end. */
export function rowKinds({ boxes, counters, record }: DecodedWindow): {
  counters: number;
  grounds: number;
  end: number;
} {
  const grounds = boxes.rows + counters.length;
  return { counters: boxes.rows, grounds, end: grounds + record.tracks.length };
}

/** Makes the rectangles of a window; `entries` has an entry of the palette for each box. */
export function instancesOf(window: DecodedWindow, entries: Uint8Array): Instances {
  const { boxes, counters, record } = window;
  const { end: rows } = rowKinds(window);
  const points = counters.reduce((sum, { start_ps }) => sum + start_ps.length, 0);
  const ready = record.tracks.filter((track) => track.ready).length;
  const columns = new Columns(boxes.count + boxes.mergedBox.length + 2 * points + ready, rows);
  const length_ps = lengthOf(record);
  for (let row = 0; row < boxes.rows; row += 1) {
    columns.startRow();
    addBoxes(columns, window, entries, row);
  }
  for (const counter of counters) {
    columns.startRow();
    addCounter(columns, counter, length_ps);
  }
  for (const { ready: isReady } of record.tracks) {
    columns.startRow();
    if (isReady) {
      columns.add(0, length_ps, SURFACE, 0, 0, 255);
    }
  }
  return columns.end();
}

function addBoxes(columns: Columns, { boxes }: DecodedWindow, entries: Uint8Array, row: number): void {
  const { start_ps, duration_ps, firstBox, colour, matched, mergedBox, mergedBusy_ps } = boxes;
  const last = firstBox[row + 1] ?? 0;
  let merged = firstMergedFrom(boxes, firstBox[row] ?? 0);
  for (let box = firstBox[row] ?? 0; box < last; box += 1) {
    const from_ps = start_ps[box] ?? 0;
    const length_ps = duration_ps[box] ?? 0;
    const isMatched = matched !== null && (matched[box] ?? 0) > 0;
    const look = matched !== null && !isMatched ? DIMMED : 0;
    const border = (isMatched ? OUTLINED : 0) | (colour[box] === IDLE ? HOLLOW : 0);
    const entry = entries[box] ?? 0;
    if (mergedBox[merged] !== box) {
      columns.add(from_ps, from_ps + length_ps, entry, look | border, 0, 255);
      continue;
    }
    const busy = length_ps > 0 ? Math.min(1, (mergedBusy_ps[merged] ?? 0) / length_ps) : 1;
    columns.add(from_ps, from_ps + length_ps, entry, look | border | TINTED, 0, 255);
    columns.add(from_ps, from_ps + length_ps, entry, look, Math.round(255 - (255 - CAP) * busy), 255);
    merged += 1;
  }
}

/** The area below what a counter was, and a line from its least to its greatest. */
function addCounter(columns: Columns, { record, start_ps, least, greatest }: CounterPoints, length_ps: number): void {
  const base = Math.min(0, record.least);
  const range = record.greatest - base || 1;
  const height = (value: number): number => Math.max(0, Math.min(255, Math.round(255 * (1 - (value - base) / range))));
  for (let point = 0; point < start_ps.length; point += 1) {
    if (Number.isNaN(greatest[point])) {
      continue;
    }
    const from_ps = start_ps[point] ?? 0;
    const to_ps = start_ps[point + 1] ?? length_ps;
    const top = Math.min(height(greatest[point] ?? 0), 255 - LEAST_LINE);
    const bottom = Math.max(height(least[point] ?? 0), top + LEAST_LINE);
    columns.add(from_ps, to_ps, COUNTER, TINTED, bottom, 255);
    columns.add(from_ps, to_ps, COUNTER, 0, top, Math.min(255, bottom));
  }
}

/** Columns that are being filled, row by row. */
class Columns {
  private readonly columns;
  private count = 0;
  private row = -1;

  constructor(most: number, rows: number) {
    this.columns = {
      firstOfRow: new Uint32Array(rows + 1),
      start_ps: new Float64Array(most),
      end_ps: new Float64Array(most),
      row: new Uint16Array(most),
      entry: new Uint8Array(most),
      flags: new Uint8Array(most),
      top: new Uint8Array(most),
      bottom: new Uint8Array(most),
    };
  }

  startRow(): void {
    this.row += 1;
    this.columns.firstOfRow[this.row] = this.count;
  }

  add(start_ps: number, end_ps: number, entry: number, flags: number, top: number, bottom: number): void {
    const { columns, count: at } = this;
    columns.start_ps[at] = start_ps;
    columns.end_ps[at] = end_ps;
    columns.row[at] = this.row;
    columns.entry[at] = entry;
    columns.flags[at] = flags;
    columns.top[at] = top;
    columns.bottom[at] = bottom;
    this.count += 1;
  }

  end(): Instances {
    this.startRow();
    return { count: this.count, rows: this.row, ...this.columns };
  }
}
