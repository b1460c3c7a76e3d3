// An icicle on a canvas: cells tinted by the hue of their phase, with its pattern, or those of several, below their name.

import { count } from '../../text/format';
import { type Phase, PHASES, themeColour } from '../../theme';
import * as l10n from '@vscode/l10n';
import type { Direction, Tint } from '../../comparison/tint';
import { tintAlpha, tintFills } from '../../comparison/tintFills';
import { phaseColour, phaseFill } from '../hatch';
import { fitted } from '../text';
import type { Cell, Icicle } from './geometry';

export const LEVEL_PX = 24;

const BAND_PX = 4;
const GAP_PX = 1;
const PADDING_PX = 4;
/** A narrower cell has no room for a letter and an ellipsis. */
const NAMED_FROM_PX = 24;
const TINT = 0.22;
/** How much is left of the colours of what a search has not found. */
const NOT_FOUND = 0.35;

/** How the nodes of an icicle are named and coloured. */
export interface Look<Node> {
  readonly nameOf: (node: Node) => string;
  /** What stands in the cell of a node; its name where this is absent. */
  readonly labelOf?: ((node: Node) => string) | undefined;
  /** Null for a node of several phases, which has the colour of text, faintly. */
  readonly phaseOf: (node: Node) => Phase | null;
  /** The share of each phase in a node of several, where that is known. */
  readonly sharesOf?: ((node: Node) => Readonly<Partial<Record<Phase, number>>>) | undefined;
  /** The colour of what became of the node, in place of its phases'; null for what nothing is known of. */
  readonly tintOf?: ((node: Node) => Tint | null) | undefined;
  /** Whether a search has found the node, or something below it; absent without a search. */
  readonly isFound?: ((node: Node) => boolean) | undefined;
}

/** The name of a cell: of its node, or how many smaller ones it stands for. */
export function cellName<Node>({ node, nodes }: Cell<Node>, nameOf: (node: Node) => string): string {
  return nodes === 1 ? nameOf(node) : l10n.t('{0} smaller', count(nodes));
}

/** Draws every cell; `topOf` says where a level begins. */
export function drawIcicle<Node>(
  context: CanvasRenderingContext2D,
  { levels }: Icicle<Node>,
  { nameOf, labelOf = nameOf, phaseOf, sharesOf, tintOf, isFound }: Look<Node>,
  topOf: (level: number) => number,
): void {
  const text = themeColour('--text');
  const quiet = themeColour('--quiet');
  const border = themeColour('--vscode-contrastBorder');
  const hues = new Map(PHASES.map((phase) => [phase, { colour: phaseColour(phase), fill: phaseFill(context, phase) }]));
  const tints = tintOf === undefined ? null : tintFills(context);
  context.font = `${themeColour('--vscode-font-size')} ${themeColour('--vscode-font-family')}`;
  context.textBaseline = 'middle';
  for (const cell of levels.flat()) {
    const phase = phaseOf(cell.node);
    const isRest = cell.nodes > 1;
    const hue = phase === null || isRest ? undefined : hues.get(phase);
    const strength = isFound === undefined || isFound(cell.node) ? 1 : NOT_FOUND;
    const x_px = cell.x_px;
    const y_px = topOf(cell.level);
    const width_px = Math.max(1, cell.width_px - GAP_PX);
    const height_px = LEVEL_PX - GAP_PX;
    const tint = isRest ? null : (tintOf?.(cell.node) ?? null);
    if (tints !== null) {
      const { colour, band } = tints.get(tint?.direction ?? 'same') ?? { colour: quiet, band: quiet };
      context.globalAlpha = strength * (tint === null ? TINT / 2 : tintAlpha(tint.strength));
      context.fillStyle = tint === null || tint.direction === 'same' ? quiet : colour;
      context.fillRect(x_px, y_px, width_px, height_px);
      context.globalAlpha = strength;
      if (tint !== null) {
        drawTintBand(context, tint.direction, band, { x_px, y_px, width_px, height_px });
      }
    } else {
      context.globalAlpha = strength * (hue === undefined ? TINT / 2 : TINT);
      context.fillStyle = hue?.colour ?? text;
      context.fillRect(x_px, y_px, width_px, height_px);
    }
    context.globalAlpha = strength;
    if (!isRest && tints === null) {
      const shares = phase === null ? sharesOf?.(cell.node) : { [phase]: 1 };
      const bottom_px = y_px + height_px;
      if (shares === undefined) {
        context.fillStyle = quiet;
        context.fillRect(x_px, bottom_px - 1, width_px, 1);
      } else {
        let before = 0;
        for (const [each, { fill }] of hues) {
          const ratio = shares[each] ?? 0;
          context.fillStyle = fill;
          context.fillRect(x_px + before * width_px, bottom_px - BAND_PX, ratio * width_px, BAND_PX);
          before += ratio;
        }
      }
    }
    if (border !== '' && width_px > 2) {
      context.strokeStyle = border;
      context.lineWidth = 1;
      context.strokeRect(x_px + 0.5, y_px + 0.5, width_px - 1, height_px - 1);
    }
    if (width_px >= NAMED_FROM_PX) {
      context.fillStyle = isRest ? quiet : text;
      const name = fitted(context, cellName(cell, labelOf), width_px - 2 * PADDING_PX);
      context.fillText(name, x_px + PADDING_PX, y_px + (height_px - BAND_PX) / 2 + 1);
    }
  }
  context.globalAlpha = 1;
}

interface CellBox {
  readonly x_px: number;
  readonly y_px: number;
  readonly width_px: number;
  readonly height_px: number;
}

/** Below the name: of what cannot be told a dashed line, of what is the same a thin one. */
function drawTintBand(
  context: CanvasRenderingContext2D,
  direction: Direction,
  band: string | CanvasPattern,
  { x_px, y_px, width_px, height_px }: CellBox,
): void {
  const bottom_px = y_px + height_px;
  if (direction === 'untold') {
    context.strokeStyle = band;
    context.lineWidth = 2;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(x_px, bottom_px - 1);
    context.lineTo(x_px + width_px, bottom_px - 1);
    context.stroke();
    context.setLineDash([]);
    return;
  }
  const band_px = direction === 'same' ? 1 : BAND_PX;
  context.fillStyle = band;
  context.fillRect(x_px, bottom_px - band_px, width_px, band_px);
}
