// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import {
  allocationMap,
  type Block,
  blockAt,
  neighbourOf,
} from '../../../../extension/webview/panels/memoryViewer/blocks';
import {
  expansionOf,
  extraBytes,
  inOrder,
  meantProgram,
  selectionOf,
  splitShape,
} from '../../../../extension/webview/panels/memoryViewer/buffers';
import {
  backwardEnd,
  curveOf,
  ownBytes,
  partsAlive,
  pointFacts,
  pointOf,
  positionOf,
} from '../../../../extension/webview/panels/memoryViewer/curveData';
import { figures } from '../../../../extension/webview/panels/memoryViewer/head';
import { bufferIndex, largestOfOp, withBuffers } from '../../../../extension/webview/panels/memoryViewer/bufferIndex';
import { cellAtPlace, stripCells } from '../../../../extension/webview/panels/memoryViewer/stripCells';
import { sampleColumns } from '../../../../extension/webview/panels/memoryProfile/samples';
import { moment } from '../../../../extension/webview/panels/memoryProfile/words';
import {
  inside,
  isWhole,
  lengthOf,
  movedSpan,
  positionAt,
  spanHolding,
  zoomedSpan,
} from '../../../../extension/webview/shared/charts/span';
import '../shared/browser';
import { aBuffer, add, aMemory, aSample, dot, early, KIB, memoryRecord, MIB, weights } from './madeMemory';

const record = memoryRecord();
const own = ownBytes(record.lifetimes);

describe('the curve', () => {
  const program = curveOf(record, 'program');
  const execution = curveOf(record, 'execution');

  test('begins before all steps, and has its peak where the record has it', () => {
    expect(positionOf(program, 0)).toBe(-1);
    expect(positionOf(program, program.peak)).toBe(record.peak_position);
    expect(program.bytes[program.peak]).toBe(record.peak_bytes);
    expect(execution.bytes[execution.peak]).toBe(record.peak_bytes);
  });

  test('holds at every position what its buffers sum up to', () => {
    const { lifetimes, timeline } = record;
    for (let point = 1; point < timeline.bytes.length; point += 1) {
      const position = positionOf(program, point);
      const alive = lifetimes.id.filter(
        (_, at) => (lifetimes.start[at] ?? 0) <= position && (lifetimes.end[at] ?? 0) > position,
      );
      const sum = alive.reduce((total, id) => total + (lifetimes.bytes[lifetimes.id.indexOf(id)] ?? 0), 0);
      expect([point, timeline.bytes[point]]).toEqual([point, sum]);
    }
  });

  test('ends its backward pass at its last place where nothing runs after it', () => {
    expect(record.execution?.backward_end).toBe(execution.bytes.length);
    expect(backwardEnd(execution)).toBe(execution.places.at(-1));
    expect(backwardEnd(program)).toBeNull();
  });

  test('says of a point its op, what that makes, the sum and the change', () => {
    const peak = pointFacts(program, program.peak, own);
    expect(peak).toEqual({
      op: 'add.2',
      own_bytes: add.bytes,
      bytes: 6 * MIB,
      unpadded_bytes: 5.5 * MIB,
      change_bytes: 3 * MIB,
    });
    expect(pointFacts(program, 0, own)).toMatchObject({ op: '', own_bytes: 0, change_bytes: null });
    expect(pointFacts(execution, 0, own)).toMatchObject({ op: 'early.3', change_bytes: null });
    expect(pointFacts(execution, 2, own)).toMatchObject({ op: 'add.2', bytes: 6 * MIB, change_bytes: 3 * MIB });
  });

  test.each([program, execution])('finds the point of each position of $kind', (curve) => {
    curve.bytes.forEach((_, point) => expect(pointOf(curve, positionOf(curve, point))).toBe(point));
    expect(pointOf(curve, 99)).toBeNull();
  });

  test('shows a lifetime as one part in the plan, and as those that run meanwhile in the order of execution', () => {
    expect(partsAlive(program, dot)).toEqual([{ from: 1, to: 3 }]);
    expect(partsAlive(execution, dot)).toEqual([{ from: 1, to: 3 }]);
    const scattered = { ...execution, positions: [1, 9, 2, 8] };
    expect(partsAlive(scattered, dot)).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 3 },
    ]);
  });
});

