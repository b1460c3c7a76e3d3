import { describe, expect, test } from 'vitest';
import type { Column } from '../../../../extension/webview/shared/table/columns';
import { nextSort } from '../../../../extension/webview/shared/table/columns';
import { rowsAsText } from '../../../../extension/webview/shared/table/copy';
import { keyAction } from '../../../../extension/webview/shared/table/keyboard';
import { columnsInSight, layout } from '../../../../extension/webview/shared/table/layout';
import { arrange } from '../../../../extension/webview/shared/table/rows';
import { rowWindow, scrollToRow } from '../../../../extension/webview/shared/table/rowWindow';

interface Row {
  readonly name: string;
  readonly size: number | null;
  readonly below?: readonly Row[];
}

const name: Column<Row> = {
  id: 'name',
  title: 'Name',
  width_px: 100,
  value: (row) => row.name,
  text: (row) => row.name,
};
const size: Column<Row> = {
  id: 'size',
  title: 'Size',
  width_px: 50,
  align: 'end',
  value: (row) => row.size,
  text: (row) => (row.size === null ? '' : `${row.size} B`),
};
const columns = [name, size];

const rows: readonly Row[] = [
  { name: 'line 10', size: 5 },
  { name: 'line 9', size: null },
  { name: 'rest', size: 100 },
  {
    name: 'Line 2',
    size: 7,
    below: [
      { name: 'deep', size: 1 },
      { name: 'deeper', size: 2 },
    ],
  },
];

function names(options: { sort?: string; descending?: boolean; search?: string; expanded?: string[] } = {}) {
  const source = {
    roots: rows,
    keyOf: (row: Row) => row.name,
    childrenOf: (row: Row) => row.below ?? [],
    isLast: (row: Row) => row.name === 'rest',
  };
  return arrange(source, {
    columns,
    sort: { column: options.sort ?? 'size', descending: options.descending ?? true },
    search: options.search ?? '',
    expanded: new Set(options.expanded ?? []),
  }).map(({ key }) => key);
}

describe('order', () => {
  test('is by the value of a column, unknown ones last but for the rest', () => {
    expect(names()).toEqual(['Line 2', 'line 10', 'line 9', 'rest']);
    expect(names({ descending: false })).toEqual(['line 10', 'Line 2', 'line 9', 'rest']);
  });

  test('of names counts the numbers in them', () => {
    expect(names({ sort: 'name', descending: false })).toEqual(['Line 2', 'line 9', 'line 10', 'rest']);
  });

  test('starts with the greatest number, or the first name, and is turned by the next press', () => {
    expect(nextSort({ column: 'name', descending: false }, size)).toEqual({ column: 'size', descending: true });
    expect(nextSort({ column: 'size', descending: true }, name)).toEqual({ column: 'name', descending: false });
    expect(nextSort({ column: 'size', descending: true }, size)).toEqual({ column: 'size', descending: false });
  });
});

describe('expansion', () => {
  test('shows the rows below, in order', () => {
    expect(names({ expanded: ['Line 2'] })).toEqual(['Line 2', 'deeper', 'deep', 'line 10', 'line 9', 'rest']);
  });
});

describe('search', () => {
  test('finds all words in any column and any case', () => {
    expect(names({ search: 'LINE 7' })).toEqual(['Line 2']);
    expect(names({ search: 'nowhere' })).toEqual([]);
  });

  test('shows what was found below a row with that row, and only that', () => {
    expect(names({ search: 'deeper' })).toEqual(['Line 2', 'deeper']);
  });

  test('leaves all rows below a row that was found', () => {
    expect(names({ search: 'line 2', expanded: ['Line 2'] })).toEqual(['Line 2', 'deeper', 'deep']);
  });
});

