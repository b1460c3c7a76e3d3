// The rows of Hot Lines: lines or functions with their lines, and at the end what no line holds and when nothing ran.

import type { LineOpRecord, LineRecord, LinesAnswer, LinesRecord, LocatedLine } from '../../../src/protocol';
import { grouped } from '../../shared/grouped';
import { perStep } from '../../shared/op/extent';
import { waitingParts } from '../../shared/text/waiting';
import { PHASES, type Phase } from '../../shared/theme';

/** What lines, functions and the rest have in common. Times are of the record's extent, over all of its devices. */
export interface HotRow {
  readonly kind: 'line' | 'function' | 'unattributed' | 'idle';
  readonly key: string;
  /** The file as recorded, for going there; null where no file is known. */
  readonly file: string | null;
  /** The file as shown. */
  readonly path: string | null;
  /** The folder, where files of different folders have the same name; else empty. */
  readonly folder: string;
  readonly line: number;
  readonly source: string | null;
  readonly function: string;
  /** Its part of the wall clock, while its ops ran and while devices waited for it, and the share that this is. Those of
   * all rows sum to the whole. */
  readonly wall_ps: number;
  /** What of it devices waited, and why. */
  readonly waiting_ps: number;
  readonly waiting_classes: LinesRecord['idle_classes'];
  readonly share_ratio: number;
  readonly inclusive_wall_ps: number | null;
  readonly inclusive_share_ratio: number | null;
  readonly per_step_ps: number | null;
  readonly inclusive_per_step_ps: number | null;
  /** Its op time, in which each thread counts; null where nothing ran. */
  readonly self_ps: number | null;
  readonly op_time_per_step_ps: number | null;
  readonly phases: Readonly<Record<Phase, number>> | null;
  readonly ops: readonly LineOpRecord[];
  readonly place: LocatedLine | null;
  /** More than half of the time was divided among lines by estimated cost, or sampled. */
  readonly estimated: boolean;
  /** The record of a line, for its details. */
  readonly record: LineRecord | null;
  /** The lines of a function. */
  readonly children: readonly HotRow[];
}

export type Grouping = 'lines' | 'functions';

/** The rows of a view. They sum to the wall clock and to the op time, whichever way they are grouped. */
export function hotRows({ run, record, sources, places }: LinesAnswer, grouping: Grouping): readonly HotRow[] {
  const folders = ambiguousFolders(record.lines, run.title);
  const lines = record.lines.map((line, index) => ({
    ...lineRow(line, sources[index] ?? null, places[index] ?? null),
    folder: folders.get(line.path) ?? '',
  }));
  const measured = grouping === 'lines' ? lines : functionRows(record, lines);
  return [...measured, ...unattributedRow(record), ...idleRow(record)];
}

/** The key of a line's row, by which a selection finds it. */
export function lineKey(file: string | null, line: number): string {
  return `${file ?? ''}:${String(line)}`;
}

/** The keys by which a row is compared with what it was: of its line, of all lines of a function, of the rest. */
export function comparedKeys(row: HotRow): readonly string[] {
  switch (row.kind) {
    case 'line':
      return row.record === null ? [] : [row.record.key];
    case 'function':
      return row.children.flatMap(comparedKeys);
    case 'unattributed':
      return ['unattributed'];
    case 'idle':
      return ['unattributed-waiting'];
  }
}

/** The key of the row of the lines whose function the profile does not have. */
export const NO_FUNCTION = 'no function';

/** What a row has where there is nothing more to say of it. */
const NOTHING_MORE = {
  folder: '',
  source: null,
  ops: [],
  place: null,
  waiting_ps: 0,
  waiting_classes: {} as LinesRecord['idle_classes'],
  estimated: false,
  record: null,
  children: [],
} satisfies Partial<HotRow>;

function lineRow(record: LineRecord, source: string | null, place: LocatedLine | null): HotRow {
  const divided_ps = record.ops.reduce((sum, op) => sum + (op.shared || op.inherited ? op.self_ps : 0), 0);
  return {
    ...NOTHING_MORE,
    ...record,
    kind: 'line',
    key: lineKey(record.file ?? record.path, record.line),
    source,
    wall_ps: record.wall_ps + record.waiting_ps,
    inclusive_wall_ps: record.inclusive_wall_ps + record.waiting_inclusive_ps,
    phases: phasesOf(record),
    place,
    estimated: record.waiting_ps > record.wall_ps ? record.basis === 'estimated' : divided_ps * 2 > record.self_ps,
    record,
  };
}