describe('buffers', () => {
  test('are ordered by program, size and padding', () => {
    const names = (order: Parameters<typeof inOrder>[1]) => inOrder(record.buffers, order).map(({ name }) => name);
    expect(names('program')).toEqual(['weights', 'dot.1', 'add.2']);
    expect(names('size')).toEqual(['add.2', 'weights', 'dot.1']);
    expect(names('padding')).toEqual(['dot.1', 'weights', 'add.2']);
  });

  test('say how much padding adds, and not how much where they hold nothing', () => {
    expect([extraBytes(dot), expansionOf(dot)]).toEqual([MIB / 2, 2]);
    expect(expansionOf(aBuffer('token', { bytes: 0, unpadded_bytes: 0 }))).toBeNull();
  });

  test('have shape and layout apart, but for tuples', () => {
    expect(splitShape(dot.shape)).toEqual({ shape: 'f32[8,100]', layout: '{1,0:T(8,128)}' });
    expect(splitShape('(f32[2]{0}, s32[])')).toEqual({ shape: '(f32[2]{0}, s32[])', layout: '' });
  });

  test('select their op elsewhere, or their line, or nothing', () => {
    expect(selectionOf(dot)).toEqual({ kind: 'op', key: '7/dot.1', file: '/w/model.py', line: 3 });
    expect(selectionOf({ ...dot, op_key: null })).toEqual({ kind: 'line', file: '/w/model.py', line: 3 });
    expect(selectionOf(weights)).toBeNull();
  });

  test('are found by their id and their op, also those that are gone at the peak', () => {
    const index = bufferIndex(record);
    expect(index.get(dot.id)?.buffer).toEqual(dot);
    expect(largestOfOp(index, '7/early.3')).toMatchObject({ id: early.id, buffer: null, start: 0, end: 1, bytes: MIB });
    expect(largestOfOp(withBuffers(bufferIndex(record), [early]), '7/early.3')?.buffer).toEqual(early);
    expect(largestOfOp(index, '7/nothing')).toBeNull();
  });

  test('of another program are looked for there', () => {
    const op = { kind: 'op', file: null, line: null } as const;
    expect(meantProgram(record, { ...op, key: '8/add.9' })).toEqual({ program_id: '8', op_key: '8/add.9' });
    expect(meantProgram(record, { ...op, key: '9/add.9' })).toBeNull();
    const program = { kind: 'program', file: null, line: null } as const;
    expect(meantProgram(record, { ...program, name: 'jit_init' })).toEqual({ program_id: '8', op_key: null });
  });
});

describe('the strip', () => {
  const bytesOf = ({ bytes }: { readonly bytes: number }) => bytes;
  const many = Array.from({ length: 10_000 }, (_, at) => aBuffer(`b${String(at)}`, { bytes: 1 + (at % 7) * KIB }));

  test('gives each buffer its part of the width, without gaps', () => {
    const cells = stripCells(record.buffers, bytesOf, 600);
    expect(cells.map(({ width_px }) => width_px)).toEqual([200, 100, 300]);
    expect(cells.map(({ largest }) => largest.category)).toEqual(['parameter', 'temporary', 'temporary']);
    expect(cellAtPlace(cells, 250)?.buffers).toEqual([dot]);
    expect(cellAtPlace(cells, 601)).toBeNull();
  });

  test('draws very many in as many cells as can be seen, with none left out', () => {
    const cells = stripCells(many, bytesOf, 500);
    expect(cells.length).toBeLessThanOrEqual(250);
    expect(cells.flatMap(({ buffers }) => buffers)).toEqual(many);
    const last = cells.at(-1);
    expect((last?.x_px ?? 0) + (last?.width_px ?? 0)).toBeCloseTo(500);
    const [first] = cells;
    expect(first?.largest.bytes).toBe(Math.max(...(first?.buffers.map(bytesOf) ?? [])));
  });

  test('has no cells of what is not padded', () => {
    expect(stripCells([weights, add], extraBytes, 600)).toEqual([]);
    expect(stripCells(record.buffers, extraBytes, 600).flatMap(({ buffers }) => buffers)).toEqual([dot]);
  });
});

