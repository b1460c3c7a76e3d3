// Arrows from one event to another: of the selected event, to what it led to and from what it came.

import type { EventPlace, EventRecord } from '../../../../src/protocol';

/** A moment of a row. */
export interface ArrowEnd {
  readonly track: string;
  readonly depth: number;
  readonly at_ps: number;
}

export interface Arrow {
  readonly from: ArrowEnd;
  readonly to: ArrowEnd;
}

/** More than these could not be told apart. */
const MOST_ARROWS = 16;

/** From the end of each to the beginning of what it led to; of a gap to what ended it, and from the launch to that. */
export function arrowsOf(event: EventRecord | null): readonly Arrow[] {
  if (event === null) {
    return [];
  }
  const { ended_by = null, launched_by = null } = event.gap ?? {};
  const ofGap =
    ended_by === null
      ? []
      : [
          { from: endOf(event.place), to: startOf(ended_by.place) },
          ...(launched_by === null ? [] : [{ from: startOf(launched_by.place), to: startOf(ended_by.place) }]),
        ];
  const ofFlows = event.flows.map(({ outgoing, place }) =>
    outgoing ? { from: endOf(event.place), to: startOf(place) } : { from: endOf(place), to: startOf(event.place) },
  );
  return [...ofGap, ...ofFlows].slice(0, MOST_ARROWS);
}

function startOf({ track, depth, start_ps }: EventPlace): ArrowEnd {
  return { track, depth, at_ps: start_ps };
}

function endOf({ track, depth, start_ps, duration_ps }: EventPlace): ArrowEnd {
  return { track, depth, at_ps: start_ps + duration_ps };
}
