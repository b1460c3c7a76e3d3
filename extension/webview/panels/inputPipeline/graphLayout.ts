// Where the operations of the graph stand: columns from what makes the data to the device, in the order of reading.

import type { InputOperation } from '../../../src/protocol';
import { greatest } from '../../shared/table/greatest';

export interface Placed {
  readonly operation: InputOperation;
  readonly column: number;
  /** In halves where it reads from an even number of others. */
  readonly row: number;
}

export interface Layout {
  readonly placed: readonly Placed[];
  readonly columns: number;
  readonly rows: number;
}

export const BOX_HEIGHT_PX = 56;
const WIDTH_PX = { operation: 132, device: 76 };
const DOWN_PX = 12;
/** Between columns; where queues stand there, there is room for them. */
const ACROSS_PX = { plain: 36, queue: 76 };
const EDGE_PX = 8;
/** Between bands, and before those that arrows come back to. */
const BAND_PX = { gap: 28, before: 24 };

export interface DrawnBox {
  readonly operation: InputOperation;
  readonly left_px: number;
  readonly top_px: number;
  readonly width_px: number;
  /** To the next column. */
  readonly across_px: number;
  /** Columns that have no room beside the others go on in a band below them. */
  readonly band: number;
  /** Where an arrow from a band above comes back to the left. */
  readonly above_px: number;
}

export interface Drawing {
  readonly boxes: readonly DrawnBox[];
  readonly width_px: number;
  readonly height_px: number;
}

/** Where the boxes of a layout are, in pixels from its corner, in bands of at most `room_px`. */
export function drawingOf({ placed, columns }: Layout, room_px = Infinity): Drawing {
  const across = Array.from({ length: columns }, (_, at) =>
    placed.some(({ column, operation }) => column === at && operation.queue !== null)
      ? ACROSS_PX.queue
      : ACROSS_PX.plain,
  );
  const widths = across.map((_, at) =>
    placed.every(({ column, operation }) => column !== at || operation.kind === 'device')
      ? WIDTH_PX.device
      : WIDTH_PX.operation,
  );
  const { bands, lefts, width_px } = bandsOf(widths, across, room_px);
  const count = columns === 0 ? 0 : (bands[columns - 1] ?? 0) + 1;
  const tops: number[] = [];
  const firsts: number[] = [];
  let next_px = EDGE_PX;
  for (let band = 0; band < count; band++) {
    const rows = placed.filter(({ column }) => bands[column] === band).map(({ row }) => row);
    const first = rows.reduce((least, row) => Math.min(least, row), Infinity);
    tops.push(next_px);
    firsts.push(first);
    next_px += (greatest(rows, (row) => row) - first) * (BOX_HEIGHT_PX + DOWN_PX) + BOX_HEIGHT_PX + BAND_PX.gap;
  }
  const boxes = placed.map(({ operation, column, row }) => {
    const band = bands[column] ?? 0;
    const top_px = tops[band] ?? EDGE_PX;
    return {
      operation,
      left_px: lefts[column] ?? EDGE_PX,
      top_px: top_px + (row - (firsts[band] ?? 0)) * (BOX_HEIGHT_PX + DOWN_PX),
      width_px: widths[column] ?? WIDTH_PX.operation,
      across_px: across[column] ?? ACROSS_PX.plain,
      band,
      above_px: top_px - BAND_PX.gap / 2,
    };
  });
  return { boxes, width_px, height_px: next_px - BAND_PX.gap + EDGE_PX };
}

/** Which band each column is in, and where from its left; a band holds at least one column. */
function bandsOf(
  widths: readonly number[],
  across: readonly number[],
  room_px: number,
): { readonly bands: readonly number[]; readonly lefts: readonly number[]; readonly width_px: number } {
  const bands: number[] = [];
  const lefts: number[] = [];
  let [band, left_px, width_px] = [0, EDGE_PX, 0];
  widths.forEach((own_px, at) => {
    const isLast = at === widths.length - 1;
    const right_px = left_px + own_px + (isLast ? EDGE_PX : (across[at] ?? 0));
    if (right_px > room_px && left_px > EDGE_PX + BAND_PX.before) {
      band += 1;
      left_px = EDGE_PX + BAND_PX.before;
    }
    bands.push(band);
    lefts.push(left_px);
    left_px += own_px + (across[at] ?? 0);
    width_px = Math.max(width_px, left_px - (isLast ? (across[at] ?? 0) - EDGE_PX : 0));
  });
  return { bands, lefts, width_px };
}

/** Every operation once. What reads from itself, however far behind, is cut there. */
export function layoutOf(operations: readonly InputOperation[]): Layout {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  const read = new Set(operations.flatMap(({ inputs }) => inputs));
  const depth = new Map<string, number>();
  const row = new Map<string, number>();
  let rows = 0;
  const visit = (operation: InputOperation, at: number, above: ReadonlySet<string>): number => {
    depth.set(operation.key, Math.max(at, depth.get(operation.key) ?? 0));
    const known = row.get(operation.key);
    const below = new Set([...above, operation.key]);
    const behind = operation.inputs
      .map((key) => byKey.get(key))
      .filter((each) => each !== undefined && !below.has(each.key)) as InputOperation[];
    const places = behind.map((each) => visit(each, at + 1, below));
    if (known !== undefined) {
      return known;
    }
    const own = places.length === 0 ? rows++ : ((places[0] ?? 0) + (places[places.length - 1] ?? 0)) / 2;
    row.set(operation.key, own);
    return own;
  };
  // Those in a circle, which is nothing's input, come last.
  for (const operation of [...operations.filter(({ key }) => !read.has(key)), ...operations]) {
    if (!depth.has(operation.key)) {
      visit(operation, 0, new Set());
    }
  }
  const columns = greatest([...depth.values()], (each) => each) + 1;
  const placed = operations
    .filter(({ key }) => depth.has(key))
    .map((operation) => ({
      operation,
      column: columns - 1 - (depth.get(operation.key) ?? 0),
      row: row.get(operation.key) ?? 0,
    }));
  return { placed, columns, rows };
}

/** The next operation that an arrow key leads to; null where there is none. */
export function neighbour(layout: Layout, key: string, press: string): InputOperation | null {
  const from = layout.placed.find(({ operation }) => operation.key === key);
  if (from === undefined) {
    return null;
  }
  const ways: Readonly<Record<string, (other: Placed) => boolean>> = {
    ArrowLeft: ({ operation }) => from.operation.inputs.includes(operation.key),
    ArrowRight: ({ operation }) => operation.inputs.includes(key),
    ArrowUp: ({ column, row }) => column === from.column && row < from.row,
    ArrowDown: ({ column, row }) => column === from.column && row > from.row,
  };
  const leads = ways[press];
  if (leads === undefined) {
    return null;
  }
  const found = layout.placed.filter(leads).sort((one, other) => distance(one, from) - distance(other, from));
  return found[0]?.operation ?? null;
}

function distance(one: Placed, other: Placed): number {
  return Math.abs(one.row - other.row) + Math.abs(one.column - other.column);
}
