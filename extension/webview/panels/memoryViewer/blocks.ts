// The allocation map: every buffer as a block, from its start to its end, at the addresses where it lies.

import type { MemoryViewerRecord } from '../../../src/protocol';
import { greatestRow } from '../../shared/table/greatest';
import { type BufferSummary, summariesOf } from './bufferIndex';

export interface Block extends BufferSummary {
  readonly allocation: number;
  /** Within its allocation. */
  readonly offset_bytes: number;
  /** Where it begins when the allocations lie one above the other. */
  readonly bottom_bytes: number;
}

/** Blocks by their start, and how high they reach. */
export interface AllocationMap {
  readonly blocks: readonly Block[];
  readonly height_bytes: number;
  /** All allocations, also where the map is of one of them, in the order in which they lie, with their size as far as their buffers show it. */
  readonly allocations: readonly { readonly number: number; readonly bytes: number }[];
  /** Buffers of which it is not known where they lie. */
  readonly unplaced: number;
}

/** The map of all allocations, one above the other in the order of their numbers, or of one of them. */
export function allocationMap(record: MemoryViewerRecord, only: number | null): AllocationMap {
  const all = summariesOf(record);
  const placed = all.flatMap(({ allocation, offset_bytes, ...buffer }) =>
    allocation === null || offset_bytes === null ? [] : [{ ...buffer, allocation, offset_bytes }],
  );
  const sizes = new Map<number, number>();
  for (const { allocation, offset_bytes, bytes } of placed) {
    sizes.set(allocation, Math.max(sizes.get(allocation) ?? 0, offset_bytes + bytes));
  }
  const allocations = [...sizes].sort(([one], [other]) => one - other).map(([number, bytes]) => ({ number, bytes }));
  const bottoms = new Map<number, number>();
  let height_bytes = 0;
  for (const { number, bytes } of allocations) {
    if (only === null || only === number) {
      bottoms.set(number, height_bytes);
      height_bytes += bytes;
    }
  }
  const blocks = placed.flatMap((buffer) => {
    const bottom = bottoms.get(buffer.allocation);
    return bottom === undefined ? [] : [{ ...buffer, bottom_bytes: bottom + buffer.offset_bytes }];
  });
  blocks.sort((one, other) => one.start - other.start || one.bottom_bytes - other.bottom_bytes);
  return { blocks, height_bytes, allocations, unplaced: all.length - placed.length };
}

/** The smallest block at a place: one may lie in what another has left, or shares. */
export function blockAt({ blocks }: AllocationMap, position: number, height_bytes: number): Block | null {
  const there = blocks.filter(
    (block) =>
      position >= block.start &&
      position < block.end &&
      height_bytes >= block.bottom_bytes &&
      height_bytes < topOf(block),
  );
  return greatestRow(there, ({ bytes }) => -bytes);
}

export type Direction = 'before' | 'after' | 'above' | 'below';

/** The block that an arrow key goes to: the one made before or after, or the nearest that lies above or below. */
export function neighbourOf({ blocks }: AllocationMap, block: Block, direction: Direction): Block | null {
  if (direction === 'before' || direction === 'after') {
    return blocks[blocks.indexOf(block) + (direction === 'after' ? 1 : -1)] ?? null;
  }
  const atThatTime = blocks.filter((other) => other !== block && other.start < block.end && other.end > block.start);
  const above = atThatTime.filter((other) => other.bottom_bytes >= topOf(block));
  const below = atThatTime.filter((other) => topOf(other) <= block.bottom_bytes);
  return direction === 'above' ? greatestRow(above, ({ bottom_bytes }) => -bottom_bytes) : greatestRow(below, topOf);
}

function topOf({ bottom_bytes, bytes }: Block): number {
  return bottom_bytes + bytes;
}
