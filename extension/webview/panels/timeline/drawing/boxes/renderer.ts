// What draws rectangles: with WebGL2 where a graphics card does it, else on a plain canvas. Both draw the same pixels.

import type { Size } from '../../../../shared/frame/size';
import type { Instances } from './instances';
import { type Palette, SURFACE } from './palette';

/** Of each row where it is: `top_px`, `height_px`, and above which height it is hidden, all in pixels of the screen. */
export type RowPlaces = Float32Array;
export const ROW_VALUES = 3;

/** A span of time as instances have it: from their window's start. */
export interface ShownTime {
  readonly start_ps: number;
  readonly length_ps: number;
}

/** Rectangles in CSS pixels, each x, y, width and height, and the entry of the palette that fills it. */
export interface Rectangles {
  count: number;
  readonly places: Float32Array;
  readonly entries: Uint8Array;
}

/** Instances that a renderer has taken over. */
export interface Loaded {
  readonly instances: Instances;
  dispose(): void;
}

export interface Renderer {
  readonly kind: 'webgl2' | 'canvas2d';
  readonly canvas: HTMLCanvasElement;
  resize(size: Size, density: number): void;
  setPalette(palette: Palette): void;
  load(instances: Instances): Loaded;
  /** Fills everything with the palette's ground. */
  clear(): void;
  fill(rectangles: Rectangles): void;
  /** Draws the rows from `firstRow` to before `endRow`, in their order. */
  draw(loaded: Loaded, places: RowPlaces, shown: ShownTime, firstRow: number, endRow: number): void;
  /** Shows what was drawn since `clear`. */
  finish(): void;
  dispose(): void;
}

/** A box of at least so many pixels of the screen has a gap to the next; narrower ones would vanish. */
export const GAP_FROM_PX = 3;
/** What a search found is at least so wide. */
export const LEAST_OUTLINED_PX = 3;
/** How far beyond the screen rectangles go. */
export const BEYOND_PX = 16;

export const GROUND = SURFACE;

export function rectangles(most: number): Rectangles {
  return { count: 0, places: new Float32Array(4 * most), entries: new Uint8Array(most) };
}

/** Adds one if there is room. */
export function addRectangle(to: Rectangles, x: number, y: number, width: number, height: number, entry: number): void {
  const { count, places, entries } = to;
  if (count >= entries.length || width <= 0 || height <= 0) {
    return;
  }
  places[4 * count] = x;
  places[4 * count + 1] = y;
  places[4 * count + 2] = width;
  places[4 * count + 3] = height;
  entries[count] = entry;
  to.count += 1;
}
