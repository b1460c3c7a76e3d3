// Which part of the picture is seen, and how large.

import type { LayoutBox } from '../layout/request';
import type { Size } from '../../../shared/frame/size';

/** A place of the picture is at `place × scale + offset` of the canvas. */
export interface Viewport {
  readonly scale: number;
  readonly x_px: number;
  readonly y_px: number;
}

/** From here on there is text. */
export const TEXT_FROM_SCALE = 0.35;
/** What is fitted is not made smaller than this: names and figures have room there. */
const FITTED_FROM_SCALE = 0.6;
const SMALLEST = 0.08;
const GREATEST = 4;
const MARGIN_PX = 16;

/** All of the picture; where that would be too small to read, as much as is not, about the box in the middle. */
export function fitted(
  picture: Size,
  size: Size,
  middle: LayoutBox | null,
  least: number = FITTED_FROM_SCALE,
): Viewport {
  const room = { width_px: size.width_px - 2 * MARGIN_PX, height_px: size.height_px - 2 * MARGIN_PX };
  const scale = within(Math.max(least, wholeScale(picture, size)), SMALLEST, 1);
  const axis = (room_px: number, all_px: number, at_px: number): number => {
    const drawn_px = all_px * scale;
    return drawn_px <= room_px
      ? MARGIN_PX + (room_px - drawn_px) / 2
      : MARGIN_PX - within(at_px * scale - room_px / 2, 0, drawn_px - room_px);
  };
  const x_px = middle === null ? picture.width_px / 2 : middle.left_px + middle.width_px / 2;
  const y_px = middle === null ? 0 : middle.top_px + middle.height_px / 2;
  return {
    scale,
    x_px: axis(room.width_px, picture.width_px, x_px),
    y_px: axis(room.height_px, picture.height_px, y_px),
  };
}

/** How large all of a picture is where it has the canvas: not larger than it is drawn. */
function wholeScale(picture: Size, size: Size): number {
  return Math.min(
    1,
    (size.width_px - 2 * MARGIN_PX) / Math.max(1, picture.width_px),
    (size.height_px - 2 * MARGIN_PX) / Math.max(1, picture.height_px),
  );
}

/** How small and how large a picture may be made: not smaller than half of what is all in sight. */
export interface ZoomLimits {
  readonly least: number;
  readonly greatest: number;
}

export function zoomLimits(picture: Size, size: Size): ZoomLimits {
  return { least: within(wholeScale(picture, size), SMALLEST, 1) / 2, greatest: GREATEST };
}

/** Nearer or farther, with what is at a place of the canvas staying there. */
export function zoomedAt(
  { scale, x_px, y_px }: Viewport,
  factor: number,
  [at_x_px, at_y_px]: readonly [number, number],
  { least, greatest }: ZoomLimits,
): Viewport {
  // What is smaller already, as there is more room now, is not made larger by making it smaller.
  const next = within(scale * factor, Math.min(scale, least), greatest);
  const ratio = next / scale;
  return { scale: next, x_px: at_x_px - (at_x_px - x_px) * ratio, y_px: at_y_px - (at_y_px - y_px) * ratio };
}

export function panned(view: Viewport, x_px: number, y_px: number): Viewport {
  return { ...view, x_px: view.x_px + x_px, y_px: view.y_px + y_px };
}

/** The same, moved no more than it takes to have a box in sight. */
export function revealing(view: Viewport, box: LayoutBox, size: Size): Viewport {
  const shift = (from_px: number, length_px: number, room_px: number): number => {
    const most_px = room_px - MARGIN_PX;
    return length_px > most_px - MARGIN_PX || from_px < MARGIN_PX
      ? MARGIN_PX - from_px
      : Math.min(0, most_px - (from_px + length_px));
  };
  const { left_px, top_px, width_px, height_px } = onCanvas(view, box);
  return panned(view, shift(left_px, width_px, size.width_px), shift(top_px, height_px, size.height_px));
}

/** The same, moved so that a box is where it was before the picture changed. */
export function keeping(view: Viewport, before: LayoutBox, now: LayoutBox): Viewport {
  return panned(view, (before.left_px - now.left_px) * view.scale, (before.top_px - now.top_px) * view.scale);
}

/** A box of the picture in pixels of the canvas. */
export function onCanvas({ scale, x_px, y_px }: Viewport, box: LayoutBox): LayoutBox {
  return {
    id: box.id,
    left_px: box.left_px * scale + x_px,
    top_px: box.top_px * scale + y_px,
    width_px: box.width_px * scale,
    height_px: box.height_px * scale,
  };
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
