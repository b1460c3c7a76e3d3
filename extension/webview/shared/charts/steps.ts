// The steps of a run behind what is drawn over time.

import { themeColour } from '../theme';
import type { Place } from './seriesOptions';
import { fitted } from './text';

const LABEL_FROM_PX = 28;
const LABEL_PADDING_PX = 4;

interface Step {
  readonly name: string;
  readonly start_ps: number;
  readonly end_ps: number;
}

/** How the steps of a chart look. */
export interface StepsLook {
  /** How opaque the ground of a step is, and that of the next. */
  readonly grounds: readonly [number, number];
  /** Where a name stands below the top of the chart, and which of its edges. */
  readonly name_px: number;
  readonly baseline: CanvasTextBaseline;
}

/** Every other step has a ground of its own; names where they have room. */
export function paintSteps(
  context: CanvasRenderingContext2D,
  place: Place,
  steps: readonly Step[],
  { grounds, name_px, baseline }: StepsLook,
): void {
  context.font = `11px ${themeColour('--vscode-font-family')}`;
  context.textBaseline = baseline;
  context.fillStyle = themeColour('--quiet');
  steps.forEach(({ name, start_ps, end_ps }, at) => {
    if (end_ps < place.shown.from || start_ps > place.shown.to) {
      return;
    }
    const left_px = place.x_px(start_ps);
    const width_px = Math.max(1, place.x_px(end_ps) - left_px);
    context.globalAlpha = at % 2 === 0 ? grounds[0] : grounds[1];
    context.fillRect(left_px, place.top_px, width_px, place.height_px);
    context.globalAlpha = 1;
    if (width_px >= LABEL_FROM_PX) {
      const text = fitted(context, name, width_px - 2 * LABEL_PADDING_PX);
      context.fillText(text, left_px + LABEL_PADDING_PX, place.top_px + name_px);
    }
  });
}
