// One row of a table.

import { boxStyle } from '../charts/box';
import { fillOf } from '../charts/cells';
import type { CellMeter, Column } from './columns';
import type { ShownRow } from './rows';

const INDENT_PX = 16;

/** Below these many levels rows are indented less, so that a deep tree leaves room for names. */
const INDENTED_LEVELS = 8;
const DEEP_INDENT_PX = 4;

export interface TableRowProps<Row> {
  /** Undefined until it has come. */
  readonly row: ShownRow<Row> | undefined;
  /** Its position among the rows that are shown. */
  readonly at: number;
  readonly top_px: number;
  readonly columns: readonly Column<Row>[];
  /** The positions of those that are in sight. */
  readonly inSight: readonly number[];
  readonly isTree: boolean;
  readonly isSelected: boolean;
  readonly isReachable: boolean;
  readonly className: string;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
  readonly onToggle: () => void;
  readonly onHover: ((row: Row | null) => void) | undefined;
  readonly onMenu: (x_px: number, y_px: number) => void;
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, at, columns, isTree, onHover } = props;
  return (
    <div
      role="row"
      class={`row ${props.isSelected ? 'selected' : ''} ${props.className}`}
      style={boxStyle({ top_px: props.top_px })}
      data-position={at}
      aria-rowindex={at + 2}
      aria-selected={props.isSelected}
      aria-level={isTree ? row?.level : undefined}
      aria-expanded={row?.expandable === true ? row.expanded : undefined}
      tabIndex={props.isReachable ? 0 : -1}
      onClick={props.onSelect}
      onDblClick={props.onOpen}
      onMouseEnter={() => onHover?.(row?.row ?? null)}
      onMouseLeave={() => onHover?.(null)}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu(event.clientX, event.clientY);
      }}
    >
      {row === undefined ? <div class="cell">…</div> : null}
      {props.inSight.map((position) => {
        const column = columns[position];
        if (column === undefined || row === undefined) {
          return null;
        }
        const text = column.text(row.row);
        const isFirst = isTree && position === 0;
        // A page of rows has hundreds of cells: those of text alone are one element each.
        const isPlain = column.cell === undefined && !isFirst;
        const meter = column.meter?.(row.row) ?? null;
        return (
          <div
            key={column.id}
            role="gridcell"
            aria-colindex={position + 1}
            style={{ gridColumn: position + 1, ...(meter === null ? {} : meterStyle(meter)) }}
            class={cellClass(column, isPlain, meter)}
            title={column.exact?.(row.row) ?? text}
          >
            {isFirst ? <Twistie row={row} onToggle={props.onToggle} /> : null}
            {isPlain ? text : (column.cell?.(row.row) ?? <span class="text">{text}</span>)}
          </div>
        );
      })}
    </div>
  );
}

function cellClass<Row>(column: Column<Row>, isPlain: boolean, meter: CellMeter | null): string {
  return [
    'cell',
    column.align ?? '',
    isPlain && column.meter === undefined ? 'text-only' : '',
    column.isCode === true ? 'code' : '',
    column.meter === undefined ? '' : meter === null ? 'unmetered' : meterClass(meter),
  ]
    .filter((name) => name !== '')
    .join(' ');
}

function meterClass({ grade, form, tint }: CellMeter): string {
  return ['metered', ...(tint === undefined ? [grade, form] : ['tinted', tint.direction])].filter(Boolean).join(' ');
}

function meterStyle({ ratio, tint }: CellMeter): Readonly<Record<string, string>> {
  const strength = tint === undefined ? {} : { '--strength': `${String(Math.round(tint.strength * 100))}%` };
  return { '--fill': fillOf(ratio), ...strength };
}

function Twistie<Row>(props: { readonly row: ShownRow<Row>; readonly onToggle: () => void }) {
  const { level, expandable, expanded } = props.row;
  return (
    <span
      class={`twistie ${expandable ? `codicon codicon-chevron-${expanded ? 'down' : 'right'}` : ''}`}
      style={{ marginLeft: `${String(indent_px(level))}px` }}
      aria-hidden="true"
      onClick={(event) => {
        if (expandable) {
          event.stopPropagation();
          props.onToggle();
        }
      }}
    />
  );
}

function indent_px(level: number): number {
  const above = level - 1;
  return Math.min(above, INDENTED_LEVELS) * INDENT_PX + Math.max(0, above - INDENTED_LEVELS) * DEEP_INDENT_PX;
}
