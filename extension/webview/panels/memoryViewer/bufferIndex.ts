// Finds buffers of a record: by their row in a list or, where they are in none, by their lifetime.

import type { MemoryBuffer, MemoryViewerRecord } from '../../../src/protocol';
import { greatestRow } from '../../shared/table/greatest';

/** What is known of any buffer. */
export type BufferSummary = Pick<MemoryBuffer, 'id' | 'name' | 'category' | 'bytes' | 'start' | 'end'>;

/** A buffer that is pointed at or chosen. */
export interface FocusedBuffer extends BufferSummary {
  /** All that is known of it; null of a buffer that is not listed, until it is asked for. */
  readonly buffer: MemoryBuffer | null;
}

/** The buffer at a place of the record's list of lifetimes. */
export function summaryAt(
  { lifetimes: { id, name, bytes, start, end } }: MemoryViewerRecord,
  at: number,
  category: MemoryBuffer['category'],
): BufferSummary {
  return {
    id: id[at] ?? '',
    name: name[at] ?? '',
    category,
    bytes: bytes[at] ?? 0,
    start: start[at] ?? 0,
    end: end[at] ?? 0,
  };
}

export function focusOn(buffer: MemoryBuffer): FocusedBuffer {
  const { id, name, category, bytes, start, end } = buffer;
  return { id, name, category, bytes, start, end, buffer };
}

/** Finds buffers of a record by their id or the op that defines them. */
export class BufferIndex {
  private readonly known: ReadonlyMap<string, MemoryBuffer>;
  private readonly places: ReadonlyMap<string, number>;

  /** `others` are buffers besides those at the peak of which all is known. */
  constructor(
    private readonly record: MemoryViewerRecord,
    others: readonly MemoryBuffer[] = [],
  ) {
    this.known = new Map([...record.buffers, ...others].map((buffer) => [buffer.id, buffer]));
    this.places = new Map(record.lifetimes.id.map((id, at) => [id, at]));
  }

  byId(id: string): FocusedBuffer | null {
    const buffer = this.known.get(id);
    if (buffer !== undefined) {
      return focusOn(buffer);
    }
    const at = this.places.get(id);
    if (at === undefined) {
      return null;
    }
    // What is not at the peak is not there throughout.
    return { ...summaryAt(this.record, at, 'temporary'), buffer: null };
  }

  /** The largest buffer that an op defines: one at the peak if there is one. */
  byOp(key: string): FocusedBuffer | null {
    const { lifetimes } = this.record;
    const found = lifetimes.id.flatMap((id, at) => (lifetimes.op_key[at] === key ? (this.byId(id) ?? []) : []));
    return greatestRow(found, ({ buffer, bytes }) => (buffer === null ? bytes - Number.MAX_SAFE_INTEGER : bytes));
  }
}
