// What is selected: an event with everything that is known of it, or a span of time on some tracks.

import { batch, effect, signal } from '@preact/signals';
import type { Selection } from '../../../../src/panels/messages';
import type { EventOptions, EventPlace, EventRecord } from '../../../../src/protocol';
import { type HostLink, RequestCancelled, RequestFailure } from '../../../shared/page/rpc';
import { arrowsOf } from '../state/arrows';
import type { Hit, PictureRow, SelectedSpan, TimelineState } from '../state/state';
import { middleOf, revealing, spanFrom, type Span } from '../state/viewport';

/** A key that is held gives more than can be answered where the daemon is far away: what waits ends soon after it. */
const MOST_STEPS = 8;

/** Where to look for an event: its number, or a depth of its track and a time. */
type EventQuestion = Omit<EventOptions, 'path'>;

export class Selecting {
  /** The selected event; null while it is fetched. */
  readonly event = signal<EventRecord | null>(null);
  /** Why the selected event is not known: a sentence. */
  readonly failure = signal<string | null>(null);
  private asking: AbortController | null = null;
  private asked: Promise<void> = Promise.resolve();
  /** Steps by keys, each from where the one before has led: they wait for its answer. */
  private readonly steps: (() => Promise<void>)[] = [];
  private walking: Promise<void> | null = null;

  constructor(
    private readonly state: TimelineState,
    private readonly host: HostLink,
  ) {
    effect(() => {
      this.state.arrows.value = arrowsOf(this.event.value);
    });
  }

  /** Selects what was pressed: an event, the span of merged ones, or nothing. */
  async at(hit: Hit | null): Promise<void> {
    this.steps.length = 0;
    if (hit === null || hit.box === null) {
      this.clear();
    } else if (hit.box.count > 1) {
      this.span({ start_ps: hit.box.start_ps, end_ps: hit.box.end_ps, tracks: [hit.track] });
    } else {
      await this.ask({ track: hit.track, event: null, depth: hit.depth, at_ps: hit.at_ps });
    }
  }

  /** Selects an event whose place is known; the view stays. */
  async look(place: EventPlace): Promise<void> {
    this.steps.length = 0;
    batch(() => {
      this.state.selectedEvent.value = place;
      this.state.selectedSpan.value = null;
    });
    await this.ask({ track: place.track, event: place.event, depth: place.depth, at_ps: place.start_ps });
  }

  /** Has the selected event in sight. */
  reveal(): void {
    const place = this.state.selectedEvent.value;
    if (place !== null) {
      this.bringIntoSight(place);
    }
  }

  /** The op of the selected event, or the line of one of the host's, as panels share it; null where it is of none. */
  asSelection(): Selection | null {
    const event = this.event.value;
    const place = lineOf(event);
    if (event === null) {
      return null;
    }
    if (event.op_key !== null) {
      return { kind: 'op', key: event.op_key, file: place?.file ?? null, line: place?.line ?? null };
    }
    const isOfLine = event.gap !== null || this.state.trackOf(event.place.track)?.kind === 'lines';
    return isOfLine && place !== null ? { kind: 'line', ...place } : null;
  }

  /** Selects an event whose place is known, and has it in sight. */
  async place(place: EventPlace): Promise<void> {
    this.bringIntoSight(place);
    await this.look(place);
  }

  clear(): void {
    this.span(null);
  }

  /** Selects a span of time in place of an event; null selects nothing. */
  span(span: SelectedSpan | null): void {
    this.steps.length = 0;
    this.asking?.abort();
    batch(() => {
      this.state.selectedEvent.value = null;
      this.state.selectedSpan.value = span;
      this.event.value = null;
      this.failure.value = null;
    });
  }

  /** The next event of the track, or the one before; from nothing the first one in sight. */
  beside(by: -1 | 1): Promise<void> {
    return this.step(() => this.alongTrack(by));
  }

  /** The event at the same time in the row above or below. */
  across(by: -1 | 1): Promise<void> {
    return this.step(() => this.acrossRows(by));
  }

  private step(step: () => Promise<void>): Promise<void> {
    if (this.steps.length < MOST_STEPS) {
      this.steps.push(step);
    }
    this.walking ??= this.walk();
    return this.walking;
  }

  private async walk(): Promise<void> {
    try {
      for (let step = this.steps.shift(); step !== undefined; step = this.steps.shift()) {
        await step();
      }
    } finally {
      this.walking = null;
    }
  }

  private async alongTrack(by: -1 | 1): Promise<void> {
    const selected = this.state.selectedEvent.value;
    if (selected === null) {
      await this.first();
      return;
    }
    const event = selected.event + by;
    const events = this.state.trackOf(selected.track)?.events ?? 0;
    if (event >= 0 && event < events) {
      await this.ask({ track: selected.track, event, depth: 0, at_ps: 0 }, true);
    }
  }

  private async acrossRows(by: -1 | 1): Promise<void> {
    const selected = this.state.selectedEvent.value;
    if (selected === null) {
      await this.first();
      return;
    }
    this.state.picture.value?.reveal(selected.track, selected.depth);
    const row = this.rowBeside(selected, by) ?? this.rowBeyond(selected, by);
    if (row !== undefined) {
      const at_ps = middleInSight(selected, this.state.view.value);
      await this.ask({ track: row.track, event: null, depth: row.depth, at_ps }, true);
    }
  }

