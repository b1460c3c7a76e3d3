// Search: what is looked for, how much of it there is, and the way from one hit to the next.

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { EventPlace, TimelineMatcher } from '../../../../src/protocol';
import { type HostLink, RequestCancelled, RequestFailure } from '../../../shared/page/rpc';
import type { TimelineState } from '../state/state';
import { stepAt, stepSpan } from '../state/steps';
import type { Selecting } from './selecting';

/** Typing is over when no key came for this long. */
const TYPED_MS = 200;
/** A hit that is led to and takes less of the view than this is no more than a line in it. */
const LEAST_IN_VIEW = 0.02;

/** What the box of the search says. */
export interface SearchWish {
  readonly text: string;
  readonly regex: boolean;
  readonly arguments: boolean;
}

/** An op or a line whose executions are highlighted in place of a search. */
export interface HighlightedOps {
  readonly op_key: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

const NOTHING: TimelineMatcher = {
  text: null,
  regex: false,
  arguments: false,
  op_key: null,
  file: null,
  line: null,
};

export class Searching {
  readonly wish = signal<SearchWish>({ text: '', regex: false, arguments: false });
  /** The place of the hit that was gone to, among all of them; null before the first. */
  readonly ordinal = signal<number | null>(null);
  readonly isAsking = signal(false);
  /** Why there is nothing found: a sentence. */
  readonly failure = signal<string | null>(null);
  /** Whether what is highlighted comes from another panel or a line of source. */
  readonly isOfOps: ReadonlySignal<boolean>;
  private asking: AbortController | null = null;
  private going: AbortController | null = null;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly state: TimelineState,
    private readonly host: HostLink,
    private readonly selecting: Selecting,
  ) {
    this.isOfOps = computed(() => state.matcher.value !== null && state.matcher.value.text === null);
  }

  /** Called as one types: looks for it when that pauses. */
  type(wish: SearchWish): void {
    this.wish.value = wish;
    clearTimeout(this.typing);
    if (wish.text === '') {
      void this.look();
    } else {
      this.typing = setTimeout(() => void this.look(), TYPED_MS);
    }
  }

  /** Looks for what the box says now. */
  async look(): Promise<void> {
    clearTimeout(this.typing);
    const { text, regex, arguments: inArguments } = this.wish.value;
    await this.find(text === '' ? null : { ...NOTHING, text, regex, arguments: inArguments });
  }

  /** Looks for the same once more, where the files have changed. */
  async again(): Promise<void> {
    const matcher = this.state.matcher.value;
    if (matcher !== null) {
      // As a new one: what was found, and drawn, by the one before is of the files as they were.
      await this.find({ ...matcher });
    }
  }

  /** Highlights all executions of an op or a line, or the gaps that a line made, and goes to the one to look at first. */
  async highlight(ops: HighlightedOps): Promise<void> {
    clearTimeout(this.typing);
    this.wish.value = { ...this.wish.value, text: '' };
    if (await this.find({ ...NOTHING, ...ops })) {
      await this.goTo(this.state.found.value?.lead ?? 0);
      this.frameStepOfLead();
    }
  }

  /** Of what is too short to be seen in the view the step that it is in is shown. */
  private frameStepOfLead(): void {
    const { record, selectedEvent, view } = this.state;
    const [steps, place] = [record.value?.steps ?? null, selectedEvent.value];
    const step = place === null ? null : stepAt(steps, place.start_ps);
    const in_view_ps = view.value.end_ps - view.value.start_ps;
    if (steps !== null && place !== null && step !== null && place.duration_ps < in_view_ps * LEAST_IN_VIEW) {
      this.state.frame(stepSpan(steps, step));
    }
  }

  /** Says which hit an event is that was selected in another way; none where it is no hit. */
  async follow(place: EventPlace): Promise<void> {
    const matcher = this.state.matcher.value;
    if (matcher === null || this.state.found.value === null) {
      return;
    }
    this.going?.abort();
    const going = new AbortController();
    this.going = going;
    this.ordinal.value = null;
    await this.telling(async () => {
      const { signal } = going;
      const where = { matcher, tracks: null, path: this.state.path };
      const { count, ordinal } = await this.host.details(
        'timelineFind',
        { ...where, at_ps: place.start_ps },
        { signal },
      );
      if (count > 0) {
        const hit = await this.host.details('timelineFoundEvent', { ...where, ordinal }, { signal });
        this.ordinal.value = hit.track === place.track && hit.event === place.event ? ordinal : null;
      }
    });
  }

  clear(): void {
    clearTimeout(this.typing);
    this.wish.value = { ...this.wish.value, text: '' };
    void this.find(null);
  }

  cancel(): void {
    this.asking?.abort();
  }

  /** Goes to the next hit, or the one before; after the last comes the first. */
  async step(by: -1 | 1): Promise<void> {
    const { text } = this.wish.value;
    if (text !== '' && text !== this.state.matcher.value?.text) {
      await this.look();
    }
    const found = this.state.found.value;
    if (found === null || found.count === 0) {
      return;
    }
    const present = this.ordinal.value;
    const next = present === null ? found.ordinal + (by === 1 ? 0 : -1) : present + by;
    await this.goTo((next + found.count) % found.count);
  }

  private async goTo(ordinal: number): Promise<void> {
    const matcher = this.state.matcher.value;
    const found = this.state.found.value;
    if (matcher === null || found === null || found.count === 0) {
      return;
    }
    this.ordinal.value = ordinal;
    this.going?.abort();
    const going = new AbortController();
    this.going = going;
    await this.telling(async () => {
      const options = { matcher, ordinal, tracks: null, path: this.state.path };
      const place = await this.host.details('timelineFoundEvent', options, { signal: going.signal });
      void this.selecting.place(place);
    });
  }

  /** Looks for something else; returns whether anything was found. */
  private async find(matcher: TimelineMatcher | null): Promise<boolean> {
    this.cancel();
    this.going?.abort();
    batch(() => {
      this.ordinal.value = null;
      this.failure.value = null;
      this.state.found.value = null;
      this.state.matcher.value = matcher;
    });
    await this.goOn();
    return (this.state.found.value?.count ?? 0) > 0;
  }

  /** Asks until all is searched, or that is cancelled: each answer says what was found so far. */
  async goOn(): Promise<void> {
    const matcher = this.state.matcher.value;
    if (matcher === null) {
      return;
    }
    this.cancel();
    const asking = new AbortController();
    this.asking = asking;
    this.isAsking.value = true;
    await this.telling(async () => {
      const at_ps = Math.round(this.state.view.value.start_ps);
      const options = { matcher, at_ps, tracks: null, path: this.state.path };
      let isWhole = false;
      while (!isWhole && !asking.signal.aborted) {
        const found = await this.host.details('timelineFind', options, { signal: asking.signal });
        batch(() => {
          this.state.found.value = found;
          this.failure.value = found.failure;
        });
        isWhole = found.searched_ratio >= 1 || found.failure !== null;
      }
    });
    if (this.asking === asking) {
      this.isAsking.value = false;
    }
  }

  /** Does something whose failures are told. */
  private async telling(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
    } catch (error) {
      if (error instanceof RequestFailure) {
        this.failure.value = error.message;
      } else if (!(error instanceof RequestCancelled)) {
        throw error;
      }
    }
  }
}
