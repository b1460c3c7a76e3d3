// How a change is drawn: orange and solid for more, blue and striped for less, dashed where it cannot be told. How strong
// it is says how much of all it is; which way it went is always said by a sign as well.

import { type Change, toldChange } from './change';

export const DIRECTIONS = ['more', 'less', 'new', 'untold', 'same'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface Tint {
  readonly direction: Direction;
  /** From 0 to 1. */
  readonly strength: number;
}

/** From this part of all on a change is drawn as strongly as any can be. */
export const FULL_RATIO = 0.1;
/** What changed is told from what did not, however little. */
const LEAST = 0.15;

/** `whole` is what there is of all on either side. */
export function tintOf(change: Change, whole: number): Tint {
  const ratio = whole > 0 ? Math.abs(toldChange(change)) / whole / FULL_RATIO : 0;
  // By the root small ones, of which there are most, are told apart.
  const strength = change.change === 0 ? 0 : Math.min(1, Math.max(LEAST, Math.sqrt(ratio)));
  return { direction: directionOf(change), strength };
}

function directionOf({ change, verdict }: Change): Direction {
  if (change === 0 || verdict === 'same') {
    return 'same';
  }
  switch (verdict) {
    case 'cannot-tell':
      return 'untold';
    case 'only-after':
      return 'new';
    case 'worse':
      return 'more';
    case 'better':
    case 'only-before':
      return 'less';
  }
}

/** A diverging pair that is told apart by people who are blind to some colours, of the theme. */
export const TINT_COLOURS = {
  more: '--vscode-charts-orange',
  new: '--vscode-charts-orange',
  less: '--vscode-charts-blue',
  untold: '--quiet',
  same: '--quiet',
} as const satisfies Readonly<Record<Direction, `--${string}`>>;

export const TINT_HATCHES = {
  more: 'plain',
  new: 'vertical',
  less: 'diagonal',
  untold: 'plain',
  same: 'plain',
} as const satisfies Readonly<Record<Direction, string>>;
