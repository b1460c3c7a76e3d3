// The picture of the tracks: it watches the state, fetches what is in sight and draws one frame for each change.

import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { TimelineNames, TimelineRecord, WindowRecord } from '../../../../src/protocol';
import { themeColour, themeGeneration } from '../../../shared/theme';
import { paletteTheme, makePalette } from './boxes/palette';
import type { Loaded, Renderer } from './boxes/renderer';
import { type ColouringContext, entriesOf, namesForColours, scopeTracks } from './colouring';
import { groundOf } from './ground';
import { boxNear, edgesNear, pictureBox } from './hits';
import {
  layOut,
  type Layout,
  mostScroll,
  NO_LAYOUT,
  placesBetween,
  rowAt,
  rowsInSight,
  scrollKeeping,
  scrollRevealing,
} from '../state/layout';
import { NameCache, nameOn, type SliceName } from '../state/names';
import { type Overlay, overlayColours } from './overlay';
import { PreparedLayer } from './preparedLayer';
import { changeOf, type ShownFiles } from '../state/sameRun';
import type { Hit, Picture, PictureRow, TimelineState } from '../state/state';
import { lengthOf, spanFrom, timeAt, timePerPixel } from '../state/viewport';
import { isReady, type Layer, layersToDraw, type Wanted, type WindowRequest } from '../windows/windows';
import { WindowSource } from '../windows/windowSource';

/** What the picture asks its host for. */
export interface PictureHost {
  readonly window: (request: WindowRequest, signal: AbortSignal) => Promise<WindowRecord>;
  readonly names: (ids: readonly number[]) => Promise<TimelineNames>;
}

export interface Canvases {
  readonly renderer: Renderer;
  readonly overlay: Overlay;
}

/** Rows of a track that was never read are asked for up to here, that they need not be asked for twice. */
const FIRST_DEPTHS = 48;
/** Tracks so far beyond what is in sight are fetched with it, in heights of it. */
const TRACKS_AROUND = 0.5;
/** A pointer that misses a box by so much is meant for it. */
const REACH_PX = 2;
const NOTHING = {};

export class TracksPicture implements Picture {
  private readonly depths = signal<ReadonlyMap<string, number>>(new Map());
  /** The layout as it is drawn. */
  readonly layout = computed(() => layOut(this.state.arranged.value, this.depths.value));
  readonly height_px = computed(() => this.layout.value.height_px);
  private readonly density = signal(devicePixelRatio);
  /** Raised when windows or names have come. */
  private readonly arrivals = signal(0);
  /** The finest window that came last, and how long it took. */
  private readonly near = signal<{ readonly layer: Layer; readonly took_ms: number } | null>(null);
  private readonly source: WindowSource;
  private readonly names: NameCache;
  private readonly prepared = new Map<Layer, PreparedLayer>();
  private readonly endings: (() => void)[] = [];
  private palette = makePalette(paletteTheme(themeColour));
  private colours = overlayColours();
  private frame: number | null = null;
  private record: TimelineRecord | null = null;
  private run: ShownFiles | null = null;
  private lastLayout: Layout = NO_LAYOUT;

  constructor(
    private readonly state: TimelineState,
    host: PictureHost,
    private canvases: Canvases,
  ) {
    this.source = new WindowSource({
      ask: host.window,
      onArrival: (layer, took_ms) => this.receive(layer, took_ms),
      onFailure: (sentence) => (state.failure.value = sentence),
    });
    this.names = new NameCache(host.names, () => this.receiveNames());
    this.endings.push(
      effect(() => this.keepScroll(this.layout.value)),
      effect(() => this.takeTheme()),
      effect(() => this.resize()),
      effect(() => this.recolour()),
      effect(() => this.wantWindows()),
      effect(() => this.tellDrawn()),
      effect(() => this.scheduleFrame()),
      watchDensity(this.density),
    );
    state.picture.value = this;
  }

  /** Takes other canvases, because the graphics card of those before was taken away. */
  use(canvases: Canvases): void {
    this.canvases = canvases;
    for (const prepared of this.prepared.values()) {
      prepared.release();
    }
    this.applyTheme();
    this.applySize();
    this.arrivals.value += 1;
  }

