// Columns of a window packed as the daemon packs them: see `WindowRows`.

import type { WindowRows } from '../../../src/protocol';

export interface DrawnBox {
  /** From the window's start. */
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly name: number;
  readonly colour: number;
  readonly matched: number;
  /** How many events it stands for, and the time that they take. */
  readonly count: number;
  readonly busy_ps: number;
}

export class RowColumns {
  readonly boxes: DrawnBox[] = [];
  readonly firstBox: number[] = [];
  readonly track: number[] = [];
  readonly depth: number[] = [];

  /** Begins a row: boxes that are added from here on are of it. */
  begin(track: number, depth: number): void {
    this.firstBox.push(this.boxes.length);
    this.track.push(track);
    this.depth.push(depth);
  }

  add(box: DrawnBox): void {
    this.boxes.push(box);
  }
}

export function packedRows({ boxes, firstBox, track, depth }: RowColumns, hasMatches: boolean): WindowRows {
  const merged = boxes.flatMap(({ count }, box) => (count > 1 ? [box] : []));
  const ofMerged = (value: (box: DrawnBox) => number): number[] =>
    merged.map((box) => {
      const each = boxes[box];
      return each === undefined ? 0 : value(each);
    });
  return {
    rows: firstBox.length,
    boxes: boxes.length,
    merged: merged.length,
    has_matches: hasMatches,
    packed: packed([
      Float64Array.from(boxes, ({ start_ps }) => start_ps),
      Float64Array.from(boxes, ({ duration_ps }) => duration_ps),
      Float64Array.from(ofMerged(({ busy_ps }) => busy_ps)),
      Uint32Array.from([...firstBox, boxes.length]),
      Uint32Array.from(boxes, ({ name }) => name),
      ...(hasMatches ? [Uint32Array.from(boxes, ({ matched }) => matched)] : []),
      Uint32Array.from(merged),
      Uint32Array.from(ofMerged(({ count }) => count)),
      Uint16Array.from(track),
      Uint16Array.from(depth),
      Uint8Array.from(boxes, ({ colour }) => colour),
    ]),
  };
}

export function packedDoubles(columns: readonly (readonly number[])[]): string {
  return packed(columns.map((column) => Float64Array.from(column)));
}

function packed(columns: readonly ArrayBufferView[]): string {
  const pieces: string[] = [];
  for (const column of columns) {
    const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    for (const byte of bytes) {
      pieces.push(String.fromCharCode(byte));
    }
  }
  return btoa(pieces.join(''));
}
