// Whether two pictures of a page are alike: other versions of a browser smooth letters in another way, here and there.

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** Difference of a pixel's colour, from 0 to 1, up to which it counts as the same. */
const COLOUR_RATIO = 0.05;
/** How many pixels of all may differ. */
const MOST_RATIO = 0.002;
/** What was moved or coloured differs close together: how many pixels of a square of this side may differ. */
const TILE_PX = 24;
const MOST_OF_TILE_RATIO = 0.06;

export interface Difference {
  /** Null where the pictures are alike. */
  readonly reason: string | null;
  /** The picture with what differs in red; null where the sizes do. */
  readonly picture: Buffer | null;
}

/** Compares two pictures, both PNG. */
export function difference(expected: Buffer, actual: Buffer): Difference {
  const [one, other] = [PNG.sync.read(expected), PNG.sync.read(actual)];
  const { width, height } = one;
  if (other.width !== width || other.height !== height) {
    return { reason: `${other.width} × ${other.height} pixels, not ${width} × ${height}`, picture: null };
  }
  const marked = new PNG({ width, height });
  const found = pixelmatch(one.data, other.data, marked.data, width, height, {
    threshold: COLOUR_RATIO,
    diffMask: true,
    diffColor: [255, 0, 0],
    aaColor: [0, 0, 0],
  });
  const tiles = new Map<string, number>();
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (marked.data[4 * pixel] === 255) {
      const tile = `${Math.floor((pixel % width) / TILE_PX)}, ${Math.floor(pixel / width / TILE_PX)}`;
      tiles.set(tile, (tiles.get(tile) ?? 0) + 1);
    }
  }
  const [tile, most] = [...tiles].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  const picture = PNG.sync.write(marked);
  if (found > MOST_RATIO * width * height) {
    return { reason: `${found} pixels differ`, picture };
  }
  if (most > MOST_OF_TILE_RATIO * TILE_PX ** 2) {
    return { reason: `${most} pixels differ in the square ${tile} of ${TILE_PX} pixels`, picture };
  }
  return { reason: null, picture };
}