describe('many rows', () => {
  const many = Array.from({ length: 30_000 }, (_, at): Row => ({ name: `op.${String(29_999 - at)}`, size: at % 7 }));
  const source = { roots: many, keyOf: (row: Row) => row.name };
  const order = (column: string, descending: boolean, search = '') =>
    arrange(source, { columns, sort: { column, descending }, search, expanded: new Set() }).map(({ key }) => key);

  test('are in the order of a language, also where names are compared as keys', () => {
    const alphabet = new Intl.Collator(undefined, { numeric: true });
    const names = many.map((row) => row.name);
    expect(order('name', false)).toEqual([...names].sort(alphabet.compare));
    expect(order('name', true)[0]).toBe('op.29999');
  });

  test('of equal value keep their order, whichever way', () => {
    const sixes = many.filter(({ size }) => size === 6).map((row) => row.name);
    expect(order('size', true).slice(0, sixes.length)).toEqual(sixes);
    expect(order('size', false).slice(-sixes.length)).toEqual(sixes);
  });

  test('are searched each time in what they are now, though texts are kept', () => {
    expect(order('name', false, 'op.123')).toHaveLength(111);
    expect(order('name', false, 'op.123')).toHaveLength(111);
    const others = { ...source, textOf: ({ size: bytes }: Row) => `of ${String(bytes)}` };
    const found = arrange(others, {
      columns,
      sort: { column: 'name', descending: false },
      search: 'of 6',
      expanded: new Set(),
    });
    expect(found.every(({ row }) => row.size === 6)).toBe(true);
  });

  test('are asked for their values once, however often they are compared', () => {
    let asked = 0;
    const counted = { ...size, value: (row: Row) => ((asked += 1), row.size) };
    arrange(
      { roots: [...many], keyOf: source.keyOf },
      { columns: [counted], sort: { column: 'size', descending: true }, search: '', expanded: new Set() },
    );
    expect(asked).toBe(many.length);
  });
});

test('a tree of any depth is opened and searched', () => {
  let deepest: Row = { name: 'bottom', size: 1 };
  const keys = [];
  for (let depth = 20_000; depth > 0; depth -= 1) {
    deepest = { name: `level ${String(depth)}`, size: 1, below: [deepest] };
    keys.push(deepest.name);
  }
  const source = { roots: [deepest], keyOf: (row: Row) => row.name, childrenOf: (row: Row) => row.below ?? [] };
  const arrangement = { columns, sort: { column: 'size', descending: true } };
  expect(arrange(source, { ...arrangement, search: '', expanded: new Set(keys) })).toHaveLength(20_001);
  expect(arrange(source, { ...arrangement, search: 'bottom', expanded: new Set() })).toHaveLength(20_001);
});

describe('layout', () => {
  const wide: Column<Row> = { ...name, id: 'wide', width_px: 200, fills: 1, rank: 1 };
  const extra: Column<Row> = { ...name, id: 'extra', width_px: 100, rank: 2 };
  const base: Column<Row> = { ...name, id: 'base', width_px: 100, least_px: 60 };
  const widths = (table_px: number, chosen: Record<string, number> = {}, orderedBy: string | null = null) =>
    layout([base, extra, wide], table_px, chosen, orderedBy).map(({ column, width_px }) => [column.id, width_px]);

  test('gives what is left to the columns that fill', () => {
    expect(widths(500)).toEqual([
      ['base', 100],
      ['extra', 100],
      ['wide', 300],
    ]);
  });

  test('leaves out the highest rank first, and never rank 0', () => {
    expect(widths(350)).toEqual([
      ['base', 100],
      ['wide', 250],
    ]);
    expect(widths(120)).toEqual([['base', 100]]);
    expect(widths(80)).toEqual([['base', 80]]);
    expect(widths(10)).toEqual([['base', 60]]);
  });

  test('never leaves out what the rows are ordered by', () => {
    expect(widths(250, {}, 'extra')).toEqual([
      ['base', 100],
      ['extra', 100],
    ]);
  });

  test('keeps what was resized by hand', () => {
    expect(widths(500, { wide: 50 })).toEqual([
      ['base', 100],
      ['extra', 100],
      ['wide', 50],
    ]);
    expect(widths(500, { base: 300 })).toEqual([
      ['base', 300],
      ['extra', 100],
      ['wide', 200],
    ]);
  });
});

