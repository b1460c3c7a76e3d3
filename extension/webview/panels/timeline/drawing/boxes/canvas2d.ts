// Rectangles on a plain canvas, for where no graphics card is: pixels that this script writes, shown once a frame. A call
// of the canvas for each of ten thousands of rectangles would take longer than writing them.

import type { Size } from '../../../../shared/frame/size';
import { firstNotBefore } from '../../../../shared/charts/ascending';
import { HOLLOW, type Instances, OUTLINED } from './instances';
import { DIMMED, ENTRIES, OUTLINE, type Palette, TINTED } from './palette';
import {
  BEYOND_PX,
  GAP_FROM_PX,
  GROUND,
  LEAST_OUTLINED_PX,
  type Loaded,
  onScreen,
  type Rectangle,
  type Renderer,
  ROW_VALUES,
  type RowPlaces,
  type ShownTime,
  sizeCanvas,
} from './renderer';

/** The bits of an instance's flags that are its look. */
const LOOK = TINTED | DIMMED;

export class Canvas2dRenderer implements Renderer {
  readonly kind = 'canvas2d';
  private readonly context: CanvasRenderingContext2D;
  private image: ImageData;
  /** The image's pixels, and the palette's entries, each as one number. */
  private pixels: Uint32Array;
  private fills: Uint32Array = new Uint32Array(0);
  private density = 1;

  /** Throws where the canvas has no context. */
  constructor(readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false });
    if (context === null) {
      throw new Error('This canvas cannot be drawn on.');
    }
    this.context = context;
    this.image = context.createImageData(1, 1);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  resize(size: Size, density: number): void {
    this.density = density;
    sizeCanvas(this.canvas, size, density);
    this.image = this.context.createImageData(this.canvas.width, this.canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  setPalette({ bytes }: Palette): void {
    this.fills = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  load(instances: Instances): Loaded {
    return { instances, dispose: () => undefined };
  }

  clear(): void {
    this.pixels.fill(this.fills[GROUND] ?? 0);
  }

  fill(rectangles: readonly Rectangle[]): void {
    for (const rectangle of rectangles) {
      const { left_px, top_px, width_px, height_px } = onScreen(rectangle, this.density);
      this.write(left_px, top_px, left_px + width_px, top_px + height_px, this.fills[rectangle.entry] ?? 0);
    }
  }

  draw({ instances }: Loaded, places: RowPlaces, shown: ShownTime, firstRow: number, endRow: number): void {
    for (let row = firstRow; row < endRow; row += 1) {
      const top_px = places[row * ROW_VALUES] ?? 0;
      const height_px = places[row * ROW_VALUES + 1] ?? 0;
      const least_px = places[row * ROW_VALUES + 2] ?? 0;
      if (height_px > 0 && top_px < this.canvas.height && top_px + height_px > least_px) {
        this.drawRow(instances, row, top_px, height_px, least_px, shown);
      }
    }
  }

  finish(): void {
    this.context.putImageData(this.image, 0, 0);
  }

  dispose(): void {
    this.canvas.remove();
  }

  private drawRow(
    instances: Instances,
    row: number,
    top_px: number,
    height_px: number,
    least_px: number,
    { start_ps: from_ps, length_ps }: ShownTime,
  ): void {
    const { start_ps, end_ps, firstOfRow, entry, flags, top, bottom } = instances;
    const { fills } = this;
    const width_px = this.canvas.width;
    const scale = width_px / length_ps;
    const line_px = Math.max(1, Math.round(this.density));
    const last = firstOfRow[row + 1] ?? 0;
    const first = firstNotBefore(firstOfRow[row] ?? 0, last, (at) => (end_ps[at] ?? 0) < from_ps);
    for (let at = first; at < last; at += 1) {
      const start = Math.floor(((start_ps[at] ?? 0) - from_ps) * scale + 0.5);
      if (start > width_px) {
        break;
      }
      const flag = flags[at] ?? 0;
      const right = Math.min(width_px + BEYOND_PX, Math.floor(((end_ps[at] ?? 0) - from_ps) * scale + 0.5));
      const least = (flag & OUTLINED) === 0 ? 1 : LEAST_OUTLINED_PX * line_px;
      // What ends in sight is in sight with its least width, at the right edge too.
      const left = Math.max(-BEYOND_PX, right > width_px ? start : Math.min(start, width_px - least));
      const full = right - left;
      const gap = (entry[at] ?? 0) < GROUND && full >= GAP_FROM_PX * line_px ? 1 : 0;
      const beyond = left + Math.max(full - gap, least);
      const upper = Math.max(least_px, top_px + Math.floor(((top[at] ?? 0) / 255) * height_px + 0.5));
      const lower = top_px + Math.floor(((bottom[at] ?? 0) / 255) * height_px + 0.5);
      if (beyond <= 0 || lower <= upper) {
        continue;
      }
      const fill = fills[(flag & LOOK) * ENTRIES + (entry[at] ?? 0)] ?? 0;
      if (flag < HOLLOW) {
        this.write(left, upper, beyond, lower, fill);
      } else {
        this.write(left, upper, beyond, lower, (flag & OUTLINED) === 0 ? fill : (fills[OUTLINE] ?? 0));
        const inside = (flag & HOLLOW) === 0 ? fill : (fills[GROUND] ?? 0);
        this.write(left + line_px, upper + line_px, beyond - line_px, lower - line_px, inside);
      }
    }
  }

  /** Fills from (left, top) to before (right, bottom), as far as that is on the canvas. */
  private write(left: number, top: number, right: number, bottom: number, fill: number): void {
    const { pixels } = this;
    const { width, height } = this.image;
    const first = Math.max(0, left);
    const length = Math.min(width, right) - first;
    const from = Math.max(0, top);
    const lines = Math.min(height, bottom) - from;
    if (length <= 0 || lines <= 0) {
      return;
    }
    if (length >= LONG_PX) {
      for (let line = from * width + first, end = line + lines * width; line < end; line += width) {
        pixels.fill(fill, line, line + length);
      }
      return;
    }
    // A call takes longer than to write a few.
    for (let line = from * width + first, end = line + lines * width; line < end; line += width) {
      for (let at = line, beyond = line + length; at < beyond; at += 1) {
        pixels[at] = fill;
      }
    }
  }
}

const LONG_PX = 32;
