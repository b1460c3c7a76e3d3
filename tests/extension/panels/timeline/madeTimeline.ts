// A made-up run of a timeline, and a host that answers for it as the daemon does: slices merged to pixels.

import type {
  CounterRecord,
  SectionRecord,
  TimelineNames,
  TimelineRecord,
  TrackRecord,
  WindowRecord,
} from '../../../../extension/src/protocol';
import { SLICE_COLOURS, type SliceColour } from '../../../../extension/webview/panels/timeline/drawing/boxes/palette';

export const MICROSECOND = 1e6;

export interface MadeSlice {
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly depth: number;
  readonly name: number;
  readonly colour: number;
}

export interface MadeTrack {
  readonly record: TrackRecord;
  readonly slices: readonly MadeSlice[];
  /** Of counters: a value from each time on. */
  readonly values?: readonly (readonly [at_ps: number, value: number])[];
  readonly unit?: string;
}

export interface MadeWindowRequest {
  readonly tracks: ReadonlyMap<string, number>;
  readonly span: { readonly start_ps: number; readonly end_ps: number };
  readonly width_px: number;
  readonly matches?: string | null;
}

/** Random numbers from 0 to 1, the same each time. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Packs columns as the daemon does. */
export function packed(columns: readonly ArrayBufferView[]): string {
  const characters: string[] = [];
  for (const { buffer, byteOffset, byteLength } of columns) {
    for (let from = 0; from < byteLength; from += CHUNK_BYTES) {
      const bytes = new Uint8Array(buffer, byteOffset + from, Math.min(CHUNK_BYTES, byteLength - from));
      characters.push(String.fromCharCode(...bytes));
    }
  }
  return btoa(characters.join(''));
}

/** As many arguments as a function may have anywhere. */
const CHUNK_BYTES = 8192;

interface Box extends MadeSlice {
  count: number;
  busy_ps: number;
  matched: number;
  end_ps: number;
}

export class MadeTimeline {
  readonly names: string[] = [];
  private readonly tracks = new Map<string, MadeTrack>();

  constructor(
    readonly record: TimelineRecord,
    tracks: readonly MadeTrack[],
    names: readonly string[],
  ) {
    this.names.push(...names);
    for (const track of tracks) {
      this.tracks.set(track.record.id, track);
    }
  }

  namesOf(ids: readonly number[]): TimelineNames {
    const names = ids.map((id) => this.names[id] ?? '');
    return { names, shown: names, ops: names.map(() => null) };
  }

  window({ tracks, span, width_px, matches }: MadeWindowRequest): WindowRecord {
    const pixel_ps = (span.end_ps - span.start_ps) / width_px;
    const rows: { track: number; depth: number; boxes: readonly Box[] }[] = [];
    const counters: CounterRecord[] = [];
    const told = [...tracks].map(([id, depths], place) => {
      const track = this.tracks.get(id);
      if (track === undefined) {
        throw new Error(`No track ${id}`);
      }
      const all = track.slices.reduce((most, { depth }) => Math.max(most, depth + 1), 1);
      let busy_ps = 0;
      for (let depth = 0; depth < Math.min(depths, all); depth += 1) {
        const boxes = this.merged(track, depth, span, pixel_ps, matches ?? null);
        busy_ps += boxes.reduce((sum, box) => sum + box.busy_ps, 0);
        if (boxes.length > 0) {
          rows.push({ track: place, depth, boxes });
        }
      }
      if (track.values !== undefined) {
        counters.push(counterOf(track, span));
      }
      return { id, depths: all, busy_ps, ready: true };
    });
    return {
      ...span,
      width_px,
      merged_px: 1,
      tracks: told,
      boxes: packedRows(rows, span.start_ps, matches !== undefined && matches !== null),
      counters,
    };
  }

