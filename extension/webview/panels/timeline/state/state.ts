// What the timeline shows and what is selected in it. The tools write these signals; the drawing reads them.

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EventPlace, FoundRecord, TimelineMatcher, TimelineRecord, TrackRecord } from '../../../../src/protocol';
import type { SavedState } from '../../../shared/page/state';
import { type ArrangedSection, arrange } from './arrangement';
import type { Arrow } from './arrows';
import type { SliceName } from './names';
import { changeOf, isAlike, tracksOf, type RunChange, type ShownFiles } from './sameRun';
import { framing, panned, type Span, timePerPixel, whole, zoomed } from './viewport';

/** A span of time on some tracks. */
export interface SelectedSpan extends Span {
  readonly tracks: readonly string[];
}

/** An interval that a person marked. */
export interface Timing extends Span {
  readonly id: number;
}

/** A box of the picture: one slice, or `count` of them that were merged, of which `busy_ps` are busy. */
export interface PictureBox extends Span {
  /** An id for `timelineNames`. */
  readonly name: number;
  readonly count: number;
  readonly busy_ps: number;
  readonly colour: number;
  readonly matched: number;
}

/** What is under a place of the picture; `box` is null between boxes. */
export interface Hit {
  readonly track: string;
  readonly depth: number;
  readonly at_ps: number;
  readonly box: PictureBox | null;
}

/** One row of a track, in pixels from the top of what is in sight (negative where it is scrolled away). */
export interface PictureRow {
  readonly track: string;
  readonly depth: number;
  readonly top_px: number;
  readonly height_px: number;
}

/** What the window that is drawn holds, for the status line. */
export interface DrawnWindow {
  readonly boxes: number;
  /** Events that the boxes stand for. */
  readonly events: number;
  /** The most events that one box stands for. */
  readonly most_merged: number;
  /** How many pixels slices were merged to. */
  readonly merged_px: number;
  /** From asking to having it. */
  readonly took_ms: number;
  /** Some of its tracks are still being read. */
  readonly partial: boolean;
}

/** What the drawing answers the tools. Places are in CSS pixels from the top left of the drawn area. */
export interface Picture {
  /** How high all rows are together. */
  readonly height_px: ReadonlySignal<number>;
  /** The rows in sight, from the top. */
  readonly rows: () => readonly PictureRow[];
  readonly at: (x_px: number, y_px: number) => Hit | null;
  /** Starts and ends of drawn events that are that near to a time, the nearest first; of one row where one is named. */
  readonly edgesNear: (at_ps: number, within_px: number, row?: PictureRow) => readonly number[];
  /** The name of a box; null until it was fetched. */
  readonly nameOf: (name: number) => SliceName | null;
  /** Scrolls so that a row is in sight, as little as possible. */
  readonly reveal: (track: string, depth: number) => void;
}

export const TOOLS = ['select', 'pan', 'zoom', 'timing'] as const;
export type Tool = (typeof TOOLS)[number];

export const COLOURINGS = ['phase', 'name', 'scope', 'step'] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** Scope levels that are shown until a person chooses. */
const FIRST_LEVELS = 3;

/** While a person moves the view it is saved at most this often. */
const SAVE_AFTER_MS = 300;

export class TimelineState {
  readonly record = signal<TimelineRecord | null>(null);
  /** What is in sight. Of no length until a record came. */
  readonly view: Signal<Span>;
  /** The drawn area, without the labels. */
  readonly size = signal({ width_px: 0, height_px: 0 });
  readonly scroll_px = signal(0);
  readonly tool: Signal<Tool>;
  readonly colouring: Signal<Colouring>;
  /** How many levels of framework scopes are shown. */
  readonly levels: Signal<number>;
  /** Ids of sections and tracks that are collapsed: a section to its head, a track to its first row. */
  readonly collapsed: Signal<readonly string[]>;
  /** Ids of tracks that stay at the top. */
  readonly pinned: Signal<readonly string[]>;
  /** Ids of sections and tracks in the order that a person gave them; those not named follow in their own. */
  readonly order: Signal<readonly string[]>;
  /** Only tracks whose name, or whose section's name, has these words are shown. */
  readonly filter = signal('');
  /** How wide a person made the labels; null as the page has room. */
  readonly labels_px: Signal<number | null>;
  /** The one section that is shown; null is all of them. */
  readonly section: Signal<string | null>;
  readonly selectedEvent = signal<EventPlace | null>(null);
  readonly selectedSpan = signal<SelectedSpan | null>(null);
  /** From and to the selected event. */
  readonly arrows = signal<readonly Arrow[]>([]);
  readonly timings: Signal<readonly Timing[]>;
  /** Which events are highlighted; what is found by it is in `found`. */
  readonly matcher = signal<TimelineMatcher | null>(null);
  readonly found = signal<FoundRecord | null>(null);
  readonly hover = signal<Hit | null>(null);
  /** Set by the drawing. */
  readonly drawn = signal<DrawnWindow | null>(null);
  /** Why the window that is in sight cannot be drawn: a sentence. Set by the drawing. */
  readonly failure = signal<string | null>(null);
  /** Set by the drawing as long as it is there. */
  readonly picture = signal<Picture | null>(null);

