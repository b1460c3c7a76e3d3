// One node of the picture: its name, its place, its figure, and a bar as long as its part; an opened one is a box about
// others.

import { TITLE_PX } from '../layout/parts';
import type { LayoutBox } from '../layout/request';
import { fitted } from '../../../shared/charts/text';
import { tintAlpha } from '../../../shared/comparison/tintFills';
import { amountOf, figureText, isWithoutEstimate, JUDGEMENTS, shortFigureText } from '../model/overlays';
import { badgesOf, canOpen, subtitleOf, titleOf } from '../model/words';
import type { GraphNode } from '../../../../src/protocol';
import type { Colours, Fill } from './colours';
import type { Picture } from './picture';
import { TEXT_FROM_SCALE } from './viewport';

const PADDING_PX = 8;
const BAND_PX = 4;
const BAR_PX = 5;
/** Of parts that patterns tell apart. */
const PARTS_PX = 8;
const TITLE_FONT_PX = 13;
const SMALL_FONT_PX = 12;
/** Letters on the screen are not smaller than this; where two rows of them have no room, there is one. */
const LEAST_FONT_PX = 10.5;
const BOTH_ROWS_FROM_SCALE = 0.8;
const CHEVRON_PX = 8;
const NOT_FOUND = 0.35;
/** Borders are the colour of quiet text, which as strong would be louder than what is in them. */
const BORDER = 0.5;
const STACKED_PX = 3;
/** A lower box has one row of text. */
const LOW_BELOW_PX = 40;

export interface DrawnNode {
  readonly node: GraphNode;
  readonly box: LayoutBox;
  readonly picture: Picture;
  readonly colours: Colours;
  readonly scale: number;
}

/** Where the mark is that opens or closes a node, within its box. */
export function chevronBox({ left_px, top_px, width_px }: LayoutBox): LayoutBox {
  return { id: '', left_px: left_px + width_px - 24, top_px, width_px: 24, height_px: 24 };
}

export function drawNode(context: CanvasRenderingContext2D, drawn: DrawnNode): void {
  const { node, box, picture, colours, scale } = drawn;
  const { left_px, top_px, width_px, height_px } = box;
  context.globalAlpha = picture.found === null || picture.found.has(node.key) ? 1 : NOT_FOUND;
  if (node.repeated > 1) {
    outlined(context, drawn, STACKED_PX);
  }
  context.fillStyle = colours.box;
  context.fillRect(left_px, top_px, width_px, height_px);
  const tint = picture.tinted?.tintOf(node) ?? null;
  const fill = tint === null ? undefined : colours.tints.get(tint.direction);
  if (tint !== null && fill !== undefined) {
    const strength = context.globalAlpha;
    context.globalAlpha = strength * tintAlpha(tint.strength);
    context.fillStyle = fill.colour;
    context.fillRect(left_px, top_px, width_px, height_px);
    context.globalAlpha = strength;
  }
  const band = hueOf(drawn);
  if (band !== undefined) {
    context.fillStyle = band;
    context.fillRect(left_px, top_px, BAND_PX, height_px);
  }
  outlined(context, drawn, 0);
  drawBar(context, drawn);
  if (scale >= TEXT_FROM_SCALE) {
    drawTexts(context, drawn);
  }
  context.globalAlpha = 1;
}

/** That of what became of the node, or of its phase. */
function hueOf({ node, picture, colours }: DrawnNode): Fill | undefined {
  if (picture.tinted !== null) {
    const tint = picture.tinted.tintOf(node);
    return tint === null ? undefined : colours.tints.get(tint.direction)?.band;
  }
  return node.phase === null ? undefined : colours.phases.get(node.phase);
}

/** What became of the node, where the picture is coloured by that; else the figure that its bar is of. */
function shownFigure({ node, picture }: DrawnNode, isShort: boolean): string {
  const mark = picture.tinted?.markOf(node) ?? '';
  return mark !== '' ? mark : (isShort ? shortFigureText : figureText)(node, picture.overlay, picture.model.extent);
}

export function drawGroup(context: CanvasRenderingContext2D, drawn: DrawnNode): void {
  const { box, colours } = drawn;
  const { left_px, top_px, width_px, height_px } = box;
  context.fillStyle = colours.text;
  context.globalAlpha = colours.isHighContrast ? 0 : 0.04;
  context.fillRect(left_px, top_px, width_px, height_px);
  context.globalAlpha = 1;
  outlined(context, drawn, 0);
  const band = hueOf(drawn);
  if (band !== undefined) {
    context.fillStyle = band;
    context.fillRect(left_px, top_px, BAND_PX, height_px);
  }
}

