// A table of a run that is compared with another: with what each row was and its change, and with what is only before.

import { useMemo } from 'preact/hooks';
import type { ComparedWith } from '../../../src/protocol';
import type { CellMeter, Column } from '../table/columns';
import type { ShownRow } from '../table/rows';
import type { TableProps } from '../table/table';
import { asWideAsItsTexts } from '../table/textWidth';
import type { Quantity } from '../text/quantities';
import type { Change } from './change';
import { CHANGE_COLUMN, changeColumns } from './columns';
import { Gone, type GoneBelow } from './gone';
import type { Tint } from './tint';

/** What became of the rows of a table. The same object as long as nothing of it changes. */
export interface ComparedRows<Row> {
  readonly sides: ComparedWith;
  /** Null for a row that is not compared, or is not yet. */
  readonly changeOf: (row: Row) => Change | null;
  readonly gone: GoneBelow;
  readonly quantity: Quantity;
  /** What is compared, in words. */
  readonly meaning: string;
  /** How many runs of each side there are, and whether it is of a step where the table has all: see `changeColumns`. */
  readonly rounds: number;
  readonly isPerStep: boolean;
  /** Whether there is little room: changes are said in short. */
  readonly isShort?: boolean;
  /** The column that the two stand behind; absent: the last. */
  readonly behind?: string;
  /** The column whose bars are coloured by change. */
  readonly tinted?: { readonly column: string; readonly tintOf: (change: Change) => Tint };
}

/** Whether a comparison, or what of it was only before, is not there any more: then other rows are, or fewer. */
export function hasEnded<Row>(before: ComparedRows<Row> | null, now: ComparedRows<Row> | null): boolean {
  return (
    before !== null &&
    (now === null ||
      JSON.stringify(before.sides) !== JSON.stringify(now.sides) ||
      (before.gone.size > 0 && now.gone.size === 0))
  );
}

/** A row of a table, or one that is only before. */
export type RowOrGone<Row> = Row | Gone;

/** The table with the columns and rows of the comparison; as it is where there is none. */
export function useComparedTable<Row>(
  table: TableProps<Row>,
  compared: ComparedRows<Row> | null,
): TableProps<RowOrGone<Row>> {
  const { columns, roots, childrenOf, textOf, isLast } = table;
  // What is searched and sorted again only when it changes.
  const all = useMemo(
    () => (compared === null ? null : [...roots, ...(compared.gone.get(null) ?? [])]),
    [roots, compared],
  );
  const below = useMemo<Pick<TableProps<RowOrGone<Row>>, 'childrenOf'>>(
    () => (compared === null || childrenOf === undefined ? {} : childrenBelow(childrenOf, table.keyOf, compared)),
    [childrenOf, compared],
  );
  const kept = useMemo(
    () =>
      compared === null || all === null
        ? null
        : {
            columns: comparedColumns(columns, compared, uppermost(all, below.childrenOf ?? (() => []))),
          },
    [columns, compared, all, below],
  );
  const searched = useMemo(
    () =>
      textOf === undefined ? {} : { textOf: (row: RowOrGone<Row>) => (row instanceof Gone ? row.label : textOf(row)) },
    [textOf],
  );
  const last = useMemo(
    () => (isLast === undefined ? {} : { isLast: (row: RowOrGone<Row>) => !(row instanceof Gone) && isLast(row) }),
    [isLast],
  );
  if (kept === null || all === null) {
    // No row of it is only before.
    return table as unknown as TableProps<RowOrGone<Row>>;
  }
  const { label, state, search, opensFound, empty, focusRef, keyOf } = table;
  const { onArranged, onHover } = table;
  return {
    label,
    state,
    ...(search === undefined ? {} : { search }),
    ...(opensFound === undefined ? {} : { opensFound }),
    ...(focusRef === undefined ? {} : { focusRef }),
    empty,
    columns: kept.columns,
    roots: all,
    keyOf: (row) => (row instanceof Gone ? row.key : keyOf(row)),
    ...below,
    ...searched,
    ...last,
    onOpen: (row) => !(row instanceof Gone) && table.onOpen?.(row) === true,
    onSelect: (row) => (row instanceof Gone ? undefined : table.onSelect?.(row)),
    ...(onHover === undefined
      ? {}
      : { onHover: (row: RowOrGone<Row> | null) => onHover(row instanceof Gone ? null : row) }),
    ...(onArranged === undefined
      ? {}
      : {
          onArranged: (rows: readonly ShownRow<RowOrGone<Row>>[]) =>
            onArranged(rows.flatMap((each) => (each.row instanceof Gone ? [] : [{ ...each, row: each.row }]))),
        }),
    menuOf: (row) => (row instanceof Gone ? [] : (table.menuOf?.(row) ?? [])),
    classOf: (row) => (row instanceof Gone ? 'gone' : (table.classOf?.(row) ?? '')),
  };
}

