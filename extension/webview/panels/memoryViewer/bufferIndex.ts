// Finds buffers of a record: by their row in a list or, where they are in none, by their lifetime.

import type { MemoryBuffer, MemoryViewerRecord } from '../../../src/protocol';
import { greatestRow } from '../../shared/table/greatest';

/** What is known of any buffer. */
export type BufferSummary = Pick<
  MemoryBuffer,
  'id' | 'name' | 'category' | 'bytes' | 'start' | 'end' | 'op_key' | 'allocation' | 'offset_bytes'
>;

/** A buffer that is pointed at or chosen. */
export interface FocusedBuffer extends BufferSummary {
  /** All that is known of it; null of a buffer that is not listed, until it is asked for. */
  readonly buffer: MemoryBuffer | null;
}

/** Every buffer of the memory space. */
export function summariesOf({ lifetimes, buffers }: MemoryViewerRecord): readonly BufferSummary[] {
  const categories = new Map(buffers.map(({ id, category }) => [id, category]));
  return lifetimes.id.map((id, at) => ({
    id,
    name: lifetimes.name[at] ?? '',
    // What is there throughout is among the buffers at the peak.
    category: categories.get(id) ?? 'temporary',
    bytes: lifetimes.bytes[at] ?? 0,
    start: lifetimes.start[at] ?? 0,
    end: lifetimes.end[at] ?? 0,
    op_key: lifetimes.op_key[at] ?? null,
    allocation: lifetimes.allocation[at] ?? null,
    offset_bytes: lifetimes.offset_bytes[at] ?? null,
  }));
}

/** Buffers of a record by their id. */
export type BufferIndex = ReadonlyMap<string, FocusedBuffer>;

export function bufferIndex(record: MemoryViewerRecord): BufferIndex {
  const all: readonly FocusedBuffer[] = [
    ...summariesOf(record).map((summary) => ({ ...summary, buffer: null })),
    ...record.buffers.map(focusedBuffer),
  ];
  return new Map(all.map((each) => [each.id, each]));
}

/** The index with all that is known of `buffers`; itself where that is in it. */
export function withBuffers(index: BufferIndex, buffers: readonly MemoryBuffer[]): BufferIndex {
  const missing = buffers.filter(({ id }) => (index.get(id)?.buffer ?? null) === null);
  return missing.length === 0
    ? index
    : new Map([...index, ...missing.map((each) => [each.id, focusedBuffer(each)] as const)]);
}

function focusedBuffer(buffer: MemoryBuffer): FocusedBuffer {
  return { ...buffer, buffer };
}

/** The largest buffer that an op defines: one at the peak if there is one. */
export function largestOfOp(index: BufferIndex, key: string): FocusedBuffer | null {
  return greatestRow(
    [...index.values()].filter(({ op_key }) => op_key === key),
    ({ buffer, bytes }) => (buffer === null ? bytes - Number.MAX_SAFE_INTEGER : bytes),
  );
}
