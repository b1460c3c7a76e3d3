// What to fill the marks of changes with on a canvas, in the colours of the theme as it is now.

import { hatched } from '../charts/hatch';
import { themeColour } from '../theme';
import { type Direction, DIRECTIONS, TINT_COLOURS, TINT_HATCHES } from './tint';

/** A hue, and the same in its pattern. */
export interface TintFill {
  readonly colour: string;
  readonly band: string | CanvasPattern;
}

export function tintFills(context: CanvasRenderingContext2D): ReadonlyMap<Direction, TintFill> {
  return new Map(
    DIRECTIONS.map((direction) => {
      const colour = themeColour(TINT_COLOURS[direction]);
      return [direction, { colour, band: hatched(context, colour, TINT_HATCHES[direction]) }];
    }),
  );
}

/** How strongly a change of that strength is laid under text, which is still read on the strongest. */
export function tintAlpha(strength: number): number {
  return LEAST_ALPHA + (MOST_ALPHA - LEAST_ALPHA) * strength;
}

const LEAST_ALPHA = 0.06;
const MOST_ALPHA = 0.4;
