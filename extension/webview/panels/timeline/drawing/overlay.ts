// What is drawn above the boxes: their names, what is selected and hovered, figures of counters.

import { themeColour } from '../../../shared/theme';
import { count } from '../../../shared/text/format';
import type { Size } from '../../../shared/frame/size';
import type { Arrow } from '../state/arrows';
import { drawArrows } from './arrows';
import { ENTRIES, DIMMED, IDLE, type Palette, TINTED } from './boxes/palette';
import { ROW_VALUES, sizeCanvas } from './boxes/renderer';
import { TextCutter } from './boxes/texts';
import { counterFigures } from '../state/counterFigures';
import { firstStartingAfter } from './hits';
import type { Layout, TrackPlace } from '../state/layout';
import { COUNTER_PX, ROW_GAP_PX, ROW_PX, SECTION_PX, shownTop } from '../state/layout';
import { fillBusy } from './busy';
import { mergedAt } from '../windows/packed';
import type { PreparedLayer } from './preparedLayer';
import { lengthOf, xOf, type Span } from '../state/viewport';

const FONT_PX = 11;
const PADDING_PX = 4;
/** Above and below the overview in the head of a section that is collapsed. */
const BUSY_MARGIN_PX = 6;
/** A narrower box has no room for a few letters. */
const LEAST_NAMED_PX = 28;
/** The same for boxes that say how many they are. */
const LEAST_COUNTED_PX = 72;

/** What an outline is drawn around. */
export interface Outlined extends Span {
  readonly track: string;
  readonly depth: number;
}

type OverlayColours = ReturnType<typeof overlayColours>;

/** The present theme's font and colours. */
export function overlayColours() {
  return {
    font: themeColour('--vscode-font-family') || 'sans-serif',
    focus: themeColour('--vscode-focusBorder') || themeColour('--text'),
    surface: themeColour('--surface'),
    text: themeColour('--text'),
    quiet: themeColour('--quiet'),
    mark: themeColour('--mark'),
  };
}

export interface OverlayPicture {
  readonly view: Span;
  readonly size: Size;
  readonly layout: Layout;
  readonly scroll_px: number;
  readonly density: number;
  readonly palette: Palette;
  /** The same as long as the theme is. */
  readonly colours: OverlayColours;
  /** The finest layer that is drawn. */
  readonly finest: PreparedLayer | null;
  /** What a track's boxes are called, by the ids of their names; null where that is not known yet. */
  readonly namesOn: (track: string) => (id: number) => string | null;
  /** How busy sections were in equal parts of the run: what is seen of those that are collapsed. */
  readonly busy: Readonly<Record<string, readonly number[]>>;
  readonly duration_ps: number;
  readonly arrows: readonly Arrow[];
  readonly selected: Outlined | null;
  readonly hovered: Outlined | null;
}

export class Overlay {
  readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private cutter: TextCutter;
  /** What the cutter's texts were measured with. */
  private measured: OverlayColours | null = null;