  private merged(
    track: MadeTrack,
    depth: number,
    { start_ps, end_ps }: MadeWindowRequest['span'],
    pixel_ps: number,
    matches: string | null,
  ): readonly Box[] {
    const boxes: Box[] = [];
    for (const slice of track.slices) {
      const slice_end_ps = slice.start_ps + slice.duration_ps;
      if (slice.depth !== depth || slice_end_ps < start_ps || slice.start_ps > end_ps) {
        continue;
      }
      const matched = matches !== null && (this.names[slice.name] ?? '').includes(matches) ? 1 : 0;
      const last = boxes.at(-1);
      const isSmall = slice.duration_ps < pixel_ps;
      if (
        last !== undefined &&
        isSmall &&
        last.duration_ps / last.count < pixel_ps &&
        slice.start_ps - last.end_ps < pixel_ps
      ) {
        last.count += 1;
        last.busy_ps += slice.duration_ps;
        last.matched += matched;
        last.end_ps = slice_end_ps;
        boxes[boxes.length - 1] = { ...last, duration_ps: last.end_ps - last.start_ps };
        continue;
      }
      boxes.push({ ...slice, count: 1, busy_ps: slice.duration_ps, matched, end_ps: slice_end_ps });
    }
    return boxes;
  }
}

function counterOf({ record, values = [], unit = '' }: MadeTrack, span: MadeWindowRequest['span']): CounterRecord {
  const shown = values.filter(([at_ps]) => at_ps <= span.end_ps);
  const numbers = shown.map(([, value]) => value);
  return {
    track: record.id,
    unit,
    points: shown.length,
    least: 0,
    greatest: Math.max(...values.map(([, value]) => value)),
    packed: packed([
      Float64Array.from(shown, ([at_ps]) => at_ps - span.start_ps),
      Float64Array.from(numbers),
      Float64Array.from(numbers),
    ]),
  };
}

function packedRows(
  rows: readonly { track: number; depth: number; boxes: readonly Box[] }[],
  origin_ps: number,
  hasMatches: boolean,
): WindowRecord['boxes'] {
  const boxes = rows.flatMap((row) => row.boxes);
  const merged = boxes.flatMap((box, at) => (box.count > 1 ? [{ box, at }] : []));
  let first = 0;
  const firstBox = [0, ...rows.map((row) => (first += row.boxes.length))];
  return {
    rows: rows.length,
    boxes: boxes.length,
    merged: merged.length,
    has_matches: hasMatches,
    packed: packed([
      Float64Array.from(boxes, (box) => box.start_ps - origin_ps),
      Float64Array.from(boxes, (box) => box.duration_ps),
      Float64Array.from(merged, ({ box }) => box.busy_ps),
      Uint32Array.from(firstBox),
      Uint32Array.from(boxes, (box) => box.name),
      ...(hasMatches ? [Uint32Array.from(boxes, (box) => box.matched)] : []),
      Uint32Array.from(merged, ({ at }) => at),
      Uint32Array.from(merged, ({ box }) => box.count),
      Uint16Array.from(rows, (row) => row.track),
      Uint16Array.from(rows, (row) => row.depth),
      Uint8Array.from(boxes, (box) => box.colour),
    ]),
  };
}

export function colourOf(name: SliceColour): number {
  return SLICE_COLOURS.indexOf(name);
}

export function aTrack(id: string, name: string, kind: TrackRecord['kind'], events = 1): TrackRecord {
  return { id, name, kind, events, depths: null, work: null };
}

export function aSection(
  id: string,
  tracks: readonly TrackRecord[],
  kind: SectionRecord['kind'] = 'device',
): SectionRecord {
  return { id, name: id, kind, host: 0, tracks };
}

export function aTimelineRecord(changes: Partial<TimelineRecord> = {}): TimelineRecord {
  return {
    duration_ps: 1e9,
    events: 0,
    sections: [],
    steps: null,
    busy: {},
    complete: true,
    findings: [],
    format_version: 1,
    ...changes,
  };
}

const OPS: readonly (readonly [string, SliceColour, number])[] = [
  ['fusion.12', 'forward', 40],
  ['dot.114', 'forward', 160],
  ['convolution_add_fusion', 'forward', 90],
  ['all-reduce.3', 'communication', 120],
  ['dot.97', 'backward', 210],
  ['copy_bitcast_fusion.1', 'backward', 60],
  ['transpose.8', 'backward', 14],
  ['checkpoint/dot.115', 'recompute', 100],
  ['multiply_add_fusion', 'optimizer', 35],
  ['copy-start.2', 'transfer', 25],
  ['broadcast.4', 'other', 9],
];
const CALLS = [
  'train_step',
  'PjitFunction(train_step)',
  'ExecuteReplicated.__call__',
  'np.asarray',
  '$loader.py:41 next',
];
const SCOPES = ['jit(train_step)', 'block', 'attention', 'mlp', 'layer_norm', 'optimizer'];