  dispose(): void {
    this.endings.forEach((end) => end());
    this.source.stop();
    if (this.frame !== null) {
      cancelAnimationFrame(this.frame);
    }
    for (const prepared of this.prepared.values()) {
      prepared.release();
    }
    this.canvases.renderer.dispose();
    this.state.picture.value = null;
  }

  // What changes

  private takeRecord(record: TimelineRecord | null): void {
    const before = this.record;
    this.record = record;
    if (record === before) {
      return;
    }
    this.names.renew();
    const run = this.state.run.peek();
    const isAnother = changeOf(this.run, run) !== 'none';
    this.run = run;
    if (isAnother || record?.duration_ps !== before?.duration_ps) {
      this.source.drop();
      this.forgetLayers();
      this.depths.value = new Map();
    }
  }

  private keepScroll(layout: Layout): void {
    const { scroll_px, size } = this.state;
    const kept = scrollKeeping(this.lastLayout, layout, scroll_px.peek());
    this.lastLayout = layout;
    scroll_px.value = Math.max(0, Math.min(kept, mostScroll(layout, size.value.height_px)));
  }

  private takeTheme(): void {
    follow([themeGeneration()]);
    untracked(() => {
      this.applyTheme();
      this.arrivals.value += 1;
    });
  }

  private applyTheme(): void {
    this.palette = makePalette(paletteTheme(themeColour));
    this.colours = overlayColours();
    this.canvases.renderer.setPalette(this.palette);
  }

  private resize(): void {
    follow([this.state.size, this.density]);
    this.applySize();
  }

  private applySize(): void {
    const size = this.state.size.peek();
    this.canvases.renderer.resize(size, this.density.peek());
    this.canvases.overlay.resize(size, this.density.peek());
  }

  private colouringContext(): ColouringContext {
    const { colouring, record, levels } = this.state;
    return {
      colouring: colouring.value,
      sections: record.value?.sections ?? [],
      steps: record.value?.steps ?? null,
      levels: levels.value,
      nameOf: (id) => this.names.get(id)?.name ?? null,
    };
  }

  private recolour(): void {
    const context = this.colouringContext();
    untracked(() => {
      for (const prepared of this.prepared.values()) {
        prepared.recolour(entriesOf(prepared.layer.window, context));
      }
      this.names.fetch();
      this.arrivals.value += 1;
    });
  }

  private receiveNames(): void {
    const colouring = this.state.colouring.peek();
    if (colouring === 'name' || colouring === 'scope') {
      untracked(() => this.recolour());
    }
    this.arrivals.value += 1;
  }

  // Windows

  /** The tracks to ask for, with how many rows of each: those in sight with some around them, and all. */
  private readonly tracks = computed(() => {
    const { record, size, scroll_px, colouring, levels } = this.state;
    const layout = this.layout.value;
    const { height_px } = size.value;
    const around_px = TRACKS_AROUND * height_px;
    const near = new Map<string, number>();
    for (const place of placesBetween(layout, scroll_px.value, -around_px, height_px + around_px)) {
      if (place.kind === 'track') {
        near.set(place.track.id, this.rowsToAsk(layout, place.track.id));
      }
    }
    if (colouring.value === 'scope') {
      for (const track of scopeTracks(record.value?.sections ?? [], new Set(near.keys()))) {
        near.set(track, Math.max(near.get(track) ?? 0, levels.value));
      }
    }
    const all = new Map([...layout.tracks.keys()].map((id) => [id, this.rowsToAsk(layout, id)]));
    return { near, all };
  });

  /** The tracks in sight. */
  private readonly inSight = computed(() => {
    const places = placesBetween(this.layout.value, this.state.scroll_px.value, 0, this.state.size.value.height_px);
    return new Map(places.flatMap((place) => (place.kind === 'track' ? [[place.track.id, 1] as const] : [])));
  });

  private rowsToAsk(layout: Layout, id: string): number {
    const place = layout.tracks.get(id);
    const isRead = this.depths.value.has(id) || place?.track.depths !== null;
    return place === undefined ? 1 : isRead || place.collapsed ? place.rows : FIRST_DEPTHS;
  }