/** Over the edges, which go through the border of a group. */
export function drawGroupTitle(context: CanvasRenderingContext2D, drawn: DrawnNode): void {
  const { node, box, colours, scale } = drawn;
  const { left_px, top_px, width_px } = box;
  if (scale < TEXT_FROM_SCALE) {
    return;
  }
  const room_px = width_px - 2 * PADDING_PX - BAND_PX - CHEVRON_PX - 4;
  const middle_px = top_px + TITLE_PX / 2;
  context.textBaseline = 'middle';
  context.font = `600 ${String(fontSize(TITLE_FONT_PX, scale))}px ${colours.font}`;
  context.fillStyle = colours.text;
  const title = fittedTitle(context, node, room_px);
  context.fillText(title, left_px + BAND_PX + PADDING_PX, middle_px);
  const title_px = context.measureText(title).width + 8;
  context.font = `${String(fontSize(SMALL_FONT_PX, scale))}px ${colours.font}`;
  context.fillStyle = colours.quiet;
  const more = [...badgesOf(node), shownFigure(drawn, false)].filter((text) => text !== '').join(' · ');
  context.fillText(fitted(context, more, room_px - title_px), left_px + BAND_PX + PADDING_PX + title_px, middle_px);
  drawChevron(context, drawn, middle_px);
}

/** An opened group has a line all around; what is not followed or left out, or cannot be told, a dashed one. */
function outlined(context: CanvasRenderingContext2D, { node, box, picture, colours }: DrawnNode, by_px: number): void {
  const { left_px, top_px, width_px, height_px } = box;
  const strength = context.globalAlpha;
  context.globalAlpha = colours.isHighContrast ? strength : strength * (node.is_hub ? 1 : BORDER);
  context.strokeStyle = colours.border;
  context.lineWidth = 1;
  const isUntold = picture.tinted?.tintOf(node)?.direction === 'untold';
  context.setLineDash(
    node.kind === 'rest' || node.kind === 'outside' ? [2, 3] : (node.is_hub && !node.is_open) || isUntold ? [6, 3] : [],
  );
  context.strokeRect(left_px + by_px + 0.5, top_px + by_px + 0.5, width_px - 1, height_px - 1);
  context.setLineDash([]);
  context.globalAlpha = strength;
}

function drawBar(context: CanvasRenderingContext2D, drawn: DrawnNode): void {
  const { node, box, picture, colours } = drawn;
  const amount = amountOf(node, picture.overlay);
  if (picture.overlay === 'time' && isWithoutEstimate(node)) {
    drawUnknownBar(context, box, colours);
    return;
  }
  if (amount === null || node.kind === 'rest' || node.kind === 'outside') {
    return;
  }
  const room_px = box.width_px - 2 * PADDING_PX - BAND_PX;
  const bar_px = picture.overlay === 'compatibility' ? PARTS_PX : BAR_PX;
  const [x_px, y_px] = [box.left_px + BAND_PX + PADDING_PX, box.top_px + box.height_px - bar_px - 3];
  context.fillStyle = colours.line;
  context.fillRect(x_px, y_px + bar_px, room_px, 1);
  if (picture.overlay === 'compatibility' && node.compatibility !== null) {
    const { compatibility } = node;
    const all = JUDGEMENTS.reduce((sum, each) => sum + compatibility[each], 0);
    let before = 0;
    for (const each of JUDGEMENTS) {
      const ratio = compatibility[each] / Math.max(1, all);
      context.fillStyle = colours.judgements.get(each) ?? colours.quiet;
      context.fillRect(x_px + before * room_px, y_px, ratio * room_px, bar_px);
      before += ratio;
    }
    return;
  }
  const ratio = Math.min(1, amount / Math.max(Number.MIN_VALUE, picture.full));
  context.fillStyle = hueOf(drawn) ?? colours.quiet;
  context.fillRect(x_px, y_px, amount > 0 ? Math.max(1, ratio * room_px) : 0, bar_px);
}

/** Empty and dashed all along: it may be any length. */
function drawUnknownBar(context: CanvasRenderingContext2D, box: LayoutBox, colours: Colours): void {
  context.strokeStyle = colours.quiet;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.strokeRect(
    box.left_px + BAND_PX + PADDING_PX + 0.5,
    box.top_px + box.height_px - BAR_PX - 2.5,
    box.width_px - 2 * PADDING_PX - BAND_PX - 1,
    BAR_PX - 1,
  );
  context.setLineDash([]);
}

