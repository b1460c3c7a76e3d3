// Samples of one memory as a chart needs them: stacked, in the order of their time.

import type { MemoryRecord, MemorySample } from '../../../src/protocol';
import { greatest, greatestRow } from '../../shared/table/greatest';

export type SampleColumns = ReturnType<typeof sampleColumns>;

/** The memory with the greatest peak of those of the first kind: of a process all of its memory is one of the others. */
export function fullest(memories: readonly MemoryRecord[]): MemoryRecord | null {
  const alike = memories.filter(({ kind }) => kind === memories[0]?.kind);
  return greatestRow(alike, ({ peak_bytes }) => peak_bytes);
}

export function usedBytes({ stack_bytes, heap_bytes }: MemorySample): number {
  return (stack_bytes ?? 0) + heap_bytes;
}

/** A capacity that is so many times what was in use or more would flatten the areas. */
const CAPACITY_WITHIN = 20;

/** Columns of the samples, in the order of their time. A column that no sample has is null. */
export function sampleColumns({ samples: unordered, capacity_bytes: capacity }: MemoryRecord) {
  const samples = [...unordered].sort((one, other) => one.time_ps - other.time_ps);
  const used_bytes = Float64Array.from(samples, usedBytes);
  const most = greatest(used_bytes, (each) => each);
  const isDrawn = (bytes: number): boolean => bytes <= most * CAPACITY_WITHIN;
  const all = samples.map(({ free_bytes: free }, at) => (free === null ? null : (used_bytes[at] ?? 0) + free));
  const withFree = all.some((bytes) => bytes !== null) && all.every((bytes) => bytes === null || isDrawn(bytes));
  return {
    samples,
    times_ps: Float64Array.from(samples, ({ time_ps }) => time_ps),
    /** Null where the memory has no stack apart. */
    stack_bytes: samples.some(({ stack_bytes }) => (stack_bytes ?? 0) > 0)
      ? Float64Array.from(samples, ({ stack_bytes }) => stack_bytes ?? 0)
      : null,
    /** Stack and heap. */
    used_bytes,
    /** Stack, heap and what is free; null where that is not known. */
    all_bytes: withFree ? all : null,
    fragmentation_ratio: samples.some(({ fragmentation_ratio: ratio }) => ratio !== null)
      ? samples.map(({ fragmentation_ratio: ratio }) => ratio)
      : null,
    /** The most that is drawn. */
    greatest_bytes: greatest(
      withFree ? all : [],
      (bytes) => bytes,
      capacity !== null && isDrawn(capacity) ? Math.max(most, capacity) : most,
    ),
    /** The sample with the most in use, of several the last one, as the daemon counts; -1 without samples. */
    peak: used_bytes.lastIndexOf(most),
  };
}
