// The rows of Hot Lines: lines or functions with their lines, and at the end what no line holds.

import type { LineOpRecord, LineRecord, LinesAnswer, LocatedLine } from '../../../src/protocol';
import { grouped } from '../../shared/grouped';
import { PHASES, type Phase } from '../../shared/theme';

/** What lines, functions and the unattributed rest have in common. Times are of the whole window. */
export interface HotRow {
  readonly kind: 'line' | 'function' | 'unattributed';
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
  readonly self_ps: number;
  readonly inclusive_ps: number | null;
  readonly per_step_ps: number | null;
  readonly inclusive_per_step_ps: number | null;
  readonly phases: Readonly<Record<Phase, number>> | null;
  readonly ops: readonly LineOpRecord[];
  readonly place: LocatedLine | null;
  /** More than half of the time was divided among lines by estimated cost. */
  readonly estimated: boolean;
  /** The record of a line, for its details. */
  readonly record: LineRecord | null;
  /** The lines of a function. */
  readonly children: readonly HotRow[];
}

export type Grouping = 'lines' | 'functions';

/** The rows of a view. Their self times sum to the op time, whichever way they are grouped. */
export function hotRows({ record, sources, places }: LinesAnswer, grouping: Grouping): readonly HotRow[] {
  const folders = ambiguousFolders(record.lines);
  const lines = record.lines.map((line, index) => ({
    ...lineRow(line, sources[index] ?? null, places[index] ?? null),
    folder: folders.get(line.path) ?? '',
  }));
  const measured = grouping === 'lines' ? lines : functionRows(record.functions, lines);
  return record.unattributed_ps > 0 ? [...measured, unattributedRow(record)] : measured;
}

/** The key of a line's row, by which a selection finds it. */
export function lineKey(file: string | null, line: number): string {
  return `${file ?? ''}:${String(line)}`;
}

/** What a row has where there is nothing more to say of it. */
const NOTHING_MORE = {
  folder: '',
  source: null,
  ops: [],
  place: null,
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
    phases: phasesOf(record),
    place,
    estimated: divided_ps * 2 > record.self_ps,
    record,
  };
}

function functionRows(functions: LinesAnswer['record']['functions'], lines: readonly HotRow[]): readonly HotRow[] {
  const byFunction = grouped(lines, (line) => functionKey(line.file ?? line.path, line.function));
  return functions.map((each) => {
    const key = functionKey(each.file ?? each.path, each.function);
    const children = byFunction.get(key) ?? [];
    const estimated_ps = children.reduce((sum, line) => sum + (line.estimated ? line.self_ps : 0), 0);
    return {
      ...NOTHING_MORE,
      ...each,
      kind: 'function',
      key,
      phases: phasesOf(each),
      estimated: estimated_ps * 2 > each.self_ps,
      children,
    };
  });
}

function functionKey(file: string | null, name: string): string {
  return `${file ?? ''} ${name}`;
}

function unattributedRow(record: LinesAnswer['record']): HotRow {
  return {
    ...NOTHING_MORE,
    kind: 'unattributed',
    key: 'unattributed',
    file: null,
    path: null,
    line: 0,
    function: '',
    self_ps: record.unattributed_ps,
    inclusive_ps: null,
    per_step_ps: null,
    inclusive_per_step_ps: null,
    phases: null,
    ops: record.unattributed_ops,
  };
}

/** The folders of the paths whose file names alone do not tell them apart. */
function ambiguousFolders(lines: readonly LineRecord[]): ReadonlyMap<string | null, string> {
  const paths = [...new Set(lines.map(({ path }) => path))].filter((path) => path !== null);
  const sameName = grouped(paths, (path) => path.split('/').at(-1) ?? '');
  return new Map(
    paths
      .filter((path) => (sameName.get(path.split('/').at(-1) ?? '')?.length ?? 0) > 1)
      .map((path) => [path, path.split('/').slice(0, -1).join('/')]),
  );
}

function phasesOf(of: Readonly<Record<`${Phase}_ps`, number>>): Readonly<Record<Phase, number>> {
  return Object.fromEntries(PHASES.map((phase) => [phase, of[`${phase}_ps`]])) as Record<Phase, number>;
}
