// How a person arranged a table: kept over reloads, and when its rows are fetched anew.

import type { Signal } from '@preact/signals';
import type { SavedState } from '../page/state';
import type { Sort } from './columns';

export interface TableState {
  readonly sort: Signal<Sort>;
  readonly widths: Signal<Readonly<Record<string, number>>>;
  readonly expanded: Signal<readonly string[]>;
  /** The key of the row that is selected. */
  readonly selected: Signal<string | null>;
  readonly scroll_px: Signal<number>;
}

/** The state of a page's table of that name; `expanded` are the rows that are open until a person closes them. */
export function tableState(saved: SavedState, name: string, sort: Sort, expanded: readonly string[] = []): TableState {
  return {
    sort: saved.signal(`${name}.sort`, sort),
    widths: saved.signal<Readonly<Record<string, number>>>(`${name}.widths`, {}),
    expanded: saved.signal(`${name}.expanded`, expanded),
    selected: saved.signal<string | null>(`${name}.selected`, null),
    scroll_px: saved.signal(`${name}.scroll_px`, 0),
  };
}

/** Opens rows that are closed. */
export function openRows({ expanded }: TableState, keys: readonly string[]): void {
  const closed = keys.filter((key) => !expanded.value.includes(key));
  if (closed.length > 0) {
    expanded.value = [...expanded.value, ...closed];
  }
}
