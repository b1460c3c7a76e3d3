// Bars of parts that stand on each other, one for each step: what a chart paints below its axis of steps.

import { hatched } from '../charts/hatch';
import type { Place } from '../charts/seriesOptions';
import { isHighContrast, themeColour } from '../theme';
import type { Look } from './parts';

/** Of the room of a step its bar has this much, and it is no wider. */
const BAR_RATIO = 0.7;
const MOST_PX = 40;

export interface Stack {
  /** As many as there are looks, from the ground up. */
  readonly heights: readonly number[];
  /** Of another kind than most: framed. */
  readonly isMarked: boolean;
}

/** Draws stacks at 1, 2, 3 and so on. */
export function paintStacks(
  context: CanvasRenderingContext2D,
  place: Place,
  stacks: readonly Stack[],
  looks: readonly Look[],
): void {
  const fills = looks.map(({ hue, hatch }) => hatched(context, themeColour(hue), hatch));
  const apart_px = place.x_px(1) - place.x_px(0);
  const width_px = Math.max(1, Math.min(MOST_PX, apart_px * BAR_RATIO));
  const edge = isHighContrast() ? themeColour('--surface') : null;
  stacks.forEach(({ heights, isMarked }, at) => {
    const middle_px = place.x_px(at + 1);
    if (middle_px + width_px < place.left_px || middle_px - width_px > place.left_px + place.width_px) {
      return;
    }
    const left_px = middle_px - width_px / 2;
    let below = 0;
    heights.forEach((height, part) => {
      if (height > 0) {
        const top_px = place.y_px(below + height);
        const height_px = place.y_px(below) - top_px;
        context.fillStyle = fills[part] ?? '';
        context.fillRect(left_px, top_px, width_px, height_px);
        if (edge !== null && height_px > 2) {
          context.fillStyle = edge;
          context.fillRect(left_px, top_px, width_px, 1);
        }
        below += height;
      }
    });
    if (isMarked) {
      context.strokeStyle = themeColour('--text');
      context.lineWidth = 1;
      const top_px = place.y_px(below);
      context.strokeRect(left_px - 1.5, top_px - 1.5, width_px + 3, place.y_px(0) - top_px + 3);
    }
  });
}