  private wantWindows(): void {
    const { record, view, size, matcher } = this.state;
    untracked(() => this.takeRecord(record.value));
    const wanted: Wanted = {
      ...this.tracks.value,
      view: view.value,
      duration_ps: record.value?.duration_ps ?? 0,
      width_px: Math.round(size.value.width_px * Math.min(2, this.density.value)),
      matcher: matcher.value,
      record: record.value,
    };
    untracked(() => {
      this.state.failure.value = null;
      this.source.want(wanted);
    });
  }

  private receive(layer: Layer, took_ms: number): void {
    this.forgetLayers();
    const { window } = layer;
    untracked(() => {
      const context = this.colouringContext();
      const prepared = new PreparedLayer(layer, entriesOf(window, context));
      this.prepared.set(layer, prepared);
      prepared.at(this.canvases.renderer);
      for (const id of namesForColours(window, context)) {
        this.names.get(id);
      }
    });
    this.learnDepths(window.record);
    if (layer.kind === 'near') {
      this.near.value = { layer, took_ms };
    }
    this.state.failure.value = null;
    this.arrivals.value += 1;
  }

  /** Says what the boxes stand for, without those of tracks that a filter took out of sight since they came. */
  private tellDrawn(): void {
    const [near, { tracks }] = [this.near.value, this.layout.value];
    if (near === null) {
      return;
    }
    const { boxes, record } = near.layer.window;
    let [count, merged, events, most] = [0, 0, 0, 0];
    for (let row = 0; row < boxes.rows; row += 1) {
      const end = boxes.firstBox[row + 1] ?? 0;
      const isShown = tracks.has(record.tracks[boxes.track[row] ?? 0]?.id ?? '');
      const inRow = isShown ? end - (boxes.firstBox[row] ?? 0) : 0;
      count += inRow;
      events += inRow;
      most = Math.max(most, Math.min(1, inRow));
      for (; (boxes.mergedBox[merged] ?? Infinity) < end; merged += 1) {
        if (isShown) {
          events += (boxes.mergedCount[merged] ?? 1) - 1;
          most = Math.max(most, boxes.mergedCount[merged] ?? 1);
        }
      }
    }
    this.state.drawn.value = {
      boxes: count,
      events,
      most_merged: most,
      merged_px: record.merged_px,
      took_ms: near.took_ms,
      partial: !isReady(near.layer),
    };
  }

  private learnDepths(record: WindowRecord): void {
    const known = this.depths.peek();
    const told = record.tracks.filter(({ id, ready, depths }) => ready && known.get(id) !== depths);
    if (told.length > 0) {
      this.depths.value = new Map([...known, ...told.map(({ id, depths }) => [id, depths] as const)]);
    }
  }

  /** Drops what was made of windows that are not held any more. */
  private forgetLayers(): void {
    const held = new Set(Object.values(this.source.layers));
    for (const [layer, prepared] of this.prepared) {
      if (!held.has(layer)) {
        prepared.release();
        this.prepared.delete(layer);
      }
    }
  }

  // Frames

