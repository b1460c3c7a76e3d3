// Patterns for what is drawn on a canvas; those of the phases are as hues.css has them for elements.

import { type Phase, themeColour } from '../theme';

type Line = readonly [x1: number, y1: number, x2: number, y2: number];

interface Hatch {
  /** The side of the square that repeats. */
  readonly tile_px: number;
  /** Lines that are left out of the hue. */
  readonly lines: readonly Line[];
}

const HATCHES = {
  plain: { tile_px: 4, lines: [] },
  diagonal: { tile_px: 6, lines: diagonals(6) },
  dense: { tile_px: 3, lines: diagonals(3) },
  vertical: { tile_px: 3, lines: [[2.5, 0, 2.5, 3]] },
  horizontal: { tile_px: 3, lines: [[0, 2.5, 3, 2.5]] },
} as const satisfies Readonly<Record<string, Hatch>>;

export type HatchName = keyof typeof HATCHES;

const phases: Readonly<Record<Phase, { readonly hue: `--${string}`; readonly hatch: HatchName }>> = {
  forward: { hue: '--vscode-scopelight-phaseForward', hatch: 'plain' },
  backward: { hue: '--vscode-scopelight-phaseBackward', hatch: 'diagonal' },
  recompute: { hue: '--vscode-scopelight-phaseRecompute', hatch: 'vertical' },
  optimizer: { hue: '--vscode-scopelight-phaseOptimizer', hatch: 'horizontal' },
  other: { hue: '--vscode-scopelight-phaseOther', hatch: 'dense' },
};

/** Lines from bottom left to top right that join where tiles meet. */
function diagonals(tile_px: number): readonly Line[] {
  return [-1, 0, 1].map((tile): Line => {
    const from_px = tile * tile_px;
    return [from_px - 1, tile_px + 1, from_px + tile_px + 1, -1];
  });
}

/** The hue of a phase. */
export function phaseColour(phase: Phase): string {
  return themeColour(phases[phase].hue);
}

/** What to fill the marks of a phase with: its hue in its pattern. */
export function phaseFill(context: CanvasRenderingContext2D, phase: Phase): string | CanvasPattern {
  return hatched(context, phaseColour(phase), phases[phase].hatch);
}

/**
 * What to fill marks of a colour and a pattern with on a canvas that is drawn in pixels of the page, or of the screen.
 * Between the lines of the pattern the ground of the page is seen.
 */
export function hatched(
  context: CanvasRenderingContext2D,
  colour: string,
  hatch: HatchName,
  pixels: 'page' | 'screen' = 'page',
): string | CanvasPattern {
  const { tile_px, lines } = HATCHES[hatch];
  if (lines.length === 0) {
    return colour;
  }
  const density = devicePixelRatio;
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(tile_px * density);
  const drawing = tile.getContext('2d');
  if (drawing === null) {
    return colour;
  }
  const scale = tile.width / tile_px;
  drawing.setTransform(scale, 0, 0, scale, 0, 0);
  drawing.fillStyle = colour;
  drawing.fillRect(0, 0, tile_px, tile_px);
  drawing.strokeStyle = themeColour('--surface');
  drawing.lineWidth = 1;
  drawing.beginPath();
  for (const [x1, y1, x2, y2] of lines) {
    drawing.moveTo(x1, y1);
    drawing.lineTo(x2, y2);
  }
  drawing.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  if (pattern === null) {
    return colour;
  }
  if (pixels === 'page') {
    // The tile has as many pixels as the screen.
    pattern.setTransform({ a: 1 / scale, d: 1 / scale });
  }
  return pattern;
}