describe('the window of columns', () => {
  const laidOut = Array.from({ length: 40 }, () => ({ column: name, width_px: 100 }));

  test('is what is in sight and a little more, and always the first', () => {
    expect(columnsInSight(laidOut, 0, 500)).toEqual([0, 1, 2, 3, 4, 5]);
    const scrolled = columnsInSight(laidOut, 2000, 500);
    expect(scrolled[0]).toBe(0);
    expect(scrolled.slice(1)).toEqual([19, 20, 21, 22, 23, 24, 25]);
  });

  test('has every column that there is room for', () => {
    expect(columnsInSight(laidOut.slice(0, 5), 0, 500)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('the window of rows', () => {
  test('is what is in sight and a little more', () => {
    const { first, end } = rowWindow(24_000, 480, 100_000);
    expect(first).toBeLessThanOrEqual(1000);
    expect(end).toBeGreaterThanOrEqual(1020);
    expect(end - first).toBeLessThan(50);
  });

  test('never leaves the rows', () => {
    expect(rowWindow(1e9, 480, 10)).toMatchObject({ first: 10, end: 10 });
    expect(rowWindow(0, 480, 0)).toMatchObject({ first: 0, end: 0 });
  });

  test('scrolls as little as it must', () => {
    expect(scrollToRow(5, 0, 240, 100)).toBe(0);
    expect(scrollToRow(10, 0, 240, 100)).toBe(24);
    expect(scrollToRow(2, 100, 240, 100)).toBe(48);
  });

  test('reaches the first and the last of more rows than an element is high', () => {
    const rows = 10_000_000;
    const last_px = scrollToRow(rows - 1, 0, 240, rows);
    const { first, end, sheet_px, moved_px } = rowWindow(last_px, 240, rows);
    expect(last_px + 240).toBe(sheet_px);
    expect([first < rows - 10, end]).toEqual([true, rows]);
    expect(rows * 24 - moved_px).toBe(sheet_px);
    expect(rowWindow(scrollToRow(0, last_px, 240, rows), 240, rows)).toMatchObject({ first: 0, moved_px: 0 });
  });
});

describe('keys', () => {
  const shown = arrange(
    { roots: rows, keyOf: (row: Row) => row.name, childrenOf: (row: Row) => row.below ?? [] },
    { columns, sort: { column: 'size', descending: true }, search: '', expanded: new Set(['Line 2']) },
  );
  const at = shown.findIndex(({ key }) => key === 'Line 2');
  const key = (pressed: string, position: number, more: Partial<KeyboardEvent> = {}) =>
    keyAction(
      { key: pressed, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more },
      position,
      shown,
      3,
    );

  test('move without leaving the table', () => {
    expect(key('ArrowDown', 0)).toEqual({ kind: 'select', at: 1 });
    expect(key('ArrowUp', 0)).toEqual({ kind: 'select', at: 0 });
    expect(key('PageDown', 0)).toEqual({ kind: 'select', at: 3 });
    expect(key('End', 0)).toEqual({ kind: 'select', at: shown.length - 1 });
    expect(key('Home', 4)).toEqual({ kind: 'select', at: 0 });
  });

  test('go into and out of a tree', () => {
    expect(key('ArrowRight', at)).toEqual({ kind: 'select', at: at + 1 });
    expect(key('ArrowLeft', at + 1)).toEqual({ kind: 'select', at });
    expect(key('ArrowLeft', at)).toEqual({ kind: 'toggle' });
    expect(key('ArrowRight', at + 1)).toBeNull();
  });

  test('open, copy and show the menu', () => {
    expect(key('Enter', 0)).toEqual({ kind: 'open' });
    expect(key('c', 0, { ctrlKey: true })).toEqual({ kind: 'copy' });
    expect(key('C', 0, { ctrlKey: true })).toEqual({ kind: 'copy' });
    expect(key('C', 0, { ctrlKey: true, shiftKey: true })).toBeNull();
    expect(key('F10', 0, { shiftKey: true })).toEqual({ kind: 'menu' });
    expect(key('x', 0)).toBeNull();
  });
});

describe('copying', () => {
  const hostile: Row = { name: 'a "b",\tc\nd', size: 3 };

  test('as TSV keeps one line per row', () => {
    expect(rowsAsText([hostile], columns, 'tsv')).toBe('Name\tSize\na "b", c d\t3 B\n');
  });

  test('gives a spreadsheet numbers, with their unit in the title', () => {
    const inBytes = columns.map((column) =>
      column.id === 'size'
        ? { ...column, copied: { title: 'Size (bytes)', text: (row: Row) => String(row.size) } }
        : column,
    );
    expect(rowsAsText([hostile], inBytes, 'tsv')).toBe('Name\tSize (bytes)\na "b", c d\t3\n');
  });

  test('as CSV quotes what must be quoted', () => {
    expect(rowsAsText([hostile], columns, 'csv')).toBe('Name,Size\n"a ""b"",\tc\nd",3 B\n');
  });
});
