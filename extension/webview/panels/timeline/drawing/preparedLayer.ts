// A window made ready to be drawn: its rectangles at the renderer, and where its rows are at present.

import { entryOf } from './boxes/palette';
import { type Instances, instancesOf, rowKinds } from './boxes/instances';
import { type Loaded, type Renderer, ROW_VALUES, type RowPlaces } from './boxes/renderer';
import { RowIndex } from './hits';
import { type Layout, ROW_GAP_PX, shownTop, type TrackPlace } from '../state/layout';
import type { Layer } from '../windows/windows';

export class PreparedLayer {
  readonly index: RowIndex;
  readonly kinds: ReturnType<typeof rowKinds>;
  readonly places: RowPlaces;
  instances: Instances;
  private loaded: Loaded | null = null;
  private entries: Uint8Array;
  private placed: { layout: Layout; scroll_px: number; density: number } | null = null;

  constructor(
    readonly layer: Layer,
    entries: Uint8Array,
  ) {
    this.index = new RowIndex(layer);
    this.kinds = rowKinds(layer.window);
    this.places = new Float32Array(ROW_VALUES * this.kinds.end);
    this.entries = entries;
    this.instances = instancesOf(layer.window, entries);
  }

  /** The entry of the palette that a box has. */
  entryOf(box: number): number {
    return this.entries[box] ?? entryOf(0);
  }

  recolour(entries: Uint8Array): void {
    this.entries = entries;
    this.instances = instancesOf(this.layer.window, entries);
    this.release();
  }

  /** What a renderer draws; it is loaded when it first asks. */
  at(renderer: Renderer): Loaded {
    this.loaded ??= renderer.load(this.instances);
    return this.loaded;
  }

  release(): void {
    this.loaded?.dispose();
    this.loaded = null;
  }

  /** Says where the rows are, in pixels of the screen. */
  place(layout: Layout, scroll_px: number, density: number): void {
    const { placed } = this;
    if (placed?.layout === layout && placed.scroll_px === scroll_px && placed.density === density) {
      return;
    }
    this.placed = { layout, scroll_px, density };
    const { boxes, counters, record } = this.layer.window;
    const put = (row: number, place: TrackPlace | undefined, depth: number, rows: number): void => {
      const isShown = place !== undefined && depth < place.rows;
      const top_px = isShown ? shownTop(layout, place, scroll_px) + depth * place.row_px : 0;
      const height_px = isShown ? rows * place.row_px - ROW_GAP_PX : 0;
      const isPinned = isShown && place.top_px < layout.pinned_px;
      this.places[ROW_VALUES * row] = Math.round(top_px * density);
      this.places[ROW_VALUES * row + 1] = Math.round(height_px * density);
      this.places[ROW_VALUES * row + 2] = isPinned ? 0 : Math.round(layout.pinned_px * density);
    };
    for (let row = 0; row < boxes.rows; row += 1) {
      const track = record.tracks[boxes.track[row] ?? 0]?.id ?? '';
      put(row, layout.tracks.get(track), boxes.depth[row] ?? 0, 1);
    }
    counters.forEach(({ record: counter }, at) => {
      put(this.kinds.counters + at, layout.tracks.get(counter.track), 0, 1);
    });
    record.tracks.forEach(({ id }, at) => {
      const place = layout.tracks.get(id);
      put(this.kinds.grounds + at, place, 0, place?.rows ?? 0);
    });
  }
}
