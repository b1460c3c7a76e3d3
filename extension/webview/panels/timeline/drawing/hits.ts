// What is at a place of the picture, and which edges of events are near it.

import { firstNotBefore } from '../../../shared/charts/ascending';
import { mergedAt } from '../windows/packed';
import type { PictureBox } from '../state/state';
import type { Layer } from '../windows/windows';

/** Finds the rows of a layer by track and depth. */
export class RowIndex {
  private readonly rows = new Map<string, number[]>();

  constructor({ window: { boxes, record } }: Layer) {
    for (let row = 0; row < boxes.rows; row += 1) {
      const track = record.tracks[boxes.track[row] ?? 0]?.id ?? '';
      const depths = this.rows.get(track) ?? [];
      depths[boxes.depth[row] ?? 0] = row;
      this.rows.set(track, depths);
    }
  }

  /** The row, or null where nothing is in it. */
  get(track: string, depth: number): number | null {
    return this.rows.get(track)?.[depth] ?? null;
  }
}

/** The box of a row at a time, or the one that is nearest to it and not farther than `within_ps`. */
export function boxNear(layer: Layer, row: number, at_ps: number, within_ps: number): number | null {
  const { boxes, record } = layer.window;
  const at = at_ps - record.start_ps;
  const first = boxes.firstBox[row] ?? 0;
  const after = firstStartingAfter(layer, row, at);
  let [nearest, least_ps]: [number | null, number] = [null, Infinity];
  // Boxes of a row do not overlap: only the last that starts before and the first that starts after can be nearest.
  for (const box of [after - 1, after]) {
    if (box < first || box >= (boxes.firstBox[row + 1] ?? 0)) {
      continue;
    }
    const start_ps = boxes.start_ps[box] ?? 0;
    const distance_ps = Math.max(0, start_ps - at, at - (start_ps + (boxes.duration_ps[box] ?? 0)));
    if (distance_ps <= within_ps && distance_ps < least_ps) {
      nearest = box;
      least_ps = distance_ps;
    }
  }
  return nearest;
}

/** A box with times of the profile. */
export function pictureBox({ window: { boxes, record } }: Layer, box: number): PictureBox {
  const start_ps = record.start_ps + (boxes.start_ps[box] ?? 0);
  const duration_ps = boxes.duration_ps[box] ?? 0;
  const merged = mergedAt(boxes, box);
  return {
    start_ps,
    end_ps: start_ps + duration_ps,
    name: boxes.name[box] ?? 0,
    count: merged === -1 ? 1 : (boxes.mergedCount[merged] ?? 1),
    busy_ps: merged === -1 ? duration_ps : (boxes.mergedBusy_ps[merged] ?? 0),
    colour: boxes.colour[box] ?? 0,
    matched: boxes.matched?.[box] ?? 0,
  };
}

/** Starts and ends of the boxes of some rows that are not farther than `within_ps` from a time, the nearest first. */
export function edgesNear(layer: Layer, rows: readonly number[], at_ps: number, within_ps: number): readonly number[] {
  const { boxes, record } = layer.window;
  const found = new Set<number>();
  const at = at_ps - record.start_ps;
  const endOf = (box: number): number => (boxes.start_ps[box] ?? 0) + (boxes.duration_ps[box] ?? 0);
  for (const row of rows) {
    const last = boxes.firstBox[row + 1] ?? 0;
    // Boxes of a row do not overlap, so ends ascend as starts do.
    let box = firstNotBefore(boxes.firstBox[row] ?? 0, last, (each) => endOf(each) < at - within_ps);
    for (; box < last && (boxes.start_ps[box] ?? 0) <= at + within_ps; box += 1) {
      for (const edge_ps of [boxes.start_ps[box] ?? 0, endOf(box)]) {
        if (Math.abs(edge_ps - at) <= within_ps) {
          found.add(record.start_ps + edge_ps);
        }
      }
    }
  }
  return [...found].sort((one, other) => Math.abs(one - at_ps) - Math.abs(other - at_ps));
}

/** The first box of a row that starts after a time, which counts from the window's start. */
export function firstStartingAfter({ window: { boxes } }: Layer, row: number, at_ps: number): number {
  const { start_ps, firstBox } = boxes;
  return firstNotBefore(firstBox[row] ?? 0, firstBox[row + 1] ?? 0, (box) => (start_ps[box] ?? 0) <= at_ps);
}
