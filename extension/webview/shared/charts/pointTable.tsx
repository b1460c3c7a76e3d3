// What a chart shows in numbers: a table with a row for each of its points.

import { useMemo } from 'preact/hooks';
import type { ComparedRows } from '../comparison/comparedTable';
import { usePage } from '../page/page';
import type { Column } from '../table/columns';
import { Table } from '../table/table';
import { tableState } from '../table/tableState';

export function PointTable(props: {
  /** What its arrangement is saved as. */
  readonly name: string;
  readonly label: string;
  /** The columns of points by their position; the first is what the chart's axis has. */
  readonly columns: readonly Column<number>[];
  readonly points: number;
  /** Enter, and a double click. */
  readonly onPick?: (point: number) => void;
  readonly onSelect?: (point: number) => void;
  /** What became of the points, where their run is compared with another. */
  readonly compared?: ComparedRows<number> | null;
}) {
  const { name, label, columns, points, onPick, compared = null, ...selecting } = props;
  const { saved } = usePage();
  const state = tableState(saved, name, { column: columns[0]?.id ?? '', descending: false });
  const positions = useMemo(() => Array.from({ length: points }, (_, at) => at), [points]);
  return (
    <div class="view-table">
      <Table
        label={label}
        columns={columns}
        compared={compared}
        state={state}
        roots={positions}
        keyOf={String}
        onOpen={(point) => {
          onPick?.(point);
          return true;
        }}
        {...selecting}
      />
    </div>
  );
}