describe('the allocation map', () => {
  const map = allocationMap(record, null);
  const block = (name: string) => map.blocks.find((each) => each.name === name) as Block;

  test('lays allocations upon each other, each as high as its buffers reach', () => {
    expect(map.allocations).toEqual([
      { number: 0, bytes: 2 * MIB },
      { number: 1, bytes: 4 * MIB },
    ]);
    expect(map.height_bytes).toBe(6 * MIB);
    expect(block('add.2').bottom_bytes).toBe(3 * MIB);
    expect(allocationMap(record, 1).height_bytes).toBe(4 * MIB);
    expect(allocationMap(record, 1).blocks.map(({ allocation }) => allocation)).toEqual([1, 1, 1]);
  });

  test('counts what lies nowhere, rather than drawing it at 0', () => {
    const { lifetimes } = record;
    const lost = memoryRecord({ lifetimes: { ...lifetimes, offset_bytes: [0, null, 0, 0] } });
    expect(allocationMap(lost, null)).toMatchObject({ unplaced: 1 });
    expect(allocationMap(lost, null).blocks).toHaveLength(3);
  });

  test('is pointed at and walked', () => {
    expect(blockAt(map, 2, 3.5 * MIB)?.name).toBe('add.2');
    expect(blockAt(map, 4, 3.5 * MIB)).toBeNull();
    expect(neighbourOf(map, block('add.2'), 'below')?.name).toBe('dot.1');
    expect(neighbourOf(map, block('weights'), 'above')?.name).toBe('early.3');
    expect(neighbourOf(map, block('add.2'), 'above')).toBeNull();
    expect(neighbourOf(map, block('dot.1'), 'after')?.name).toBe('add.2');
    expect(neighbourOf(map, map.blocks[0] as Block, 'before')).toBeNull();
  });
});

describe('the head', () => {
  test('says the sums with what they are of', () => {
    const shown = Object.fromEntries(
      figures(record).flatMap((each) => (each === null ? [] : [[each.name, `${each.text} ${each.of}`]])),
    );
    expect(shown).toEqual({
      Peak: '6 MiB 25.0 % of 24 MiB',
      'Peak unpadded': '5.5 MiB padding 512 KiB (8.3 %)',
      Arguments: '2 MiB there throughout',
      Outputs: '1 MiB 512 KiB of it in arguments',
      Temporaries: '5 MiB 4 MiB in use at the peak',
      Fragmentation: '20.0 % of the temporaries',
    });
  });

  test('says whose limit the capacity is', () => {
    const exactOf = (capacity_basis: 'allocator' | 'compiler' | 'device') => {
      const totals = record.totals === null ? null : { ...record.totals, capacity_basis };
      return figures(memoryRecord({ totals }))[0]?.exact;
    };
    expect(exactOf('allocator')).toContain('The limit of the device’s allocator');
    expect(exactOf('compiler')).toContain('What the compiler gives to programs');
    expect(exactOf('device')).toContain('All memory of the device');
  });

  test('has no position for a peak that lasts throughout, and one before all steps', () => {
    const ofPeak = (changes: Parameters<typeof memoryRecord>[0]) =>
      figures(memoryRecord({ totals: null, peak_position: null, ...changes }))[0]?.of;
    const level = { bytes: [6 * MIB], unpadded_bytes: [6 * MIB], ops: [''] };
    const falling = { bytes: [6 * MIB, MIB], unpadded_bytes: [6 * MIB, MIB], ops: ['add.2', ''] };
    expect(ofPeak({ timeline: level })).toBe('there throughout');
    expect(ofPeak({ timeline: falling })).toBe('before all steps');
    expect(ofPeak({ peak_position: 2 })).toBe('at program position 2');
  });

  test('looks estimated where it is, and unknown where it is not known', () => {
    const estimated = figures(memoryRecord({ basis: 'estimated', totals: null, peak_unpadded_bytes: null }));
    expect(estimated.map((each) => each?.text)).toEqual(['≈ 6 MiB', '–']);
  });
});

