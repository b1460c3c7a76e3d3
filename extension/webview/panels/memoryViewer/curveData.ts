// Memory over positions as a chart needs it: over the order of the program, or over that in which ops run.

import type { ExecutionCurve, MemoryLifetimes, MemoryViewerRecord } from '../../../src/protocol';
import type { Span } from '../../shared/charts/span';
import { greatest } from '../../shared/table/greatest';
import { count } from '../../shared/text/format';

/** Ticks between positions have no name. */
export function axisCount(value: number): string {
  return count(Math.round(value));
}

/** What is shown over positions. */
export type ViewName = 'program' | 'execution' | 'map';

/**
 * A curve of memory. Over the order of the program its axis has positions: the first point is what is there before all
 * steps, which is position -1. Over that of execution it counts what runs.
 */
export interface Curve {
  readonly kind: 'program' | 'execution';
  /** Where each point stands on the axis: the numbers from the first one on. */
  readonly places: Float64Array;
  readonly bytes: readonly number[];
  readonly unpadded_bytes: readonly number[];
  /** The op of each point: whose step led to it, or which runs there. Empty before all steps. */
  readonly ops: readonly string[];
  /** The program position of each point; null where that is its place. */
  readonly positions: readonly number[] | null;
  readonly execution: ExecutionCurve | null;
  /** The point with the most in memory; -1 without any. */
  readonly peak: number;
}

const FIRST_POSITION = -1;

/** Whether all that a program keeps is there throughout: then no position is its peak more than others. */
export function isLevel({ bytes }: Pick<Curve, 'bytes'>): boolean {
  return bytes.every((each) => each === bytes[0]);
}

/** Whether a curve has no more than one point, which no line can be drawn through. */
export function isPoint({ bytes }: Pick<Curve, 'bytes'>): boolean {
  return bytes.length < 2;
}

/** Memory over the order of execution; null where that is not known or of one op alone. */
export function executionOf({ execution }: MemoryViewerRecord): ExecutionCurve | null {
  return execution === null || isPoint(execution) ? null : execution;
}

export function curveOf(record: MemoryViewerRecord, kind: Curve['kind']): Curve {
  const { timeline, execution, peak_position } = record;
  if (kind === 'execution' && execution !== null) {
    const { bytes, unpadded_bytes, ops, positions } = execution;
    const places = placesFrom(0, bytes.length);
    return { kind, places, bytes, unpadded_bytes, ops, positions, execution, peak: peak(bytes) };
  }
  const { bytes, unpadded_bytes, ops } = timeline;
  return {
    kind: 'program',
    places: placesFrom(FIRST_POSITION, bytes.length),
    bytes,
    unpadded_bytes,
    // Those of the record are of the steps that follow its points.
    ops: ['', ...ops.slice(0, -1)],
    positions: null,
    execution: null,
    peak: peak_position === null ? peak(bytes) : peak_position - FIRST_POSITION,
  };
}

function placesFrom(first: number, points: number): Float64Array {
  return Float64Array.from({ length: points }, (_, at) => first + at);
}

function peak(bytes: readonly number[]): number {
  return bytes.indexOf(greatest(bytes, (each) => each));
}

/** The program position of a point. */
export function positionOf(curve: Curve, point: number): number {
  return (curve.positions ?? curve.places)[point] ?? FIRST_POSITION;
}

/** The point that shows a program position; null where nothing runs there by itself. */
export function pointOf(curve: Curve, position: number): number | null {
  if (curve.positions === null) {
    const at = position - FIRST_POSITION;
    return at >= 0 && at < curve.bytes.length ? at : null;
  }
  const at = curve.positions.indexOf(position);
  return at === -1 ? null : at;
}

export type PointFacts = ReturnType<typeof pointFacts>;

/** What the op of a point does to memory: `own` are the buffers that each defines; there is no change at the first. */
export function pointFacts(curve: Curve, point: number, own: ReadonlyMap<string, number>) {
  const op = curve.ops[point] ?? '';
  return {
    op,
    own_bytes: own.get(op) ?? 0,
    bytes: curve.bytes[point] ?? 0,
    unpadded_bytes: curve.unpadded_bytes[point] ?? 0,
    change_bytes: changeAt(curve.bytes, point),
  };
}

/** What there is more at a point of a curve than at the one before; null at the first. */
export function changeAt(bytes: readonly number[], point: number): number | null {
  const [here, before] = [bytes[point], bytes[point - 1]];
  return here === undefined || before === undefined ? null : here - before;
}

/** The bytes of the buffers that each instruction defines, by its name. */
export function ownBytes({ name, bytes }: MemoryLifetimes): ReadonlyMap<string, number> {
  const own = new Map<string, number>();
  name.forEach((each, at) => own.set(each, (own.get(each) ?? 0) + (bytes[at] ?? 0)));
  return own;
}

/** From where to where something lives, in program positions, without the end. */
export interface Lifetime {
  readonly start: number;
  readonly end: number;
}

/**
 * Where on the axis something lives. Over the order of the program that is one part; over that of execution it may be
 * several, since what runs next need not stand next in the plan.
 */
export function partsAlive(curve: Curve, { start, end }: Lifetime): readonly Span[] {
  const { positions } = curve;
  if (positions === null) {
    return [{ from: start, to: Math.max(end, start + 1) }];
  }
  const parts: { from: number; to: number }[] = [];
  positions.forEach((position, at) => {
    if (position >= start && position < end) {
      const last = parts.at(-1);
      if (last?.to === at) {
        last.to = at + 1;
      } else {
        parts.push({ from: at, to: at + 1 });
      }
    }
  });
  return parts;
}

/** From the first op that something lives at to the last, without the end; null where none runs meanwhile. */
export function opsAlive(curve: Curve, lifetime: Lifetime): Lifetime | null {
  const parts = partsAlive(curve, lifetime);
  const [first, last] = [parts[0], parts.at(-1)];
  return first === undefined || last === undefined ? null : { start: first.from, end: last.to };
}

/** Where the backward pass ends; at the last op where nothing runs after it, since the axis ends there. */
export function backwardEnd({ execution, places }: Curve): number | null {
  const end = execution?.backward_end ?? null;
  return end === null ? null : Math.min(end, places[places.length - 1] ?? end);
}
