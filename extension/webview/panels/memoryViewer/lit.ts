// The buffer that is pointed at or looked at: by its row in a list or, where it is in none, by its lifetime.

import type { MemoryBuffer, MemoryViewerRecord } from '../../../src/protocol';
import type { Category } from './categories';

/** What is known of any buffer. */
export interface LitBuffer {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  readonly bytes: number;
  readonly start: number;
  readonly end: number;
  /** All that is known of it; null of a buffer that is not listed, until it is asked for. */
  readonly buffer: MemoryBuffer | null;
}

export function litOf(buffer: MemoryBuffer): LitBuffer {
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

  byId(id: string): LitBuffer | null {
    const buffer = this.known.get(id);
    if (buffer !== undefined) {
      return litOf(buffer);
    }
    const at = this.places.get(id);
    if (at === undefined) {
      return null;
    }
    const { name, bytes, start, end } = this.record.lifetimes;
    return {
      id,
      name: name[at] ?? '',
      // What is not at the peak is not there throughout.
      category: 'temporary',
      bytes: bytes[at] ?? 0,
      start: start[at] ?? 0,
      end: end[at] ?? 0,
      buffer: null,
    };
  }

  /** The largest buffer that an op defines: one at the peak if there is one. */
  byOp(key: string): LitBuffer | null {
    let found: LitBuffer | null = null;
    const { lifetimes } = this.record;
    lifetimes.op_key.forEach((each, at) => {
      const lit = each === key ? this.byId(lifetimes.id[at] ?? '') : null;
      if (lit !== null && (found === null || rankOf(lit) > rankOf(found))) {
        found = lit;
      }
    });
    return found;
  }
}

function rankOf({ buffer, bytes }: LitBuffer): number {
  return buffer === null ? bytes - Number.MAX_SAFE_INTEGER : bytes;
}
