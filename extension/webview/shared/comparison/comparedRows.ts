// What became of the rows of a panel's table, by their keys in its own record.

import { useMemo } from 'preact/hooks';
import type { ComparedBy, ExtentRecord } from '../../../src/protocol';
import { useDevice } from '../controls/deviceSelect';
import { BYTES, FLOPS, type Quantity, TIME } from '../text/quantities';
import { changeOfAll, changeOfRow, flopsChangeOfRow } from './change';
import type { ComparedRows } from './comparedTable';
import { useComparison } from './comparison';
import { goneRows, NOTHING_GONE } from './gone';

/**
 * What became of the rows of a table, or null where nothing is compared. `keysOf` gives the keys of a row in its record,
 * or of all that is in it: the same function as long as the rows are. A comparison is of all devices, and of the steps where there are any: where
 * something else is looked at, there is none.
 */
export function useComparedRows<Row>(
  by: ComparedBy,
  options: {
    readonly keysOf: (row: Row) => readonly string[];
    readonly meaning: string;
    readonly extent?: ExtentRecord;
    readonly behind?: string;
    /** Whether FLOPs are compared, and not times. */
    readonly areFlops?: boolean;
    /** Whether there is little room, see `ComparedRows`. */
    readonly isShort?: boolean;
    /** Whether times of the table are of all steps, and not of one. */
    readonly isOfAllSteps?: boolean;
    /** Whether rows are left out here: then what is only before, of which it is not known, is left out as well. */
    readonly isFiltered?: boolean;
  },
): ComparedRows<Row> | null {
  const {
    keysOf,
    meaning,
    extent,
    behind,
    isFiltered = false,
    isOfAllSteps = false,
    isShort = false,
    areFlops = false,
  } = options;
  const device = useDevice();
  const isOfSteps = extent === undefined || extent.steps > 0 || !extent.has_steps;
  const comparison = useComparison(device === null && isOfSteps ? by : null);
  const { sides, record } = comparison ?? { sides: null, record: null };
  const quantity: Quantity = areFlops ? FLOPS : by === 'memory' ? BYTES : TIME;
  // What the host tells is told anew with every change of anything.
  const of = JSON.stringify(sides);
  return useMemo(() => {
    if (sides === null) {
      return null;
    }
    const changeOf = areFlops ? flopsChangeOfRow : changeOfRow;
    const changes = new Map(
      record?.rows.flatMap((row) => {
        const change = changeOf(row);
        return row.after_key === null || change === null ? [] : [[row.after_key, change] as const];
      }),
    );
    if (areFlops && record !== null && changes.size === 0) {
      return null;
    }
    return {
      sides,
      changeOf: (row) => changeOfAll(keysOf(row).flatMap((key) => changes.get(key) ?? [])),
      gone: record === null || isFiltered ? NOTHING_GONE : goneRows(record.rows, changeOf),
      quantity,
      meaning,
      isShort,
      rounds: record?.rounds ?? 1,
      isPerStep: isOfAllSteps && record?.has_steps !== false,
      ...(behind === undefined ? {} : { behind }),
    };
  }, [of, record, keysOf, meaning, isFiltered, behind, isOfAllSteps, isShort, areFlops]);
}
