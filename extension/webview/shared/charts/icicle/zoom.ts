// What an icicle is zoomed to, and which of its nodes is selected: together with the table of the same tree.

import { usePage } from '../../page/page';
import { openRows, type TableState } from '../../table/tableState';
import { type Branch, commonAbove, pathTo } from '../../table/tree';

/** `whole` is what is drawn where nothing is zoomed to. */
export function useZoom<Node extends Branch<Node> & { readonly key: string }, Whole extends Node | undefined>(
  byKey: ReadonlyMap<string, Node>,
  whole: Whole,
  table: TableState,
) {
  const { saved } = usePage();
  const zoomed = saved.signal<string | null>('zoomed', null);
  const top = byKey.get(zoomed.value ?? '') ?? whole;
  return {
    top,
    selected: byKey.get(table.selected.value ?? '') ?? null,
    zoomTo: ({ key }: Node): void => {
      zoomed.value = key;
    },
    /** Selects a node, opens the table down to it, and zooms out as far as it takes to see it. */
    reveal: (node: Node): void => {
      const path = pathTo(node);
      openRows(
        table,
        path.slice(0, -1).map(({ key }) => key),
      );
      if (top !== undefined && !path.includes(top)) {
        zoomed.value = commonAbove<Node>(top, node)?.key ?? null;
      }
      table.selected.value = node.key;
    },
  };
}
