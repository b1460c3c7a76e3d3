// Events of a held timeline by what they are called.

import * as l10n from '@vscode/l10n';
import type { FindOptions, FoundEventOptions, FoundRecord, EventPlace, TimelineMatcher } from '../../../src/protocol';
import { firstNotBefore } from '../../shared/charts/ascending';
import type { HeldEvents } from './heldEvents';

/** Of the whole time, for which hits are counted. */
const MARKS = 400;

interface Hits {
  /** Boxes by their start. */
  readonly boxes: readonly number[];
  readonly failure: string | null;
}

export class Found {
  private readonly known = new Map<string, Hits>();

  constructor(
    private readonly events: HeldEvents,
    private readonly duration_ps: number,
  ) {}

  /** Whether a matcher means the events of a name, by its id; null where it cannot be sought in a report. */
  isMeant({ text, regex }: TimelineMatcher): ((name: number) => boolean) | null {
    const test = text === null ? null : testOf(text, regex);
    if (test === null) {
      return null;
    }
    const known = new Map<number, boolean>();
    return (id) => {
      const said = known.get(id);
      if (said !== undefined) {
        return said;
      }
      const { name, shown, op } = this.events.nameOf(id);
      const isMeant = test(name) || test(shown) || (op !== null && test(op.primitive));
      known.set(id, isMeant);
      return isMeant;
    };
  }

  find({ matcher, at_ps = 0, tracks = null }: FindOptions): FoundRecord {
    const { boxes, failure } = this.hits(matcher, tracks);
    const ofTracks: Record<string, number> = {};
    const marks = new Array<number>(MARKS).fill(0);
    for (const box of boxes) {
      const track = this.events.placeOf(box)?.track ?? '';
      ofTracks[track] = (ofTracks[track] ?? 0) + 1;
      const mark = Math.floor((this.events.startOf(box) / Math.max(1, this.duration_ps)) * MARKS);
      marks[Math.min(MARKS - 1, mark)] = (marks[Math.min(MARKS - 1, mark)] ?? 0) + 1;
    }
    const ordinal = firstNotBefore(0, boxes.length, (at) => this.events.startOf(boxes[at] ?? 0) < at_ps);
    return {
      count: boxes.length,
      tracks: ofTracks,
      marks,
      ordinal: ordinal === boxes.length ? 0 : ordinal,
      searched_ratio: 1,
      failure,
      findings: [],
      kind: 'events',
      lead: 0,
    };
  }

  at({ matcher, ordinal, tracks = null }: FoundEventOptions): EventPlace | null {
    const box = this.hits(matcher, tracks).boxes[ordinal];
    return box === undefined ? null : this.events.placeOf(box);
  }

  private hits(matcher: TimelineMatcher, tracks: readonly string[] | null): Hits {
    const key = JSON.stringify([matcher, tracks]);
    const known = this.known.get(key) ?? this.search(matcher, tracks);
    this.known.set(key, known);
    return known;
  }

  private search(matcher: TimelineMatcher, tracks: readonly string[] | null): Hits {
    const { events } = this;
    const isMeant = this.isMeant(matcher);
    if (isMeant === null) {
      const failure =
        matcher.text !== null
          ? l10n.t('This is no regular expression.')
          : l10n.t('A report finds events by their names alone.');
      return { boxes: [], failure };
    }
    const boxes: number[] = [];
    for (let box = 0; box < events.boxes.count; box += 1) {
      const isHere = tracks === null || tracks.includes(events.placeOf(box)?.track ?? '');
      if (isHere && isMeant(events.boxes.name[box] ?? 0)) {
        boxes.push(box);
      }
    }
    return { boxes: events.byStart(boxes), failure: null };
  }
}

/** Letter case counts where there is a capital, as in the editor's timeline. */
function testOf(text: string, isRegex: boolean): ((name: string) => boolean) | null {
  const minds = text !== text.toLowerCase();
  if (!isRegex) {
    return (name) => (minds ? name : name.toLowerCase()).includes(text);
  }
  try {
    const expression = new RegExp(text, minds ? 'u' : 'iu');
    return (name) => expression.test(name);
  } catch {
    return null;
  }
}
