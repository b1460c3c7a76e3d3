// The timeline of one page: its state and the tools that work on it.

import { batch, signal } from '@preact/signals';
import type { TimelineRecord } from '../../../../src/protocol';
import type { Page } from '../../../shared/page/page';
import type { HostLink } from '../../../shared/page/rpc';
import type { PictureHost } from '../drawing/picture';
import type { ShownFiles } from './sameRun';
import { TimelineState } from './state';
import { type Span, wholePicoseconds } from './viewport';
import { Gaps } from '../tools/gaps';
import { Gestures } from '../tools/gestures';
import { Motion } from '../tools/motion';
import { Searching } from '../tools/searching';
import { Selecting } from '../tools/selecting';

export class Timeline {
  readonly state: TimelineState;
  readonly selecting: Selecting;
  readonly searching: Searching;
  readonly gaps: Gaps;
  readonly gestures: Gestures;
  readonly motion: Motion;
  /** Whether the events in sight are listed as a table below the picture. */
  readonly showsTable;
  readonly showsHelp = signal(false);
  /** What the picture asks for. */
  readonly pictureHost: PictureHost;
  private readonly host: HostLink;

  constructor({ host, saved, path }: Page) {
    this.host = host;
    this.pictureHost = {
      window: ({ tracks, span, width_px, matcher }, signal) =>
        host.details(
          'timelineWindow',
          {
            tracks: [...tracks.keys()],
            depths: [...tracks.values()],
            ...wholePicoseconds(span),
            width_px,
            matcher,
            path,
          },
          { signal },
        ),
      names: (ids) => host.details('timelineNames', { ids, path }),
    };
    this.state = new TimelineState(saved, path);
    this.selecting = new Selecting(this.state, host);
    this.searching = new Searching(this.state, host, this.selecting);
    this.gaps = new Gaps(this.state, host, this.selecting, this.searching);
    this.gestures = new Gestures(this.state, this.selecting);
    this.motion = new Motion(this.state);
    this.showsTable = saved.signal('table', false);
  }

  /**
   * Shows a record. What was selected in another run, or in a file as it was before, is let go of; what was looked for
   * in a file is looked for again.
   */
  show(record: TimelineRecord, run: ShownFiles | null): void {
    batch(() => {
      const change = this.state.show(record, run);
      if (change === 'none') {
        return;
      }
      this.gestures.cancel();
      this.selecting.clear();
      if (change === 'anotherRun') {
        this.searching.clear();
      } else {
        void this.searching.again();
      }
    });
  }

  /** The tracks that are shown and hold events. */
  get shownTracks(): readonly string[] {
    return this.state.arranged.value.flatMap(({ tracks }) =>
      tracks.filter(({ track }) => track.kind !== 'counter').map(({ track }) => track.id),
    );
  }

  /** Selects all that is in sight. */
  selectWindow(): void {
    this.selecting.span({ ...this.state.view.value, tracks: this.shownTracks });
  }

  /** Whether there is an editor that could write files. */
  get canExport(): boolean {
    return this.host.facts.value?.isReport !== true;
  }

  /** Writes a part of the timeline to a file: a span of time on some tracks, or all of it. */
  export(
    command: 'scopelight.exportTimeline' | 'scopelight.openInPerfetto',
    span: Span | null,
    tracks: readonly string[] | null,
  ): void {
    const part = span === null ? { start_ps: null, end_ps: null } : wholePicoseconds(span);
    this.host.exportTimeline(command, { ...part, tracks, path: this.state.path });
  }

  /** Clears one thing after the other: what is dragged, the selection, what is highlighted. */
  escape(): void {
    const { gestures, selecting, state, searching } = this;
    if (gestures.cancel()) {
      return;
    }
    const hadSelection = selecting.selected !== null;
    const isOfOps = searching.isOfOps.value;
    if (selecting.selected !== null) {
      selecting.clear();
    }
    // What leads here from elsewhere was selected and highlighted at once, and is let go of at once.
    if (isOfOps) {
      searching.clear();
    } else if (!hadSelection && state.matcher.value !== null) {
      searching.clear();
    }
  }
}
