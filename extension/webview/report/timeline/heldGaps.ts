// The way from one gap of a device to the next, by what a report holds.

import type { GapFound, GapOptions } from '../../../src/protocol';
import type { HeldTimeline } from '../held';
import type { HeldEvents } from './heldEvents';

export class HeldGaps {
  /** Of each track of gaps those that are worth a look, by start. */
  private readonly ofTrack = new Map<string, readonly number[]>();

  constructor(
    private readonly held: HeldTimeline,
    private readonly events: HeldEvents,
  ) {
    const ids = new Set(held.gap_ids);
    const isGap = (box: number): boolean =>
      ids.has(events.boxes.name[box] ?? -1) && events.endOf(box) - events.startOf(box) >= held.least_gap_ps;
    for (const track of held.gap_tracks) {
      const boxes = events.rowsOf(track).flatMap((row) => [...events.boxesIn(row, -Infinity, Infinity)]);
      this.ofTrack.set(track, events.byStart(boxes.filter(isGap)));
    }
  }

  /** The first that begins after a time, or the last before it, round at the ends; undefined without any device. */
  beside({ section = null, at_ps = 0, is_after: isAfter = true }: GapOptions): GapFound | undefined {
    const { gap_tracks: tracks, least_gap_ps: least_ps, record } = this.held;
    const sectionOf = (track: string) => record.sections.find(({ tracks: of }) => of.some(({ id }) => id === track));
    const track = tracks.find((id) => sectionOf(id)?.id === section) ?? tracks[0];
    if (track === undefined) {
      return undefined;
    }
    const gaps = this.ofTrack.get(track) ?? [];
    const start = (box: number): number => this.events.startOf(box);
    const found = isAfter
      ? (gaps.find((box) => start(box) > at_ps) ?? gaps[0])
      : (gaps.findLast((box) => start(box) < at_ps) ?? gaps.at(-1));
    const place = found === undefined ? null : this.events.placeOf(found);
    return { place, device: sectionOf(track)?.name ?? '', least_ps };
  }
}
