// Text on a canvas, and how wide text is.

import { firstNotBefore } from './ascending';

const ELLIPSIS = '…';
const WORD_PADDING_PX = 2;

/** As much of a text as fits a width in the font that is set, with an ellipsis for what does not. */
export function fitted(context: CanvasRenderingContext2D, text: string, width_px: number): string {
  // A character is never narrower than a pixel: what is longer need not be measured.
  const characters = Array.from(text.slice(0, Math.max(0, Math.ceil(width_px)) + 1));
  const start = (length: number): string => characters.slice(0, length).join('');
  if (start(characters.length) === text && context.measureText(text).width <= width_px) {
    return text;
  }
  const fits = (length: number): boolean => context.measureText(start(length) + ELLIPSIS).width <= width_px;
  const most = firstNotBefore(1, characters.length + 1, fits) - 1;
  return most === 0 ? '' : start(most) + ELLIPSIS;
}

let measuring: CanvasRenderingContext2D | null = null;

/** The width of a word of the page with what it has for a margin on both sides. */
export function wordWidth(text: string): number {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring === null) {
    return 0;
  }
  const { fontSize, fontFamily } = getComputedStyle(document.body);
  measuring.font = `${fontSize} ${fontFamily}`;
  return Math.ceil(measuring.measureText(text).width) + 2 * WORD_PADDING_PX;
}
