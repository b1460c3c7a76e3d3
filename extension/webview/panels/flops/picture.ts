// An icicle on a canvas: cells tinted by the hue of their phase, with its pattern below their name.

import * as l10n from '@vscode/l10n';
import { phaseColour, phaseFill } from '../../shared/charts/hatch';
import { fitted } from '../../shared/charts/text';
import { count } from '../../shared/text/format';
import { PHASES, themeColour } from '../../shared/theme';
import type { Cell, Icicle } from './icicle';
import { nodeName } from './measures';

export const LEVEL_PX = 24;

const BAND_PX = 4;
const GAP_PX = 1;
const PADDING_PX = 4;
/** A narrower cell has no room for a letter and what stands for the rest. */
const NAMED_FROM_PX = 24;
const TINT = 0.22;

/** The name of a cell: of its node, or how many smaller ones it stands for. */
export function cellName({ node, nodes }: Cell): string {
  return nodes === 1 ? nodeName(node) : l10n.t('{0} smaller', count(nodes));
}

/** Draws every cell. A scope of several phases has the colour of text, faintly. */
export function drawIcicle(context: CanvasRenderingContext2D, { levels }: Icicle): void {
  const text = themeColour('--text');
  const quiet = themeColour('--quiet');
  const border = themeColour('--vscode-contrastBorder');
  const hues = new Map(PHASES.map((phase) => [phase, { colour: phaseColour(phase), fill: phaseFill(context, phase) }]));
  context.font = `${themeColour('--vscode-font-size')} ${themeColour('--vscode-font-family')}`;
  context.textBaseline = 'middle';
  for (const cell of levels.flat()) {
    const { phase } = cell.node.row;
    const isRest = cell.nodes > 1;
    const hue = phase === null || isRest ? undefined : hues.get(phase);
    const x_px = cell.x_px;
    const y_px = cell.level * LEVEL_PX;
    const width_px = Math.max(1, cell.width_px - GAP_PX);
    const height_px = LEVEL_PX - GAP_PX;
    context.globalAlpha = hue === undefined ? TINT / 2 : TINT;
    context.fillStyle = hue?.colour ?? text;
    context.fillRect(x_px, y_px, width_px, height_px);
    context.globalAlpha = 1;
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
      const name = fitted(context, cellName(cell), width_px - 2 * PADDING_PX);
      context.fillText(name, x_px + PADDING_PX, y_px + (height_px - BAND_PX) / 2 + 1);
    }
  }
}