  /** What the view and the marks are of. */
  readonly run: Signal<ShownFiles | null>;
  /** The record of the files as they were, until it is known whether what was written anew is the same. */
  private rewritten: TimelineRecord | null = null;

  readonly duration_ps = computed(() => this.record.value?.duration_ps ?? 0);
  private readonly tracks = computed(() => tracksOf(this.record.value));
  /** The sections and tracks that are shown, as a person arranged them. */
  readonly arranged: ReadonlySignal<readonly ArrangedSection[]>;

  constructor(
    saved: SavedState,
    /** The profile of a timeline that was opened as a file; null is the run that is shown. */
    readonly path: string | null,
  ) {
    const savedView = saved.signal<Span | null>('view', null);
    this.view = signal(savedView.peek() ?? { start_ps: 0, end_ps: 0 });
    this.run = saved.signal<ShownFiles | null>('shownFiles', null);
    this.tool = saved.signal<Tool>('tool', 'select');
    this.colouring = saved.signal<Colouring>('colouring', 'phase');
    this.levels = saved.signal('levels', FIRST_LEVELS);
    this.collapsed = saved.signal<readonly string[]>('collapsed', []);
    this.pinned = saved.signal<readonly string[]>('pinned', []);
    this.order = saved.signal<readonly string[]>('order', []);
    this.section = saved.signal<string | null>('section', null);
    this.labels_px = saved.signal<number | null>('labels', null);
    this.timings = saved.signal<readonly Timing[]>('timings', []);
    this.arranged = computed(() =>
      arrange(this.record.value?.sections ?? [], {
        order: this.order.value,
        pinned: this.pinned.value,
        collapsed: this.collapsed.value,
        filter: this.filter.value,
        section: this.section.value,
        levels: this.levels.value,
      }),
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    effect(() => {
      const view = this.view.value;
      clearTimeout(timer);
      timer = setTimeout(() => (savedView.value = view), SAVE_AFTER_MS);
    });
  }

  /**
   * Shows a record, and says what it means for what was shown before. The view and the marks stay in the same run, also
   * where its files were written anew with the same events; else the run is shown whole, without marks.
   */
  show(record: TimelineRecord, run: ShownFiles | null): RunChange {
    return batch(() => {
      const change = this.changeTo(record, run);
      const isAnother = change === 'changed' || change === 'anotherRun';
      const all = whole(record.duration_ps);
      const { start_ps, end_ps } = this.view.peek();
      this.record.value = record;
      this.run.value = run ?? this.run.peek();
      if (isAnother) {
        this.timings.value = [];
        this.scroll_px.value = 0;
      }
      if (isAnother || end_ps <= start_ps || end_ps > all.end_ps) {
        this.view.value = all;
      }
      return change;
    });
  }

  private changeTo(record: TimelineRecord, run: ShownFiles | null): RunChange {
    const change = changeOf(this.run.peek(), run);
    if (change === 'anotherRun') {
      this.rewritten = null;
      return change;
    }
    if (change === 'rewritten') {
      this.rewritten = this.record.peek();
    }
    const before = this.rewritten;
    if (record.complete) {
      this.rewritten = null;
    }
    if (before !== null && !isAlike(before, record)) {
      this.rewritten = null;
      return 'changed';
    }
    return change === 'rewritten' && before === null ? 'changed' : change;
  }

  /** The track of an id; null where the record has none. */
  trackOf(id: string): TrackRecord | null {
    return this.tracks.value.get(id) ?? null;
  }

  /** Makes the view `factor` times as long; `at_ps` stays where it is. */
  zoom(factor: number, at_ps: number): void {
    this.view.value = zoomed(this.view.value, factor, at_ps, this.duration_ps.value);
  }

  pan(by_ps: number): void {
    this.view.value = panned(this.view.value, by_ps, this.duration_ps.value);
  }

  /** Shows a span of time and a little around it. */
  frame(span: Span): void {
    this.view.value = framing(span, this.duration_ps.value);
  }

  /** Scrolls as far as there are rows. */
  scrollTo(to_px: number): void {
    const most_px = Math.max(0, (this.picture.value?.height_px.value ?? 0) - this.size.value.height_px);
    this.scroll_px.value = Math.min(most_px, Math.max(0, to_px));
  }

  /** How much time a pixel of the drawn area stands for. */
  get timePerPixel_ps(): number {
    return timePerPixel(this.view.value, Math.max(1, this.size.value.width_px));
  }

  /** A time, moved into the profile. */
  inProfile(at_ps: number): number {
    return Math.min(this.duration_ps.value, Math.max(0, at_ps));
  }

  toggleCollapsed(id: string): void {
    this.collapsed.value = toggled(this.collapsed.value, id);
  }

  togglePinned(track: string): void {
    this.pinned.value = toggled(this.pinned.value, track);
  }
}

function toggled(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
}
