// What a key means on a row of a table, as in VS Code's own lists and trees.

import type { ShownRow } from './rows';

export type KeyAction =
  | { readonly kind: 'select'; readonly at: number }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'open' }
  | { readonly kind: 'copy' }
  | { readonly kind: 'menu' };

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** The action of a key on the row `at`; null where the key is not the table's. */
export function keyAction<Row>(
  event: Key,
  at: number,
  shown: ArrayLike<ShownRow<Row> | undefined>,
  rowsPerPage: number,
): KeyAction | null {
  const select = (to: number): KeyAction => ({ kind: 'select', at: Math.min(Math.max(0, to), shown.length - 1) });
  if (event.ctrlKey || event.metaKey) {
    // With Caps Lock the key is C.
    return event.key.toLowerCase() === 'c' && !event.shiftKey && !event.altKey ? { kind: 'copy' } : null;
  }
  if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
    return { kind: 'menu' };
  }
  if (event.shiftKey || event.altKey) {
    return null;
  }
  const openOrToggle = { kind: shown[at]?.expandable === true ? 'toggle' : 'open' } as const;
  const actions: Readonly<Record<string, KeyAction | null>> = {
    ArrowDown: select(at + 1),
    ArrowUp: select(at - 1),
    Home: select(0),
    End: select(shown.length - 1),
    PageDown: select(at + rowsPerPage),
    PageUp: select(at - rowsPerPage),
    Enter: { kind: 'open' },
    ' ': openOrToggle,
    ArrowRight: into(at, shown),
    ArrowLeft: outOf(at, shown),
  };
  return actions[event.key] ?? null;
}

function into<Row>(at: number, shown: ArrayLike<ShownRow<Row> | undefined>): KeyAction | null {
  const row = shown[at];
  if (row?.expandable !== true) {
    return null;
  }
  return row.expanded ? { kind: 'select', at: at + 1 } : { kind: 'toggle' };
}

function outOf<Row>(at: number, shown: ArrayLike<ShownRow<Row> | undefined>): KeyAction | null {
  const row = shown[at];
  if (row?.expanded === true) {
    return { kind: 'toggle' };
  }
  for (let above = at - 1; above >= 0 && row !== undefined && row.parentKey !== null; above -= 1) {
    if (shown[above]?.key === row.parentKey) {
      return { kind: 'select', at: above };
    }
  }
  return null;
}