function functionRows(record: LinesRecord, lines: readonly HotRow[]): readonly HotRow[] {
  const { functions } = record;
  const byFunction = grouped(lines, (line) => functionKey(line.file ?? line.path, line.function));
  const rows = functions.map((each): HotRow => {
    const key = functionKey(each.file ?? each.path, each.function);
    const children = byFunction.get(key) ?? [];
    const estimated_ps = children.reduce((sum, line) => sum + (line.estimated ? (line.self_ps ?? 0) : 0), 0);
    return {
      ...NOTHING_MORE,
      ...each,
      kind: 'function',
      key,
      wall_ps: each.wall_ps + each.waiting_ps,
      inclusive_wall_ps: each.inclusive_wall_ps + each.waiting_inclusive_ps,
      op_time_per_step_ps: perStep(record.extent, each.self_ps),
      phases: phasesOf(each),
      estimated: estimated_ps * 2 > each.self_ps,
      children,
    };
  });
  const inNone = lines.filter((line) => line.function === '');
  return inNone.length === 0 ? rows : [...rows, noFunctionRow(record, inNone)];
}

/** The lines whose function the profile does not have. */
function noFunctionRow(record: LinesRecord, lines: readonly HotRow[]): HotRow {
  const sum = (of: (line: HotRow) => number | null): number => lines.reduce((all, line) => all + (of(line) ?? 0), 0);
  const wall_ps = sum((line) => line.wall_ps);
  const self_ps = sum((line) => line.self_ps);
  return {
    ...NOTHING_MORE,
    ...OF_NO_LINE,
    kind: 'function',
    key: NO_FUNCTION,
    self_ps,
    op_time_per_step_ps: perStep(record.extent, self_ps),
    ...partOf(record, wall_ps),
    waiting_ps: sum((line) => line.waiting_ps),
    children: lines,
  };
}

function functionKey(file: string | null, name: string): string {
  return `${file ?? ''} ${name}`;
}

/** What rows are that are neither of a line nor of a function. */
const OF_NO_LINE = {
  file: null,
  path: null,
  line: 0,
  function: '',
  inclusive_wall_ps: null,
  inclusive_share_ratio: null,
  inclusive_per_step_ps: null,
  phases: null,
} satisfies Partial<HotRow>;

function unattributedRow(record: LinesRecord): readonly HotRow[] {
  const { unattributed_ps: self_ps, unattributed_wall_ps: wall_ps, unattributed_ops: ops } = record;
  return self_ps === 0 && wall_ps === 0
    ? []
    : [
        {
          ...NOTHING_MORE,
          ...OF_NO_LINE,
          kind: 'unattributed',
          key: 'unattributed',
          self_ps,
          op_time_per_step_ps: perStep(record.extent, self_ps),
          ...partOf(record, wall_ps),
          ops,
        },
      ];
}

/** The wall clock in which nothing ran, and of which it is not known where the host stood. */
function idleRow(record: LinesRecord): readonly HotRow[] {
  const idle_ps = record.unattributed_waiting_ps;
  return idle_ps === 0
    ? []
    : [
        {
          ...NOTHING_MORE,
          ...OF_NO_LINE,
          kind: 'idle',
          key: 'idle',
          self_ps: null,
          op_time_per_step_ps: null,
          ...partOf(record, idle_ps),
          waiting_classes: onNoLine(record),
        },
      ];
}

/** The classes of the idle time that is on no line: what lines do not have of all of it. */
function onNoLine({ idle_classes, lines }: LinesRecord): LinesRecord['idle_classes'] {
  const left = { ...idle_classes };
  for (const { waiting_classes } of lines) {
    for (const [name, time_ps] of waitingParts(waiting_classes)) {
      left[name] = Math.max(0, (left[name] ?? 0) - time_ps);
    }
  }
  return left;
}

/** What a part of the wall clock is of the whole, and per step. */
function partOf(record: LinesRecord, wall_ps: number): Pick<HotRow, 'wall_ps' | 'share_ratio' | 'per_step_ps'> {
  return {
    wall_ps,
    share_ratio: wall_ps / Math.max(1, record.wall?.wall_ps ?? 0),
    per_step_ps: perStep(record.extent, wall_ps),
  };
}

/** The folders of the paths whose file names alone do not tell them apart, from each other or from other scripts. */
function ambiguousFolders(lines: readonly LineRecord[], title: string): ReadonlyMap<string | null, string> {
  const paths = [...new Set(lines.map(({ path }) => path))].filter((path) => path !== null);
  const sameName = grouped(paths, nameOf);
  // The run's title has a folder only where another script has its name.
  const isAmbiguous = (name: string): boolean =>
    (sameName.get(name)?.length ?? 0) > 1 || (title.includes('/') && nameOf(title) === name);
  return new Map(
    paths.filter((path) => isAmbiguous(nameOf(path))).map((path) => [path, path.split('/').slice(0, -1).join('/')]),
  );
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

function phasesOf(of: Readonly<Record<`${Phase}_ps`, number>>): Readonly<Record<Phase, number>> {
  return Object.fromEntries(PHASES.map((phase) => [phase, of[`${phase}_ps`]])) as Record<Phase, number>;
}
