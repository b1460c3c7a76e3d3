// One row of a table.

import { Icon } from '../elements';
import type { Column } from './columns';
import type { ShownRow } from './rows';
import { ROW_HEIGHT_PX } from './rowWindow';

const INDENT_PX = 16;

export interface TableRowProps<Row> {
  readonly row: ShownRow<Row>;
  /** Its position among the rows that are shown. */
  readonly at: number;
  readonly columns: readonly Column<Row>[];
  readonly isTree: boolean;
  readonly isSelected: boolean;
  readonly isReachable: boolean;
  readonly className: string;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
  readonly onToggle: () => void;
  readonly onMenu: (x_px: number, y_px: number) => void;
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, at, columns, isTree } = props;
  return (
    <div
      role="row"
      class={`row ${props.isSelected ? 'selected' : ''} ${props.className}`}
      style={{ top: `${String(at * ROW_HEIGHT_PX)}px` }}
      data-position={at}
      aria-rowindex={at + 2}
      aria-selected={props.isSelected}
      {...(isTree ? { 'aria-level': row.level } : {})}
      {...(row.expandable ? { 'aria-expanded': row.expanded } : {})}
      tabIndex={props.isReachable ? 0 : -1}
      onClick={props.onSelect}
      onDblClick={props.onOpen}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu(event.clientX, event.clientY);
      }}
    >
      {columns.map((column, position) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={position + 1}
          class={column.align === 'end' ? 'cell end' : 'cell'}
          title={column.exact?.(row.row) ?? column.text(row.row)}
        >
          {isTree && position === 0 ? (
            <span class="twistie" style={{ marginLeft: `${String((row.level - 1) * INDENT_PX)}px` }}>
              {row.expandable ? (
                <span
                  onClick={(event) => {
                    event.stopPropagation();
                    props.onToggle();
                  }}
                >
                  <Icon name={row.expanded ? 'chevron-down' : 'chevron-right'} />
                </span>
              ) : null}
            </span>
          ) : null}
          {column.cell?.(row.row) ?? <span class="text">{column.text(row.row)}</span>}
        </div>
      ))}
    </div>
  );
}
