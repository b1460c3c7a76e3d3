// The one scale of the map: from a little of the mark's colour, for the least, to much of it, for the greatest.

export interface Extent {
  readonly least: number;
  readonly most: number;
}

export const LEAST_SHADE = 0.06;
/** With text over it there is less of it, so that text is read. */
export const MOST_SHADE = 1;
export const MOST_SHADE_BELOW_TEXT = 0.45;

/** Null where nothing is known. */
export function extentOf(values: readonly (number | null)[]): Extent | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0
    ? null
    : known.reduce<Extent>(
        ({ least, most }, value) => ({ least: Math.min(least, value), most: Math.max(most, value) }),
        { least: Infinity, most: -Infinity },
      );
}

/** How much of the mark's colour a value has. */
export function shadeOf(value: number, { least, most }: Extent, mostShade: number): number {
  const ratio = most === least ? 0 : (value - least) / (most - least);
  return LEAST_SHADE + ratio * (mostShade - LEAST_SHADE);
}
