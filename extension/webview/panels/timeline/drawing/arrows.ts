// Arrows between events, above all else that is drawn.

import type { Size } from '../../../shared/frame/size';
import type { Arrow, ArrowEnd } from '../state/arrows';
import { type Layout, ROW_GAP_PX, ROW_PX, shownTop } from '../state/layout';
import { type Span, xOf } from '../state/viewport';

const WIDTH_PX = 1.5;
/** Around it, so that it is seen on any box. */
const HALO_PX = 4;
const HEAD_PX = 6;
/** How far it goes straight on before it bends. */
const LEAST_BEND_PX = 16;
const MOST_BEND_PX = 80;

export interface ArrowsPicture {
  readonly arrows: readonly Arrow[];
  readonly view: Span;
  readonly size: Size;
  readonly layout: Layout;
  readonly scroll_px: number;
  readonly colours: { readonly text: string; readonly surface: string };
}

export function drawArrows(context: CanvasRenderingContext2D, picture: ArrowsPicture): void {
  for (const { from, to } of picture.arrows) {
    const [begin, end] = [placeOf(picture, from), placeOf(picture, to)];
    if (begin !== null && end !== null && isInSight(picture, begin, end)) {
      drawArrow(context, begin, end, picture.colours);
    }
  }
}

interface Point {
  readonly x_px: number;
  readonly y_px: number;
}

/** The middle of a row at a moment; null where the row is not shown. */
export function placeOf({ view, size, layout, scroll_px }: ArrowsPicture, end: ArrowEnd): Point | null {
  const place = layout.tracks.get(end.track);
  if (place === undefined) {
    return null;
  }
  const row_px = Math.max(ROW_PX, place.row_px);
  // What lies deeper than the rows that are shown is in the last of them.
  const depth = Math.min(end.depth, place.rows - 1);
  return {
    x_px: xOf(view, size.width_px, end.at_ps),
    y_px: shownTop(layout, place, scroll_px) + depth * row_px + (row_px - ROW_GAP_PX) / 2,
  };
}

function isInSight({ size, layout }: ArrowsPicture, begin: Point, end: Point): boolean {
  const [left_px, right_px] = [Math.min(begin.x_px, end.x_px), Math.max(begin.x_px, end.x_px)];
  const [top_px, bottom_px] = [Math.min(begin.y_px, end.y_px), Math.max(begin.y_px, end.y_px)];
  return (
    right_px >= -MOST_BEND_PX &&
    left_px <= size.width_px + MOST_BEND_PX &&
    bottom_px >= layout.pinned_px &&
    top_px <= size.height_px
  );
}

function drawArrow(
  context: CanvasRenderingContext2D,
  begin: Point,
  end: Point,
  { text, surface }: ArrowsPicture['colours'],
): void {
  const bend_px = Math.min(MOST_BEND_PX, Math.max(LEAST_BEND_PX, Math.abs(end.x_px - begin.x_px) / 2));
  for (const [colour, width_px] of [
    [surface, HALO_PX],
    [text, WIDTH_PX],
  ] as const) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width_px;
    context.beginPath();
    context.moveTo(begin.x_px, begin.y_px);
    context.bezierCurveTo(
      begin.x_px + bend_px,
      begin.y_px,
      end.x_px - bend_px,
      end.y_px,
      end.x_px - HEAD_PX / 2,
      end.y_px,
    );
    context.stroke();
    // It comes in from the left, whichever way it took.
    context.beginPath();
    context.moveTo(end.x_px, end.y_px);
    context.lineTo(end.x_px - HEAD_PX, end.y_px - HEAD_PX / 2);
    context.lineTo(end.x_px - HEAD_PX, end.y_px + HEAD_PX / 2);
    context.closePath();
    if (colour === surface) {
      context.stroke();
    }
    context.fill();
  }
}
