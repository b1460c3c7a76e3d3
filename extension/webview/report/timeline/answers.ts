// What the timeline's page asks for, answered by what a report holds.

import * as l10n from '@vscode/l10n';
import type { DetailsId } from '../../../src/panels/messages';
import type {
  Details,
  EventOptions,
  EventRecord,
  EventTable,
  EventTableOptions,
  Finding,
  SelectedName,
  SelectionOptions,
  SelectionRecord,
  TableRow,
  TimelineNames,
  TimelineRecord,
  WindowOptions,
  WindowRecord,
} from '../../../src/protocol';
import type { HeldTimeline } from '../held';
import { Found } from './found';
import { HeldEvents } from './heldEvents';
import { HeldGaps } from './heldGaps';
import { windowOf } from './window';

/** Names of a selection that are listed. */
const MOST_NAMES = 1000;

type Answers = {
  readonly [Id in DetailsId]?: (params: Details[Id]['params']) => Details[Id]['result'] | undefined;
};

export class TimelineAnswers {
  readonly record: TimelineRecord;
  private readonly events: HeldEvents;
  private readonly found: Found;
  private readonly gaps: HeldGaps;
  private readonly answers: Answers = {
    timelineWindow: (asked) => this.window(asked),
    timelineNames: ({ ids }) => this.names(ids),
    timelineEvent: (asked) => this.event(asked) ?? undefined,
    timelineTable: (asked) => this.table(asked),
    timelineSelection: (asked) => this.selection(asked),
    timelineFind: (asked) => this.found.find(asked),
    timelineFoundEvent: (asked) => this.found.at(asked) ?? undefined,
    timelineGap: (asked) => this.gaps.beside(asked),
  };
  private listed: { readonly key: string; readonly boxes: readonly number[] } | null = null;

  constructor(private readonly held: HeldTimeline) {
    this.record = held.record;
    this.events = new HeldEvents(held);
    this.found = new Found(this.events, held.record.duration_ps);
    this.gaps = new HeldGaps(held, this.events);
  }

  /** The answer; undefined where a report has none. */
  answer<Id extends DetailsId>(details: Id, params: Details[Id]['params']): Details[Id]['result'] | undefined {
    const answer: Answers[Id] = this.answers[details];
    return answer?.(params);
  }

  private window({ matcher = null, ...asked }: WindowOptions): WindowRecord {
    const isMeant = matcher === null ? null : (this.found.isMeant(matcher) ?? (() => false));
    return windowOf(this.events, asked, isMeant);
  }

  private names(ids: readonly number[]): TimelineNames {
    const named = ids.map((id) => this.events.nameOf(id));
    return {
      names: named.map(({ name }) => name),
      shown: named.map(({ shown }) => shown),
      ops: named.map(({ op }) => op),
    };
  }

  private event({ track, event = null, depth = 0, at_ps = 0 }: EventOptions): EventRecord | null {
    const { events } = this;
    const box = event ?? events.nearest(track, depth, at_ps);
    const place = box === null ? null : events.placeOf(box);
    if (box === null || place === null) {
      return null;
    }
    const { shown, op } = events.nameOf(events.boxes.name[box] ?? 0);
    return {
      place,
      shown_name: shown,
      self_ps: events.wholeSelfOf(place),
      step: this.stepAt(place.start_ps),
      program: null,
      run_id: null,
      category: null,
      colour: events.colourOf(box),
      op_key: null,
      op_name: null,
      shapes: null,
      findings: [isOfReport(events.countOf(box))],
      arguments: [],
      flows: [],
      frames: [],
      primitive: op?.primitive ?? '',
      phase: op?.phase ?? null,
      gap: null,
    };
  }

  private stepAt(at_ps: number): number | null {
    const { steps } = this.record;
    const at = steps?.start_ps.findLastIndex((start_ps) => start_ps <= at_ps) ?? -1;
    const start_ps = steps?.start_ps[at];
    const isIn = start_ps !== undefined && at_ps < start_ps + (steps?.duration_ps[at] ?? 0);
    return isIn ? at + 1 : null;
  }

  private table({ tracks, start_ps, end_ps, first, count }: EventTableOptions): EventTable {
    const { events } = this;
    const key = JSON.stringify([tracks, start_ps, end_ps]);
    if (this.listed?.key !== key) {
      const boxes = tracks.flatMap((track) =>
        events.rowsOf(track).flatMap((row) => [...events.boxesIn(row, start_ps, end_ps)]),
      );
      this.listed = { key, boxes: events.byStart(boxes) };
    }
    const { boxes } = this.listed;
    return { count: boxes.length, first, rows: boxes.slice(first, first + count).flatMap((box) => this.row(box)) };
  }

  private row(box: number): readonly TableRow[] {
    const { events } = this;
    const place = events.placeOf(box);
    if (place === null) {
      return [];
    }
    const { shown, op } = events.nameOf(events.boxes.name[box] ?? 0);
    return [{ place, shown_name: shown, self_ps: events.wholeSelfOf(place), op }];
  }

  private selection({ tracks, start_ps, end_ps }: SelectionOptions): SelectionRecord {
    const { events } = this;
    const names = new Map<number, { count: number; total: number; self: number; least: number; greatest: number }>();
    for (const track of tracks) {
      for (const row of events.rowsOf(track)) {
        for (const box of events.boxesIn(row, start_ps, end_ps)) {
          const name = events.boxes.name[box] ?? 0;
          const busy_ps = events.busyOf(box, start_ps, end_ps);
          const known = names.get(name) ?? { count: 0, total: 0, self: 0, least: Infinity, greatest: 0 };
          known.count += events.countOf(box);
          known.total += busy_ps;
          known.self += events.selfOf(track, row.depth, box, start_ps, end_ps);
          known.least = Math.min(known.least, busy_ps / events.countOf(box));
          known.greatest = Math.max(known.greatest, busy_ps / events.countOf(box));
          names.set(name, known);
        }
      }
    }
    const total_ps = [...names.values()].reduce((sum, { total }) => sum + total, 0);
    const ordered = [...names].sort(([, one], [, other]) => other.total - one.total);
    const rows = ordered.slice(0, MOST_NAMES).map(([id, { count, total, self, least, greatest }]): SelectedName => {
      const { name, shown, op } = events.nameOf(id);
      return {
        name,
        shown_name: shown,
        count,
        total_ps: total,
        self_ps: self,
        mean_ps: total / count,
        least_ps: least,
        greatest_ps: greatest,
        share_ratio: total_ps === 0 ? 0 : total / total_ps,
        findings: [],
        op,
      };
    });
    const count = [...names.values()].reduce((sum, each) => sum + each.count, 0);
    return { start_ps, end_ps, count, total_ps, names: names.size, rows, findings: [] };
  }
}

/** What a report does not know of an event. */
function isOfReport(count: number): Finding {
  return {
    code: 'event-of-report',
    severity: 'note',
    text:
      count === 1
        ? l10n.t('A report holds the time and the name of an event. The run itself has its arguments and stack.')
        : l10n.t('{0} events, too short to be held one by one: the name is that of most of their time.', count),
    remedy: '',
    action: null,
    values: {},
    evidence: [],
  };
}
