// The header of a table: sorts by a press, resizes by dragging or by Alt and an arrow key.

import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import { useDrag } from '../controls/drag';
import { Icon } from '../controls/elements';
import { chosenWidth, type Column, nextSort } from './columns';
import type { TableState } from './tableState';

const KEYBOARD_STEP_PX = 16;

export function TableHeader<Row>(props: { readonly columns: readonly Column<Row>[]; readonly state: TableState }) {
  const { columns, state } = props;
  const [reached, setReached] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const resize = (column: Column<Row>, width_px: number): void => {
    state.widths.value = { ...state.widths.value, [column.id]: chosenWidth(width_px) };
  };
  const reset = (column: Column<Row>): void => {
    state.widths.value = Object.fromEntries(Object.entries(state.widths.value).filter(([id]) => id !== column.id));
  };
  const cells = (): HTMLElement[] => [...(row.current?.querySelectorAll<HTMLElement>('[role=columnheader]') ?? [])];

  const onKeyDown = (event: KeyboardEvent, column: Column<Row>, position: number): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by !== undefined && event.altKey) {
      resize(column, (cells()[position]?.offsetWidth ?? column.width_px) + by * KEYBOARD_STEP_PX);
    } else if (by !== undefined) {
      const next = Math.min(Math.max(0, position + by), columns.length - 1);
      setReached(next);
      cells()[next]?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      state.sort.value = nextSort(state.sort.value, column);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="header" role="row" aria-rowindex={1} ref={row}>
      {columns.map((column, position) => {
        const isSorted = state.sort.value.column === column.id;
        const order = state.sort.value.descending ? 'descending' : 'ascending';
        return (
          <div
            key={column.id}
            role="columnheader"
            aria-colindex={position + 1}
            aria-sort={isSorted ? order : 'none'}
            class={column.align === 'end' ? 'cell end' : 'cell'}
            tabIndex={position === Math.min(reached, columns.length - 1) ? 0 : -1}
            title={[column.meaning ?? column.title, l10n.t('Enter sorts, Alt+←/→ resizes')].join('\n')}
            onFocus={() => setReached(position)}
            onKeyDown={(event) => onKeyDown(event, column, position)}
            onClick={() => (state.sort.value = nextSort(state.sort.value, column))}
          >
            <span class="title">{column.title}</span>
            {isSorted ? <Icon name={order === 'descending' ? 'arrow-small-down' : 'arrow-small-up'} /> : null}
            <Separator
              onDrag={(width_px) => resize(column, width_px)}
              onReset={() => reset(column)}
              widthOf={() => cells()[position]?.offsetWidth ?? column.width_px}
            />
          </div>
        );
      })}
    </div>
  );
}

function Separator(props: {
  readonly widthOf: () => number;
  readonly onDrag: (width_px: number) => void;
  readonly onReset: () => void;
}) {
  const drag = useDrag<number>({
    take: (event) => {
      event.preventDefault();
      return props.widthOf() - event.clientX;
    },
    move: (from_px, event) => props.onDrag(from_px + event.clientX),
  });
  return (
    <span
      class="separator"
      aria-hidden="true"
      {...drag}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => {
        event.stopPropagation();
        props.onReset();
      }}
    />
  );
}
