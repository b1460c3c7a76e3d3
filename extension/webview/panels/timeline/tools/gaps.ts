// Gaps: the way from one time in which a device was idle to the next.

import * as l10n from '@vscode/l10n';
import type { EventPlace } from '../../../../src/protocol';
import { type HostLink, RequestCancelled, RequestFailure } from '../../../shared/page/rpc';
import { duration } from '../../../shared/text/format';
import type { TimelineState } from '../state/state';
import { centredOn, spanFrom } from '../state/viewport';
import type { Searching } from './searching';
import type { Selecting } from './selecting';

/** A key that is held gives more than can be answered where the daemon is far away: what waits ends soon after it. */
const MOST_WAITING = 8;

export class Gaps {
  private waiting = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly state: TimelineState,
    private readonly host: HostLink,
    private readonly selecting: Selecting,
    private readonly searching: Searching,
  ) {}

  /** Whether the idle time of any device is known. */
  get isKnown(): boolean {
    const sections = this.state.record.value?.sections ?? [];
    return sections.some(({ kind, tracks }) => kind === 'device' && tracks.some((track) => track.kind === 'overlap'));
  }

  /** Selects the next gap that is worth a look, or the one before, and has it in the middle; round at the ends. */
  step(by: -1 | 1): Promise<void> {
    if (this.waiting < MOST_WAITING) {
      this.waiting += 1;
      // Each goes on from where the one before has led.
      this.last = this.last.then(() => this.go(by)).finally(() => (this.waiting -= 1));
    }
    return this.last;
  }

  private async go(by: -1 | 1): Promise<void> {
    const { state, selecting } = this;
    const selected = this.selectedInSight();
    const { start_ps, end_ps } = state.view.value;
    const edge_ps = by === 1 ? Math.floor(start_ps) - 1 : Math.ceil(end_ps);
    try {
      const found = await this.host.details('timelineGap', {
        section: this.section(selected),
        at_ps: selected?.start_ps ?? edge_ps,
        is_after: by === 1,
        path: state.path,
      });
      if (found.place === null) {
        selecting.clear();
        selecting.failure.value = l10n.t(
          '{0} is never idle for {1} or longer.',
          found.device,
          duration(found.least_ps),
        );
        return;
      }
      state.view.value = centredOn(state.view.value, spanFrom(found.place), state.duration_ps.value);
      void this.searching.follow(found.place);
      await selecting.place(found.place);
    } catch (error) {
      if (error instanceof RequestFailure) {
        selecting.failure.value = error.message;
      } else if (!(error instanceof RequestCancelled)) {
        throw error;
      }
    }
  }

  /** The selected event, from which one goes on as long as it is in sight. */
  private selectedInSight(): EventPlace | null {
    const place = this.state.selectedEvent.value;
    const { start_ps, end_ps } = this.state.view.value;
    return place !== null && place.start_ps < end_ps && place.start_ps + place.duration_ps > start_ps ? place : null;
  }

  /** The device that is looked at; null where it is none. */
  private section(selected: EventPlace | null): string | null {
    const sections = this.state.record.value?.sections ?? [];
    const of = sections.find(({ tracks }) => tracks.some(({ id }) => id === selected?.track));
    return of?.kind === 'device' ? of.id : this.state.section.value;
  }
}
