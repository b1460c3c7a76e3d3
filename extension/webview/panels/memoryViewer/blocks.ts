// The allocation map: every buffer as a block, from its start to its end, at the addresses where it lies.

import type { MemoryViewerRecord } from '../../../src/protocol';
import type { Category } from './categories';

export interface Block {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  readonly allocation: number;
  readonly bytes: number;
  /** Within its allocation. */
  readonly offset_bytes: number;
  /** Where it begins when the allocations lie one above the other. */
  readonly bottom_bytes: number;
  readonly start: number;
  readonly end: number;
}

/** Blocks by their start, and how high they reach. */
export interface AllocationMap {
  readonly blocks: readonly Block[];
  readonly height_bytes: number;
  /** The allocations in the order in which they lie, with their size as far as their buffers show it. */
  readonly allocations: readonly { readonly number: number; readonly bytes: number }[];
  /** Buffers of which it is not known where they lie. */
  readonly unplaced: number;
}

/** The map of all allocations, one above the other in the order of their numbers, or of one of them. */
export function allocationMap(record: MemoryViewerRecord, only: number | null): AllocationMap {
  const { lifetimes } = record;
  const sizes = new Map<number, number>();
  let unplaced = 0;
  lifetimes.id.forEach((_, at) => {
    const [allocation, offset] = [lifetimes.allocation[at] ?? null, lifetimes.offset_bytes[at] ?? null];
    if (allocation === null || offset === null) {
      unplaced += 1;
    } else {
      sizes.set(allocation, Math.max(sizes.get(allocation) ?? 0, offset + (lifetimes.bytes[at] ?? 0)));
    }
  });
  const allocations = [...sizes].sort(([one], [other]) => one - other).map(([number, bytes]) => ({ number, bytes }));
  const bottoms = new Map<number, number>();
  let height_bytes = 0;
  for (const { number, bytes } of allocations) {
    if (only === null || only === number) {
      bottoms.set(number, height_bytes);
      height_bytes += bytes;
    }
  }
  const categories = new Map(record.buffers.map(({ id, category }) => [id, category]));
  const blocks: Block[] = [];
  lifetimes.id.forEach((id, at) => {
    const [allocation, offset_bytes] = [lifetimes.allocation[at] ?? null, lifetimes.offset_bytes[at] ?? null];
    const bottom = allocation === null ? undefined : bottoms.get(allocation);
    if (allocation !== null && offset_bytes !== null && bottom !== undefined) {
      blocks.push({
        id,
        name: lifetimes.name[at] ?? '',
        // What is there throughout is among the buffers at the peak.
        category: categories.get(id) ?? 'temporary',
        allocation,
        bytes: lifetimes.bytes[at] ?? 0,
        offset_bytes,
        bottom_bytes: bottom + offset_bytes,
        start: lifetimes.start[at] ?? 0,
        end: lifetimes.end[at] ?? 0,
      });
    }
  });
  blocks.sort((one, other) => one.start - other.start || one.bottom_bytes - other.bottom_bytes);
  return { blocks, height_bytes, allocations, unplaced };
}

/** The smallest block at a place: one may lie in what another has left, or shares. */
export function blockAt(map: AllocationMap, position: number, height_bytes: number): Block | null {
  let found: Block | null = null;
  for (const block of map.blocks) {
    const isThere =
      position >= block.start &&
      position < block.end &&
      height_bytes >= block.bottom_bytes &&
      height_bytes < block.bottom_bytes + block.bytes;
    if (isThere && (found === null || block.bytes < found.bytes)) {
      found = block;
    }
  }
  return found;
}

export type Direction = 'before' | 'after' | 'above' | 'below';

/** The block that an arrow key goes to: the one made before or after, or the nearest that lies above or below. */
export function neighbourOf(map: AllocationMap, block: Block, direction: Direction): Block | null {
  const { blocks } = map;
  if (direction === 'before' || direction === 'after') {
    return blocks[blocks.indexOf(block) + (direction === 'after' ? 1 : -1)] ?? null;
  }
  const isUp = direction === 'above';
  let nearest: Block | null = null;
  for (const other of blocks) {
    const isBeside = isUp
      ? other.bottom_bytes >= block.bottom_bytes + block.bytes
      : other.bottom_bytes + other.bytes <= block.bottom_bytes;
    const livesThen = other.start < block.end && other.end > block.start;
    const isNearer =
      nearest === null || (isUp ? other.bottom_bytes < nearest.bottom_bytes : topOf(other) > topOf(nearest));
    if (isBeside && livesThen && isNearer && other !== block) {
      nearest = other;
    }
  }
  return nearest;
}

function topOf({ bottom_bytes, bytes }: Block): number {
  return bottom_bytes + bytes;
}