  /** What is selected as a span of time; null where nothing is. */
  get selected(): Span | null {
    const { selectedEvent, selectedSpan } = this.state;
    return selectedEvent.value === null ? selectedSpan.value : spanFrom(selectedEvent.value);
  }

  /** Whether the line of source of the selected event is known. */
  get hasLine(): boolean {
    return lineOf(this.event.value) !== null;
  }

  zoomToSelection(): void {
    const { selected, state } = this;
    if (selected !== null) {
      state.frame(selected);
    }
  }

  /** Goes to the line of source of the selected event; false where none is known. */
  goToLine(): boolean {
    const frame = lineOf(this.event.value);
    return frame !== null && this.host.goToLineOf(frame);
  }

  /** Goes to the line of the event that was just pressed, or stepped to, once it is known; false where it is not. */
  async goToLineOfEvent(): Promise<boolean> {
    await this.walking;
    await this.asked;
    return this.goToLine();
  }

  private async first(): Promise<void> {
    const row = this.eventRows()[0];
    if (row !== undefined) {
      await this.ask(
        { track: row.track, event: null, depth: row.depth, at_ps: Math.round(this.state.view.value.start_ps) },
        true,
      );
    }
  }

  private rowBeside({ track, depth }: EventPlace, by: -1 | 1): PictureRow | undefined {
    const rows = this.eventRows();
    const at = rows.findIndex((row) => row.track === track && row.depth === depth);
    return at === -1 ? undefined : rows[at + by];
  }

  /** The row with events beside the last one in sight: it is scrolled to, past all that have none. */
  private rowBeyond(place: EventPlace, by: -1 | 1): PictureRow | undefined {
    const { scroll_px, size, pinned } = this.state;
    const before_px = scroll_px.value;
    for (;;) {
      const from_px = scroll_px.value;
      this.state.scrollTo(from_px + (by * size.value.height_px) / 2);
      const rows = this.eventRows();
      const isInSight = rows.some((row) => row.track === place.track && row.depth === place.depth);
      // Pinned rows are in sight wherever one scrolls, before all others.
      const scrolled = rows.filter(({ track }) => !pinned.value.includes(track));
      const isAtEnd = scroll_px.value === from_px;
      const beyond = by > 0 ? scrolled[0] : (scrolled.at(-1) ?? (isAtEnd ? rows.at(-1) : undefined));
      const found = isInSight ? this.rowBeside(place, by) : beyond;
      if (found === undefined && isAtEnd) {
        scroll_px.value = before_px;
      }
      if (found !== undefined || isAtEnd) {
        return found;
      }
    }
  }

  private eventRows(): readonly PictureRow[] {
    return (this.state.picture.value?.rows() ?? []).filter(({ track: id }) => {
      const track = this.state.trackOf(id);
      return track !== null && track.kind !== 'counter' && track.events > 0;
    });
  }

  private ask(question: EventQuestion, isToBeInSight = false): Promise<void> {
    this.asked = this.fetch(question, isToBeInSight);
    return this.asked;
  }

  private async fetch(question: EventQuestion, isToBeInSight: boolean): Promise<void> {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const options = { ...question, at_ps: Math.round(question.at_ps ?? 0), path: this.state.path };
      const record = await this.host.details('timelineEvent', options, { signal: asking.signal });
      batch(() => {
        this.event.value = record;
        this.failure.value = null;
        this.state.selectedEvent.value = record.place;
        this.state.selectedSpan.value = null;
        if (isToBeInSight) {
          this.bringIntoSight(record.place);
        }
      });
      const shared = this.asSelection();
      if (shared !== null) {
        this.host.select(shared);
      }
    } catch (error) {
      if (error instanceof RequestFailure) {
        this.event.value = null;
        this.failure.value = error.message;
      } else if (!(error instanceof RequestCancelled)) {
        throw error;
      }
    }
  }

  /** Opens what hides an event, and moves the view to it where it is out of sight. */
  private bringIntoSight(place: EventPlace): void {
    const { state } = this;
    const section = state.record.value?.sections.find(({ tracks }) => tracks.some(({ id }) => id === place.track));
    const hiding = new Set([section?.id, ...(place.depth > 0 ? [place.track] : [])]);
    if (state.collapsed.value.some((id) => hiding.has(id))) {
      state.collapsed.value = state.collapsed.value.filter((id) => !hiding.has(id));
    }
    if (state.section.value !== null && state.section.value !== section?.id) {
      state.section.value = null;
    }
    if (!state.arranged.value.some(({ tracks }) => tracks.some(({ track }) => track.id === place.track))) {
      state.filter.value = '';
    }
    state.view.value = revealing(state.view.value, spanFrom(place), state.duration_ps.value);
    // Once what was opened has its rows.
    queueMicrotask(() => state.picture.value?.reveal(place.track, place.depth));
  }
}

/** The line to go to from an event: the innermost frame of the user's, else the innermost that is somewhere. */
export function lineOf(event: EventRecord | null): { readonly file: string; readonly line: number } | null {
  const known = event?.frames.filter(({ file }) => file !== null) ?? [];
  const { file = null, line = 1 } = known.find(({ user }) => user) ?? known[0] ?? {};
  return file === null ? null : { file, line };
}

function middleInSight(place: EventPlace, view: Span): number {
  const event = spanFrom(place);
  const start_ps = Math.max(event.start_ps, view.start_ps);
  const end_ps = Math.min(event.end_ps, view.end_ps);
  return middleOf(end_ps > start_ps ? { start_ps, end_ps } : event);
}
