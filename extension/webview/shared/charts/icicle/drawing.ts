// An icicle on a canvas: cells tinted by the hue of their phase, with its pattern below their name.

import { count } from '../../text/format';
import { type Phase, PHASES, themeColour } from '../../theme';
import * as l10n from '@vscode/l10n';
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
  /** Null for a node of several phases, which has the colour of text, faintly. */
  readonly phaseOf: (node: Node) => Phase | null;
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
  { nameOf, phaseOf, isFound }: Look<Node>,
  topOf: (level: number) => number,
): void {
  const text = themeColour('--text');
  const quiet = themeColour('--quiet');
  const border = themeColour('--vscode-contrastBorder');
  const hues = new Map(PHASES.map((phase) => [phase, { colour: phaseColour(phase), fill: phaseFill(context, phase) }]));
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
    context.globalAlpha = strength * (hue === undefined ? TINT / 2 : TINT);
    context.fillStyle = hue?.colour ?? text;
    context.fillRect(x_px, y_px, width_px, height_px);
    context.globalAlpha = strength;
    if (!isRest) {
      context.fillStyle = hue?.fill ?? quiet;
      const band_px = hue === undefined ? 1 : BAND_PX;
      context.fillRect(x_px, y_px + height_px - band_px, width_px, band_px);
    }
    if (border !== '' && width_px > 2) {
      context.strokeStyle = border;
      context.lineWidth = 1;
      context.strokeRect(x_px + 0.5, y_px + 0.5, width_px - 1, height_px - 1);
    }
    if (width_px >= NAMED_FROM_PX) {
      context.fillStyle = isRest ? quiet : text;
      const name = fitted(context, cellName(cell, nameOf), width_px - 2 * PADDING_PX);
      context.fillText(name, x_px + PADDING_PX, y_px + (height_px - BAND_PX) / 2 + 1);
    }
  }
  context.globalAlpha = 1;
}
