// Where the names of slices stand: on the side of the pie that their slice is on, none over another.

import { type Sector } from './pie';

export interface PlacedName {
  readonly side: 'start' | 'end';
  /** Of its middle, from the middle of the pie downwards. */
  readonly y_px: number;
  /** From the rim of the pie to the name, from the middle of the pie. */
  readonly line: readonly (readonly [number, number])[];
}

interface PieSize {
  readonly radius_px: number;
  /** What names may take above and below one another. */
  readonly height_px: number;
  readonly name_px: number;
  /** Between the rim and the names. */
  readonly between_px: number;
}

export function placedNames(sectors: readonly Sector[], size: PieSize): readonly PlacedName[] {
  const { radius_px, between_px } = size;
  const middles = sectors.map(({ from_ratio, to_ratio }) => Math.PI * (from_ratio + to_ratio));
  const isEnd = middles.map((angle) => angle <= Math.PI);
  const at_px = new Array<number>(sectors.length).fill(0);
  for (const wanted of [true, false]) {
    // From the top down: clockwise on one side, the other way on the other.
    const column = middles.flatMap((_, position) => (isEnd[position] === wanted ? [position] : []));
    const down = wanted ? column : column.reverse();
    const spread = spreadOut(
      down.map((position) => -radius_px * Math.cos(middles[position] ?? 0)),
      size,
    );
    down.forEach((position, row) => (at_px[position] = spread[row] ?? 0));
  }
  return middles.map((angle, position) => {
    const y_px = at_px[position] ?? 0;
    const outwards = isEnd[position] === true ? 1 : -1;
    return {
      side: outwards === 1 ? 'end' : 'start',
      y_px,
      line: [
        [radius_px * Math.sin(angle), -radius_px * Math.cos(angle)],
        [outwards * (radius_px + between_px / 2), y_px],
        [outwards * (radius_px + between_px), y_px],
      ],
    };
  });
}

/** Places in ascending order, moved as little as it takes for each to have room. */
function spreadOut(wished_px: readonly number[], { height_px, name_px }: PieSize): readonly number[] {
  const each_px = Math.min(name_px, height_px / Math.max(1, wished_px.length));
  const most_px = (height_px - each_px) / 2;
  const placed: number[] = [];
  for (const wish of wished_px) {
    placed.push(Math.max(wish, -most_px, (placed.at(-1) ?? -Infinity) + each_px));
  }
  for (let row = placed.length - 1, limit_px = most_px; row >= 0; row--, limit_px -= each_px) {
    placed[row] = Math.min(placed[row] ?? 0, limit_px);
    limit_px = placed[row] ?? 0;
  }
  return placed;
}