/**
 * A training of some steps on some devices, with a counter and a host's threads, which end with an instant at the very
 * end; `ops` is how many each step has.
 */
export function aTraining(options: { steps?: number; devices?: number; ops?: number } = {}): MadeTimeline {
  const { steps = 6, devices = 2, ops = 120 } = options;
  const random = randomFrom(7);
  const names: string[] = [];
  const idOf = (text: string): number => {
    const known = names.indexOf(text);
    return known === -1 ? names.push(text) - 1 : known;
  };
  const step_ps = 12_000 * MICROSECOND;
  const duration_ps = (steps + 1) * step_ps;
  const made: MadeTrack[] = [];
  const sections: SectionRecord[] = [];
  const stepStarts = Array.from({ length: steps }, (_, step) => (step + 0.5) * step_ps);
  const slice = (start_ps: number, length_ps: number, depth: number, name: string, colour: SliceColour): MadeSlice => ({
    start_ps,
    duration_ps: length_ps,
    depth,
    name: idOf(name),
    colour: colourOf(colour),
  });
  for (let device = 0; device < devices; device += 1) {
    const section = `/device:TPU:${String(device)}`;
    const lanes: Record<string, MadeSlice[]> = {
      Steps: [],
      'XLA Modules': [],
      'Framework Name Scope': [],
      'XLA Ops': [],
      'Async XLA Ops': [],
      Computation: [],
      Communication: [],
      'Pure communication': [],
      Free: [],
    };
    const add = (lane: string, each: MadeSlice): void => void lanes[lane]?.push(each);
    for (let step = 0; step < steps; step += 1) {
      let at_ps = (stepStarts[step] ?? 0) + random() * 300 * MICROSECOND;
      const from_ps = at_ps;
      add('Free', slice(from_ps - 0.3 * step_ps * random() * 0.5, 0.1 * step_ps, 0, 'free', 'idle'));
      for (let op = 0; op < ops; op += 1) {
        const isTiny = op % 30 > 18;
        const [name, colour, length] = OPS[Math.floor(random() * OPS.length)] ?? OPS[0] ?? ['', 'other', 1];
        const length_ps = (isTiny ? 0.4 : length) * (0.6 + random()) * MICROSECOND;
        add('XLA Ops', slice(at_ps, length_ps, 0, isTiny ? `tiny.${String(op % 7)}` : name, colour));
        if (op % 9 === 0) {
          add('XLA Ops', slice(at_ps + length_ps * 0.1, length_ps * 0.4, 1, `body.${String(op)}`, colour));
        }
        add('Framework Name Scope', slice(at_ps, length_ps, 2, SCOPES[2 + (Math.floor(op / 6) % 3)] ?? '', colour));
        if (colour === 'communication') {
          add('Async XLA Ops', slice(at_ps - length_ps, length_ps * 3, 0, 'all-reduce-start.3', 'communication'));
          add('Communication', slice(at_ps - length_ps, length_ps * 3, 0, 'communication', 'communication'));
          add('Pure communication', slice(at_ps, length_ps, 0, 'pure communication', 'communication'));
        } else {
          add('Computation', slice(at_ps, length_ps, 0, 'computation', 'forward'));
        }
        at_ps += length_ps + (op % 17 === 0 ? 60 * MICROSECOND * random() : 0.2 * MICROSECOND);
      }
      add('Steps', slice(from_ps, at_ps - from_ps, 0, String(step + 1), 'other'));
      add('XLA Modules', slice(from_ps, at_ps - from_ps, 0, 'jit_train_step(17334)', 'other'));
      add('Framework Name Scope', slice(from_ps, at_ps - from_ps, 0, 'jit(train_step)', 'other'));
      add('Framework Name Scope', slice(from_ps, (at_ps - from_ps) * 0.6, 1, 'block', 'forward'));
      add(
        'Framework Name Scope',
        slice(from_ps + (at_ps - from_ps) * 0.6, (at_ps - from_ps) * 0.4, 1, 'optimizer', 'optimizer'),
      );
    }
    const kinds: Record<string, TrackRecord['kind']> = {
      Steps: 'steps',
      'XLA Modules': 'modules',
      'Framework Name Scope': 'scopes',
      'XLA Ops': 'ops',
      'Async XLA Ops': 'async',
    };
    const tracks = Object.entries(lanes).map(([name, slices]) => {
      slices.sort((one, other) => one.start_ps - other.start_ps);
      const record = aTrack(`device:${section}/${name}`, name, kinds[name] ?? 'overlap', slices.length);
      made.push({ record, slices });
      return record;
    });
    const counter = aTrack(`device:${section}/HBM`, 'HBM bytes in use', 'counter', 300);
    made.push({
      record: counter,
      slices: [],
      unit: 'GiB',
      values: Array.from({ length: 300 }, (_, at) => [
        (at / 300) * duration_ps,
        6 + 5 * Math.abs(Math.sin(at / 9)) + random(),
      ]),
    });
    sections.push(aSection(section, [...tracks, counter]));
  }
  const threads = ['python', 'tf_XLAEigen/1203', 'tf_data_prefetch/1217'].map((name, thread) => {
    const slices: MadeSlice[] = [];
    for (let step = 0; step < steps; step += 1) {
      let at_ps = (stepStarts[step] ?? 0) - 0.2 * step_ps;
      for (let depth = 0; depth < (thread === 0 ? 5 : 2); depth += 1) {
        slices.push(slice(at_ps, step_ps * (0.8 - 0.12 * depth), depth, CALLS[depth] ?? '', 'host'));
        at_ps += 0.03 * step_ps;
      }
    }
    slices.sort((one, other) => one.start_ps - other.start_ps);
    slices.push(slice(duration_ps, 0, 0, 'end', 'host'));
    const record = aTrack(`host:0/${name}`, name, 'thread', slices.length);
    made.push({ record, slices });
    return record;
  });
  sections.push(aSection('/host:CPU', threads, 'host'));
  const busy = Array.from({ length: 1000 }, (_, part) => {
    const at = ((part / 1000) * duration_ps - 0.5 * step_ps) / step_ps;
    return at > 0 && at < steps && at % 1 < 0.85 ? 0.7 + 0.3 * random() : 0;
  });
  const events = made.reduce((sum, { slices }) => sum + slices.length, 0);
  return new MadeTimeline(
    aTimelineRecord({
      duration_ps,
      events,
      sections,
      steps: { name: 'annotation train', start_ps: stepStarts, duration_ps: stepStarts.map(() => 0.9 * step_ps) },
      busy: Object.fromEntries(sections.filter(({ kind }) => kind === 'device').map(({ id }) => [id, busy])),
    }),
    made,
    names,
  );
}

/** Rows of slices that are some pixels wide each: `boxes` of them in a tenth of the run. */
export function aDenseRun(boxes: number): MadeTimeline {
  const random = randomFrom(11);
  const rows = 40;
  const each = Math.ceil((10 * boxes) / rows);
  const duration_ps = 1e12;
  const names = OPS.map(([name]) => name);
  const made = Array.from({ length: rows }, (_, row): MadeTrack => {
    const slices = Array.from({ length: each }, (__, at): MadeSlice => {
      const op = Math.floor(random() * OPS.length);
      const cell_ps = duration_ps / each;
      return {
        start_ps: at * cell_ps,
        duration_ps: cell_ps * (0.55 + 0.4 * random()),
        depth: 0,
        name: op,
        colour: colourOf(OPS[op]?.[1] ?? 'other'),
      };
    });
    return { record: aTrack(`row ${String(row)}`, `Stream #${String(row)}`, 'stream', each), slices };
  });
  const tracks = made.map(({ record }) => record);
  const record = aTimelineRecord({ duration_ps, events: rows * each, sections: [aSection('/device:GPU:0', tracks)] });
  return new MadeTimeline(record, made, names);
}