describe('samples', () => {
  test('are in the order of time, stacked, with the peak of the record', () => {
    const columns = sampleColumns(aMemory());
    expect([...columns.times_ps]).toEqual([1e9, 2e9]);
    expect([...columns.used_bytes]).toEqual([5 * MIB, 6 * MIB]);
    expect(columns.all_bytes).toEqual([8 * MIB, 8 * MIB]);
    expect(columns.samples[columns.peak]?.time_ps).toBe(aMemory().peak_ps);
  });

  test('have no area of what is not known, or would flatten all others', () => {
    const unknown = { stack_bytes: null, free_bytes: null, fragmentation_ratio: null };
    const bare = sampleColumns(aMemory({ samples: [aSample(0, unknown)], capacity_bytes: null }));
    expect([bare.stack_bytes, bare.all_bytes, bare.fragmentation_ratio]).toEqual([null, null, null]);
    const vast = sampleColumns(aMemory({ samples: [aSample(0, { free_bytes: 1e15 })], capacity_bytes: 1e15 }));
    expect([vast.all_bytes, vast.greatest_bytes]).toEqual([null, 5 * MIB]);
    expect(sampleColumns(aMemory({ samples: [] })).peak).toBe(-1);
  });
});

describe('the part of an axis that is shown', () => {
  const whole = { from: -1, to: 99 };

  test('keeps the place that it is zoomed about, and its bounds', () => {
    expect(zoomedSpan(whole, 49, 0.5, whole, 2)).toEqual({ from: 24, to: 74 });
    expect(zoomedSpan({ from: 24, to: 74 }, 24, 0.5, whole, 2)).toEqual({ from: 24, to: 49 });
    expect(isWhole(zoomedSpan({ from: 24, to: 74 }, 30, 100, whole, 2), whole)).toBe(true);
    expect(lengthOf(zoomedSpan({ from: 10, to: 12 }, 11, 0.1, whole, 2))).toBe(2);
  });

  test('moves no further than its ends, and as little as it must', () => {
    expect(movedSpan({ from: 0, to: 10 }, -50, whole)).toEqual({ from: -1, to: 9 });
    expect(spanHolding({ from: 0, to: 10 }, 12, whole)).toEqual({ from: 2, to: 12 });
    const held = { from: 0, to: 10 };
    expect(spanHolding(held, 5, whole)).toBe(held);
    expect(inside({ from: 98, to: 98 }, whole, 4)).toEqual({ from: 95, to: 99 });
  });

  test('finds the point before a place', () => {
    expect([positionAt([0, 1, 2], 1.5), positionAt([0, 1, 2], -1), positionAt([0, 1, 2], 9)]).toEqual([1, 0, 2]);
  });
});

describe('moments on an axis', () => {
  const texts = (first_ps: number, step_ps: number) =>
    [0, 1, 2, 3].map((at) => moment(first_ps + at * step_ps, step_ps));

  test('have as many digits as tell neighbours apart', () => {
    expect(texts(2.63e12, 2e9)).toEqual(['2.630 s', '2.632 s', '2.634 s', '2.636 s']);
    expect(texts(20e12, 20e12)).toEqual(['20 s', '40 s', '60 s', '80 s']);
    expect(texts(0, 2e8)).toEqual(['0 s', '200 µs', '400 µs', '600 µs']);
  });

  test('have three digits where they stand alone', () => {
    expect(moment(2.6314e12)).toBe('2.63 s');
  });
});
