// What draws rectangles: with WebGL2 where a graphics card does it, else on a plain canvas. Both draw the same pixels.

import type { Box } from '../../../../shared/charts/box';
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

/** A place in CSS pixels, and the entry of the palette that fills it. */
export interface Rectangle extends Box {
  readonly entry: number;
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
  fill(rectangles: readonly Rectangle[]): void;
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

/** Has a canvas cover a size, pixel by pixel of the screen. */
export function sizeCanvas(canvas: HTMLCanvasElement, { width_px, height_px }: Size, density: number): void {
  canvas.width = Math.max(1, Math.round(width_px * density));
  canvas.height = Math.max(1, Math.round(height_px * density));
}

/** Where a box is in pixels of the screen, at least one each way. */
export function onScreen({ left_px, top_px, width_px, height_px }: Box, density: number): Box {
  return {
    left_px: Math.round(left_px * density),
    top_px: Math.round(top_px * density),
    width_px: Math.max(1, Math.round(width_px * density)),
    height_px: Math.max(1, Math.round(height_px * density)),
  };
}
