// The status line of the timeline: what is in sight, how much it stands for, how long it took.

import * as l10n from '@vscode/l10n';
import type { TimelineRecord } from '../../../../src/protocol';
import { count, duration } from '../../../shared/text/format';
import type { DrawnWindow } from '../state/state';
import { lengthOf, type Span } from '../state/viewport';

export function statusText(
  record: TimelineRecord,
  shown: {
    readonly view: Span;
    readonly drawn: DrawnWindow | null;
    readonly hidden: number;
    readonly failure: string | null;
  },
): string {
  const { view, drawn } = shown;
  const parts = [
    l10n.t('{0} from {1} on, of {2}', duration(lengthOf(view)), duration(view.start_ps), duration(record.duration_ps)),
  ];
  if (shown.failure !== null) {
    parts.unshift(shown.failure);
  }
  if (drawn !== null) {
    parts.push(drawnText(drawn, count(eventsOfRows(record))));
    if (drawn.most_merged > 1) {
      parts.push(l10n.t('boxes stand for up to {0} events', count(drawn.most_merged)));
    }
    if (drawn.merged_px > 1) {
      parts.push(l10n.t('merged to {0} pixels', count(drawn.merged_px)));
    }
    parts.push(l10n.t('read in {0}', duration(drawn.took_ms * 1e9)));
    if (drawn.partial) {
      parts.push(l10n.t('some tracks are still being read'));
    }
  }
  if (shown.hidden > 0) {
    parts.push(shown.hidden === 1 ? l10n.t('1 track hidden') : l10n.t('{0} tracks hidden', count(shown.hidden)));
  }
  if (!record.complete) {
    parts.push(l10n.t('steps and ops are still being worked out'));
  }
  return parts.join(' · ');
}

function drawnText({ events, boxes }: DrawnWindow, inAll: string): string {
  if (boxes !== 1) {
    return l10n.t('{0} events in {1} boxes, of {2} in all rows', count(events), count(boxes), inAll);
  }
  return events === 1
    ? l10n.t('1 event in 1 box, of {0} in all rows', inAll)
    : l10n.t('{0} events in 1 box, of {1} in all rows', count(events), inAll);
}

/** Of all rows of boxes, also of those that are worked out: an event may be in several, and values are in none. */
function eventsOfRows({ sections }: TimelineRecord): number {
  const tracks = sections.flatMap((section) => section.tracks).filter(({ kind }) => kind !== 'counter');
  return tracks.reduce((sum, { events }) => sum + events, 0);
}