/** Widths are taken of so many rows of a tree. */
const MOST_MEASURED = 2_000;

/** The rows of a tree level by level, as many as are measured. */
function uppermost<Row>(roots: readonly Row[], childrenOf: (row: Row) => readonly Row[]): readonly Row[] {
  const found = [...roots];
  for (let at = 0; at < found.length && found.length < MOST_MEASURED; at += 1) {
    for (const child of childrenOf(found[at] as Row)) {
      found.push(child);
    }
  }
  return found;
}

/** The same list for the same row. */
function childrenBelow<Row>(
  childrenOf: (row: Row) => readonly Row[],
  keyOf: (row: Row) => string,
  { gone }: ComparedRows<Row>,
): { readonly childrenOf: (row: RowOrGone<Row>) => readonly RowOrGone<Row>[] } {
  const known = new Map<Row, readonly RowOrGone<Row>[]>();
  return {
    childrenOf: (row) => {
      if (row instanceof Gone) {
        return row.children;
      }
      const missing = gone.get(keyOf(row)) ?? [];
      if (missing.length === 0) {
        return childrenOf(row);
      }
      const children = known.get(row) ?? [...childrenOf(row), ...missing];
      known.set(row, children);
      return children;
    },
  };
}

function comparedColumns<Row>(
  columns: readonly Column<Row>[],
  compared: ComparedRows<Row>,
  rows: readonly RowOrGone<Row>[],
): readonly Column<RowOrGone<Row>>[] {
  // Names stand at the start of their cell, and numbers at its end.
  const name = columns.find(({ align }) => align === undefined) ?? columns[0];
  const own = columns.map((column) => withGone(column, column === name, compared));
  const { changeOf, quantity, sides, meaning } = compared;
  const changes = changeColumns<RowOrGone<Row>>({
    changeOf: (row) => (row instanceof Gone ? row.change : changeOf(row)),
    quantity,
    sides,
    meaning,
    rounds: compared.rounds,
    isPerStep: compared.isPerStep,
    isShort: compared.isShort === true,
  }).map((column) => asWideAsItsTexts(column, rows, { isBold: column.id === CHANGE_COLUMN }));
  const behind = own.findIndex(({ id }) => id === compared.behind);
  return behind === -1 ? [...own, ...changes] : [...own.slice(0, behind + 1), ...changes, ...own.slice(behind + 1)];
}

/** A column of a table that has rows that are only before: these have a name, and nothing now. */
function withGone<Row>(column: Column<Row>, isName: boolean, compared: ComparedRows<Row>): Column<RowOrGone<Row>> {
  const { value, text, exact = text, copied, meter, cell, ...look } = column;
  const nameOf = (row: Gone): string => (isName ? row.label : '');
  const tinted = compared.tinted?.column === column.id ? compared.tinted : null;
  const tint = (row: Row, drawn: CellMeter): CellMeter => {
    const change = tinted === null ? null : compared.changeOf(row);
    return tinted === null || change === null ? drawn : { ...drawn, tint: tinted.tintOf(change) };
  };
  return {
    ...look,
    value: (row) => (row instanceof Gone ? (isName ? row.label : null) : value(row)),
    text: (row) => (row instanceof Gone ? nameOf(row) : text(row)),
    exact: (row) => (row instanceof Gone ? nameOf(row) : exact(row)),
    ...(copied === undefined
      ? {}
      : {
          copied: {
            title: copied.title,
            text: (row: RowOrGone<Row>) => (row instanceof Gone ? nameOf(row) : copied.text(row)),
          },
        }),
    ...(meter === undefined
      ? {}
      : {
          meter: (row: RowOrGone<Row>) => {
            const drawn = row instanceof Gone ? null : meter(row);
            return drawn === null || row instanceof Gone ? null : tint(row, drawn);
          },
        }),
    ...(cell === undefined
      ? {}
      : { cell: (row: RowOrGone<Row>) => (row instanceof Gone ? (isName ? undefined : '') : cell(row)) }),
  };
}
