// The columns of windows, as they come packed in text. They become views on one buffer: nothing is copied twice.

import type { CounterRecord, WindowRecord, WindowRows } from '../../../../src/protocol';
import { firstNotBefore } from '../../../shared/charts/ascending';

/** Boxes of a window by row: those of row `r` are `firstBox[r]` to `firstBox[r + 1]`. Times are from its start. */
export interface Boxes {
  readonly count: number;
  readonly rows: number;
  readonly start_ps: Float64Array;
  readonly duration_ps: Float64Array;
  readonly firstBox: Uint32Array;
  readonly name: Uint32Array;
  /** How many events of a box are meant; null where nothing was asked for. */
  readonly matched: Uint32Array | null;
  /** Place of the track in the window's tracks. */
  readonly track: Uint16Array;
  readonly depth: Uint16Array;
  readonly colour: Uint8Array;
  /** Boxes that stand for several events, ascending, and of each how many and how much time they hold. */
  readonly mergedBox: Uint32Array;
  readonly mergedCount: Uint32Array;
  readonly mergedBusy_ps: Float64Array;
}

/**
 * A counter between `start_ps[i]` and the next: from `least[i]` to `greatest[i]`, NaN where it was no number. Times are
 * from the window's start.
 */
export interface CounterPoints {
  readonly record: CounterRecord;
  readonly start_ps: Float64Array;
  readonly least: Float64Array;
  readonly greatest: Float64Array;
}

export interface DecodedWindow {
  readonly record: WindowRecord;
  readonly boxes: Boxes;
  readonly counters: readonly CounterPoints[];
}

/** Decodes a window; throws a `RangeError` where its columns are not as long as it says. */
export function decodeWindow(record: WindowRecord): DecodedWindow {
  return { record, boxes: decodeBoxes(record.boxes), counters: record.counters.map(decodeCounter) };
}

/** The first of the boxes that stand for several that is this box or a later one. */
export function firstMergedFrom({ mergedBox }: Boxes, box: number): number {
  return firstNotBefore(0, mergedBox.length, (merged) => (mergedBox[merged] ?? 0) < box);
}

/** Of a box that stands for several, which place it has among them; -1 for one that is a slice. */
export function mergedAt(boxes: Boxes, box: number): number {
  const merged = firstMergedFrom(boxes, box);
  return boxes.mergedBox[merged] === box ? merged : -1;
}

function decodeBoxes({ rows, boxes, merged, has_matches, packed }: WindowRows): Boxes {
  const columns = new Columns(packed);
  const decoded: Boxes = {
    count: boxes,
    rows,
    start_ps: columns.next(Float64Array, boxes),
    duration_ps: columns.next(Float64Array, boxes),
    mergedBusy_ps: columns.next(Float64Array, merged),
    firstBox: columns.next(Uint32Array, rows + 1),
    name: columns.next(Uint32Array, boxes),
    matched: has_matches ? columns.next(Uint32Array, boxes) : null,
    mergedBox: columns.next(Uint32Array, merged),
    mergedCount: columns.next(Uint32Array, merged),
    track: columns.next(Uint16Array, rows),
    depth: columns.next(Uint16Array, rows),
    colour: columns.next(Uint8Array, boxes),
  };
  columns.end();
  return decoded;
}

function decodeCounter(record: CounterRecord): CounterPoints {
  const columns = new Columns(record.packed);
  const start_ps = columns.next(Float64Array, record.points);
  const least = columns.next(Float64Array, record.points);
  const greatest = columns.next(Float64Array, record.points);
  columns.end();
  return { record, start_ps, least, greatest };
}

/** A kind of typed array. */
interface ColumnOf<Column> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, first_byte: number, length: number): Column;
}

/** Takes columns from the front of packed bytes. Wide values come first, so each column starts where it may. */
class Columns {
  private readonly bytes: Uint8Array<ArrayBuffer>;
  private taken_bytes = 0;

  constructor(packed: string) {
    this.bytes = bytesOf(packed);
  }

  /** The next column, of that many values. */
  next<Column>(of: ColumnOf<Column>, length: number): Column {
    const first_byte = this.taken_bytes;
    this.taken_bytes += length * of.BYTES_PER_ELEMENT;
    if (this.taken_bytes > this.bytes.length) {
      throw new RangeError(`A window has ${this.bytes.length} bytes, fewer than its columns.`);
    }
    return new of(this.bytes.buffer, first_byte, length);
  }

  end(): void {
    if (this.taken_bytes !== this.bytes.length) {
      throw new RangeError(`A window has ${this.bytes.length} bytes, of which ${this.taken_bytes} are columns.`);
    }
  }
}

function bytesOf(packed: string): Uint8Array<ArrayBuffer> {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    bytes[at] = text.charCodeAt(at);
  }
  return bytes;
}
