import type {
  FindOptions,
  FoundRecord,
  SelectionRecord,
  TimelineMatcher,
  WindowOptions,
} from '../../../../extension/src/protocol';
import { TimelinePanel } from '../../../../extension/webview/panels/timeline/timeline';
import { opened } from '../../features/openedRun';
import type { Asked, MadePage } from '../shared/madePage';
import { aTraining } from './madeTimeline';

const made = aTraining();

const NOTHING_FOUND: FoundRecord = {
  count: 0,
  ordinal: 0,
  tracks: {},
  marks: [],
  searched_ratio: 1,
  failure: null,
  findings: [],
  kind: 'events',
  lead: 0,
};

const BAD_EXPRESSION = 'This is no regular expression: missing ), unterminated subpattern at position 0.';

const SELECTED: SelectionRecord = {
  start_ps: 0,
  end_ps: made.record.duration_ps,
  count: 4,
  total_ps: 100e6,
  names: 1,
  rows: [
    {
      name: 'dot.1',
      shown_name: 'dot.1',
      count: 4,
      total_ps: 100e6,
      self_ps: 100e6,
      mean_ps: 25e6,
      least_ps: 20e6,
      greatest_ps: 30e6,
      share_ratio: 1,
      findings: [],
      op: null,
    },
  ],
  findings: [],
};

function found({ text }: TimelineMatcher): FoundRecord {
  switch (text) {
    case '(':
      return { ...NOTHING_FOUND, failure: BAD_EXPRESSION };
    case 'none':
      return NOTHING_FOUND;
    default:
      return { ...NOTHING_FOUND, count: 123_456, ordinal: 4 };
  }
}

function answer(asked: Asked): unknown {
  if (asked.type === 'request') {
    return { run: opened('/runs/a'), record: made.record, contents: 'a' };
  }
  switch (asked.details) {
    case 'timelineWindow': {
      const { tracks, depths, start_ps, end_ps, width_px, matcher } = asked.params as WindowOptions;
      const wished = new Map(tracks.map((track, place) => [track, depths[place] ?? 1]));
      return made.window({ tracks: wished, span: { start_ps, end_ps }, width_px, matches: matcher?.text ?? null });
    }
    case 'timelineNames':
      return made.namesOf((asked.params as { readonly ids: readonly number[] }).ids);
    case 'timelineFind':
      return found((asked.params as FindOptions).matcher);
    case 'timelineSelection':
      return SELECTED;
    default:
      return null;
  }
}

/** A made-up training. */
export const page: MadePage = { content: <TimelinePanel />, answer };