  /** Throws where the canvas has no context. */
  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d');
    if (context === null) {
      throw new Error('This canvas cannot be drawn on.');
    }
    this.canvas = canvas;
    this.context = context;
    this.cutter = new TextCutter((text) => context.measureText(text).width);
  }

  resize(size: Size, density: number): void {
    sizeCanvas(this.canvas, size, density);
  }

  draw(picture: OverlayPicture): void {
    const { context } = this;
    const { size, density, layout, finest, colours } = picture;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, size.width_px, size.height_px);
    if (size.width_px === 0 || lengthOf(picture.view) <= 0) {
      return;
    }
    context.font = `${FONT_PX}px ${colours.font}`;
    context.textBaseline = 'middle';
    if (this.measured !== colours) {
      this.cutter = new TextCutter((text) => context.measureText(text).width);
      this.measured = colours;
    }
    if (layout.pinned_px > 0) {
      this.between(0, layout.pinned_px, size, () => this.drawRows(picture, finest, true));
      this.between(layout.pinned_px, size.height_px, size, () => this.drawRows(picture, finest, false));
    } else {
      this.drawRows(picture, finest, false);
    }
    drawArrows(context, picture);
  }

  private between(from_px: number, to_px: number, { width_px }: Size, draw: () => void): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(0, from_px, width_px, to_px - from_px);
    context.clip();
    draw();
    context.restore();
  }

  private drawRows(picture: OverlayPicture, finest: PreparedLayer | null, pinned: boolean): void {
    if (!pinned) {
      this.drawBusy(picture);
    }
    if (finest !== null) {
      this.drawNames(picture, finest, pinned);
      this.drawCounters(picture, finest, pinned);
    }
    this.drawOutline(picture, picture.hovered, pinned, false);
    this.drawOutline(picture, picture.selected, pinned, true);
  }

  private drawNames(picture: OverlayPicture, prepared: PreparedLayer, pinned: boolean): void {
    const { boxes } = prepared.layer.window;
    const { layout, density, size } = picture;
    for (let row = 0; row < boxes.rows; row += 1) {
      const top_px = (prepared.places[ROW_VALUES * row] ?? 0) / density;
      const height_px = (prepared.places[ROW_VALUES * row + 1] ?? 0) / density;
      const isPinned = (prepared.places[ROW_VALUES * row + 2] ?? 0) < layout.pinned_px * density;
      const isInSight = height_px > 0 && top_px < size.height_px && top_px + height_px > 0;
      if (isInSight && isPinned === pinned) {
        this.drawNamesOfRow(picture, prepared, row, top_px + height_px / 2, height_px);
      }
    }
  }

  private drawNamesOfRow(
    picture: OverlayPicture,
    prepared: PreparedLayer,
    row: number,
    middle_px: number,
    height_px: number,
  ): void {
    const { context, cutter } = this;
    const { view, size, palette, colours } = picture;
    const { boxes, record } = prepared.layer.window;
    const nameOf = picture.namesOn(record.tracks[boxes.track[row] ?? 0]?.id ?? '');
    const pixelsPerTime = size.width_px / lengthOf(view);
    const offset_ps = record.start_ps - view.start_ps;
    const end = boxes.firstBox[row + 1] ?? 0;
    const first = Math.max(boxes.firstBox[row] ?? 0, firstStartingAfter(prepared.layer, row, -offset_ps) - 1);
    let used = '';
    for (let box = first; box < end; box += 1) {
      const from_px = ((boxes.start_ps[box] ?? 0) + offset_ps) * pixelsPerTime;
      if (from_px > size.width_px) {
        break;
      }
      const left_px = Math.max(0, from_px);
      const right_px = Math.min(size.width_px, from_px + (boxes.duration_ps[box] ?? 0) * pixelsPerTime);
      const width_px = right_px - left_px;
      if (width_px < LEAST_NAMED_PX) {
        continue;
      }
      const merged = mergedAt(boxes, box);
      if (merged !== -1 && width_px < LEAST_COUNTED_PX) {
        continue;
      }
      const name = nameOf(boxes.name[box] ?? 0);
      if (name === null) {
        continue;
      }
      const isHollow = boxes.colour[box] === IDLE;
      const isDimmed = boxes.matched !== null && boxes.matched[box] === 0;
      const look = (isDimmed ? DIMMED : 0) | (merged === -1 ? 0 : TINTED);
      const at = look * ENTRIES + prepared.entryOf(box);
      const label = merged === -1 ? name : `${count(boxes.mergedCount[merged] ?? 0)} × ${name}`;
      const shown = cutter.cut(label, width_px - 2 * PADDING_PX);
      if (shown === '') {
        continue;
      }
      if (merged !== -1) {
        // The light and the strong part of the box are of different brightness: the name has a ground of its own.
        context.fillStyle = palette.fills[at] ?? '';
        const plate_px = Math.min(width_px, context.measureText(shown).width + 2 * PADDING_PX);
        context.fillRect(left_px, middle_px - height_px / 2, plate_px, height_px);
        used = '';
      }
      const colour = isHollow ? (isDimmed ? colours.quiet : colours.text) : (palette.texts[at] ?? '');
      if (colour !== used) {
        context.fillStyle = used = colour;
      }
      context.fillText(shown, left_px + PADDING_PX, middle_px + 0.5);
    }
  }

  /** What a counter's area reaches from and to. */
  private drawCounters(picture: OverlayPicture, { layer }: PreparedLayer, pinned: boolean): void {
    const { layout, scroll_px, size, colours } = picture;
    for (const { record } of layer.window.counters) {
      const place = layout.tracks.get(record.track);
      if (place === undefined || place.row_px < COUNTER_PX || place.top_px < layout.pinned_px !== pinned) {
        continue;
      }
      const top_px = shownTop(layout, place, scroll_px);
      if (top_px > size.height_px || top_px + place.height_px < 0) {
        continue;
      }
      const { top, bottom } = counterFigures(record);
      this.drawFigure(top, top_px, colours);
      if (bottom !== null) {
        this.drawFigure(bottom, top_px + place.row_px - FONT_PX - 4, colours);
      }
    }
  }

  private drawFigure(text: string, top_px: number, colours: OverlayColours): void {
    const { context } = this;
    const width_px = context.measureText(text).width;
    context.fillStyle = colours.surface;
    context.fillRect(0, top_px, width_px + 2 * PADDING_PX, FONT_PX + 4);
    context.fillStyle = colours.quiet;
    context.fillText(text, PADDING_PX, top_px + FONT_PX / 2 + 2);
  }

  private drawBusy({ view, size, layout, scroll_px, busy, duration_ps, colours }: OverlayPicture): void {
    const { context } = this;
    for (const place of layout.places) {
      const parts = place.kind === 'section' && place.collapsed ? (busy[place.section?.id ?? ''] ?? []) : [];
      const floor_px = shownTop(layout, place, scroll_px) + SECTION_PX - BUSY_MARGIN_PX;
      if (parts.length === 0 || floor_px < 0 || floor_px > size.height_px + SECTION_PX) {
        continue;
      }
      const most_px = SECTION_PX - 2 * BUSY_MARGIN_PX;
      context.fillStyle = colours.mark;
      fillBusy(context, parts, duration_ps, view, { width_px: size.width_px, floor_px, most_px });
    }
  }

  private drawOutline(picture: OverlayPicture, outlined: Outlined | null, pinned: boolean, isSelected: boolean): void {
    const { context } = this;
    const { view, size, colours } = picture;
    const place = outlined === null ? undefined : picture.layout.tracks.get(outlined.track);
    if (outlined === null || place === undefined) {
      return;
    }
    if (place.top_px < picture.layout.pinned_px !== pinned || outlined.depth >= place.rows) {
      return;
    }
    const left_px = Math.max(-PADDING_PX, xOf(view, size.width_px, outlined.start_ps));
    const right_px = Math.min(size.width_px + PADDING_PX, xOf(view, size.width_px, outlined.end_ps));
    if (right_px < 0 || left_px > size.width_px) {
      return;
    }
    const { top_px, height_px } = rowOf(picture, place, outlined.depth);
    const width_px = Math.max(3, right_px - left_px);
    const round = (value: number): number => Math.round(value * picture.density) / picture.density;
    if (isSelected) {
      context.lineWidth = 1;
      context.strokeStyle = colours.surface;
      context.strokeRect(round(left_px) + 1.5, round(top_px) + 1.5, round(width_px) - 3, height_px - 3);
      context.lineWidth = 2;
      context.strokeStyle = colours.focus;
      context.strokeRect(round(left_px), round(top_px), round(width_px), height_px);
    } else {
      context.lineWidth = 1;
      context.strokeStyle = colours.text;
      context.strokeRect(round(left_px) + 0.5, round(top_px) + 0.5, Math.max(1, round(width_px) - 1), height_px - 1);
    }
  }
}

function rowOf(
  { layout, scroll_px }: OverlayPicture,
  place: TrackPlace,
  depth: number,
): { top_px: number; height_px: number } {
  const row_px = Math.max(ROW_PX, place.row_px);
  return { top_px: shownTop(layout, place, scroll_px) + depth * row_px, height_px: row_px - ROW_GAP_PX };
}