function drawTexts(context: CanvasRenderingContext2D, drawn: DrawnNode): void {
  const { node, box, picture, colours, scale } = drawn;
  const left_px = box.left_px + BAND_PX + PADDING_PX;
  const right_px = box.left_px + box.width_px - PADDING_PX;
  const isLow = box.height_px < LOW_BELOW_PX;
  const hasBoth = scale >= BOTH_ROWS_FROM_SCALE;
  const first_px = box.top_px + (isLow ? box.height_px / 2 : hasBoth ? 13 : (box.height_px - BAR_PX) / 2);
  const figure = shownFigure(drawn, !hasBoth);
  let end_px = right_px;
  context.textBaseline = 'middle';
  const writeAtEnd = (text: string, y_px: number): void => {
    context.textAlign = 'right';
    context.fillText(text, end_px, y_px);
    context.textAlign = 'left';
    end_px -= context.measureText(text).width + 6;
  };
  context.font = `${String(fontSize(SMALL_FONT_PX, scale))}px ${colours.font}`;
  context.fillStyle = colours.quiet;
  if (hasBoth) {
    if (canOpen(node, picture.model)) {
      drawChevron(context, drawn, first_px);
      end_px -= CHEVRON_PX + 4;
    }
    for (const badge of badgesOf(node)) {
      writeAtEnd(badge, first_px);
    }
  }
  // Where there is room for one row alone, the name comes first.
  if (isLow || !hasBoth) {
    const room_px = end_px - left_px - titleWidth(context, drawn);
    const fits = [figure, picture.tinted?.arrowOf(node) ?? ''].find((text) => widthOf(context, text) <= room_px);
    if (fits !== undefined && fits !== '') {
      writeAtEnd(fits, first_px);
    }
  }
  context.font = `${String(fontSize(TITLE_FONT_PX, scale))}px ${colours.font}`;
  context.fillStyle = node.kind === 'rest' || node.kind === 'outside' ? colours.quiet : colours.text;
  context.fillText(fittedTitle(context, node, end_px - left_px), left_px, first_px);
  if (!hasBoth || isLow) {
    return;
  }
  const second_px = box.top_px + 30;
  context.font = `${String(SMALL_FONT_PX)}px ${colours.font}`;
  end_px = right_px;
  if (figure !== '') {
    context.fillStyle = colours.text;
    writeAtEnd(figure, second_px);
  }
  context.fillStyle = colours.quiet;
  context.fillText(fitted(context, subtitleOf(node), end_px - left_px), left_px, second_px);
}

function titleWidth(context: CanvasRenderingContext2D, { node, scale, colours }: DrawnNode): number {
  const { font } = context;
  context.font = `${String(fontSize(TITLE_FONT_PX, scale))}px ${colours.font}`;
  const width_px = widthOf(context, titleOf(node));
  context.font = font;
  return width_px;
}

/** With what is free beside it. */
function widthOf(context: CanvasRenderingContext2D, text: string): number {
  return context.measureText(text).width + 6;
}

/** As much of a name as fits; of a line the file's name gives way, never the number. */
function fittedTitle(context: CanvasRenderingContext2D, node: GraphNode, room_px: number): string {
  const title = titleOf(node);
  const number = node.kind === 'line' && node.line !== null ? `:${String(node.line)}` : '';
  if (number === '' || context.measureText(title).width <= room_px) {
    return fitted(context, title, room_px);
  }
  const file = title.slice(0, -number.length);
  return `${fitted(context, file, room_px - context.measureText(number).width)}${number}`;
}

/** Right where there is something inside, down where it is open. */
function drawChevron(
  context: CanvasRenderingContext2D,
  { node, box, picture, colours }: DrawnNode,
  y_px: number,
): void {
  const x_px = box.left_px + box.width_px - PADDING_PX - CHEVRON_PX / 2;
  const half_px = CHEVRON_PX / 2;
  context.beginPath();
  if (picture.model.groups.has(node.key)) {
    context.moveTo(x_px - half_px, y_px - half_px / 2);
    context.lineTo(x_px, y_px + half_px / 2);
    context.lineTo(x_px + half_px, y_px - half_px / 2);
  } else {
    context.moveTo(x_px - half_px / 2, y_px - half_px);
    context.lineTo(x_px + half_px / 2, y_px);
    context.lineTo(x_px - half_px / 2, y_px + half_px);
  }
  context.strokeStyle = colours.text;
  context.lineWidth = 1.25;
  context.stroke();
}

function fontSize(size_px: number, scale: number): number {
  return Math.max(size_px, LEAST_FONT_PX / scale);
}