  private scheduleFrame(): void {
    const { view, size, scroll_px, selectedEvent, arrows, hover, record } = this.state;
    follow([view, size, scroll_px, selectedEvent, arrows, hover, record, this.layout, this.density, this.arrivals]);
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  /** The layers to draw, the coarsest first. */
  private layersInSight(): readonly PreparedLayer[] {
    const wanted = { view: this.state.view.peek(), near: this.inSight.peek() };
    return layersToDraw(wanted, this.source.layers).flatMap((layer) => this.prepared.get(layer) ?? []);
  }

  /** Draws what is in sight by what has come; times of layers are from their windows' starts. */
  private draw(): void {
    const { renderer, overlay } = this.canvases;
    const view = this.state.view.peek();
    const size = this.state.size.peek();
    const layout = this.layout.peek();
    const scroll_px = this.state.scroll_px.peek();
    const density = this.density.peek();
    renderer.clear();
    if (lengthOf(view) <= 0 || size.width_px <= 0) {
      renderer.finish();
      return;
    }
    const layers = this.layersInSight();
    const finest = layers.at(-1) ?? null;
    const ground = groundOf({ view, size, layout, scroll_px, steps: this.record?.steps ?? null });
    for (const prepared of layers) {
      const { kinds, places } = prepared;
      prepared.place(layout, scroll_px, density);
      const loaded: Loaded = prepared.at(renderer);
      const shown = {
        start_ps: view.start_ps - prepared.layer.window.record.start_ps,
        length_ps: lengthOf(view),
      };
      if (prepared !== layers[0]) {
        renderer.draw(loaded, places, shown, kinds.grounds, kinds.end);
      }
      if (prepared === finest) {
        renderer.fill(ground);
      }
      renderer.draw(loaded, places, shown, 0, kinds.grounds);
    }
    if (finest === null) {
      renderer.fill(ground);
    }
    renderer.finish();
    const selected = this.state.selectedEvent.peek();
    const hovered = this.state.hover.peek();
    overlay.draw({
      view,
      size,
      layout,
      scroll_px,
      density,
      palette: this.palette,
      colours: this.colours,
      finest,
      namesOn: (track) => {
        const kind = this.state.trackOf(track)?.kind ?? null;
        return (id) => {
          const name = this.names.get(id);
          return name === null ? null : nameOn(kind, name);
        };
      },
      busy: this.record?.busy ?? NOTHING,
      duration_ps: Math.max(1, this.record?.duration_ps ?? 1),
      arrows: this.state.arrows.peek(),
      selected: selected === null ? null : { ...selected, ...spanFrom(selected) },
      hovered: hovered === null || hovered.box === null ? null : { ...hovered, ...hovered.box },
    });
    this.names.fetch();
  }

  // Answers

  rows(): readonly PictureRow[] {
    const { scroll_px, size } = this.state;
    return rowsInSight(this.layout.peek(), scroll_px.peek(), size.peek().height_px);
  }

  nameOf(id: number): SliceName | null {
    const name = this.names.get(id);
    this.names.fetch();
    return name;
  }

  reveal(track: string, depth: number): void {
    const { scroll_px, size } = this.state;
    scroll_px.value = scrollRevealing(this.layout.peek(), scroll_px.peek(), size.peek().height_px, { track, depth });
  }

  private finestOf(track: string): PreparedLayer | null {
    const { near, wide, whole } = this.source.layers;
    const layer = [near, wide, whole].find((each) =>
      each?.window.record.tracks.some(({ id, ready }) => id === track && ready),
    );
    return layer === undefined ? null : (this.prepared.get(layer) ?? null);
  }

  at(x_px: number, y_px: number): Hit | null {
    const { view, size, scroll_px } = this.state;
    const { width_px, height_px } = size.peek();
    const row =
      x_px < 0 || x_px > width_px || y_px < 0 || y_px > height_px
        ? null
        : rowAt(this.layout.peek(), scroll_px.peek(), y_px);
    if (row === null || lengthOf(view.peek()) <= 0) {
      return null;
    }
    const at_ps = timeAt(view.peek(), width_px, x_px);
    const { track, depth } = row;
    const found = this.finestOf(track);
    const inRow = found?.index.get(track, depth) ?? null;
    const within_ps = REACH_PX * timePerPixel(view.peek(), width_px);
    const box = found === null || inRow === null ? null : boxNear(found.layer, inRow, at_ps, within_ps);
    return { track, depth, at_ps, box: found === null || box === null ? null : pictureBox(found.layer, box) };
  }

  edgesNear(at_ps: number, within_px: number, of?: PictureRow): readonly number[] {
    const { view, size } = this.state;
    const rows = of === undefined ? this.rows() : [of];
    const within_ps = within_px * timePerPixel(view.peek(), size.peek().width_px);
    const found = rows.flatMap(({ track, depth }) => {
      const prepared = this.finestOf(track);
      const row = prepared?.index.get(track, depth) ?? null;
      return prepared === null || row === null ? [] : edgesNear(prepared.layer, [row], at_ps, within_ps);
    });
    return [...new Set(found)].sort((one, other) => Math.abs(one - at_ps) - Math.abs(other - at_ps));
  }
}

/** Has an effect run again when one of these changes. */
function follow(signals: readonly ReadonlySignal<unknown>[]): void {
  signals.forEach(({ value }) => value);
}

/** Keeps a signal at the pixel ratio of the screen that the page is on. */
function watchDensity(density: { value: number }): () => void {
  let query: MediaQueryList;
  const watch = (): void => {
    density.value = devicePixelRatio;
    query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    query.addEventListener('change', watch, { once: true });
  };
  watch();
  return () => query.removeEventListener('change', watch);
}
