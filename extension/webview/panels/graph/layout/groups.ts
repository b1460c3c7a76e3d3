// The tree that opened groups and nodes make, in an order that does not depend on that of the request.

import type { LayoutGroup, LayoutNode, LayoutRequest } from './request';

/** A node, or a group with what is inside. */
export interface Item {
  readonly id: string;
  readonly order: number;
  readonly node: LayoutNode | null;
  readonly group: LayoutGroup | null;
  parent: Item | null;
  readonly members: Item[];
}

export interface Tree {
  readonly items: ReadonlyMap<string, Item>;
  /** What is in no group. */
  readonly top: readonly Item[];
}

/** Of several with one id the first in order counts. What is in a group that is not there, or in itself, is at the top. */
export function treeOf({ nodes, groups }: LayoutRequest): Tree {
  const all: Item[] = [
    ...groups.map((group) => ({ id: group.id, order: group.order, node: null, group, parent: null, members: [] })),
    ...nodes.map((node) => ({ id: node.id, order: node.order, node, group: null, parent: null, members: [] })),
  ];
  all.sort((one, other) => one.order - other.order || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
  const items = new Map<string, Item>();
  for (const item of all) {
    if (!items.has(item.id)) {
      items.set(item.id, item);
    }
  }
  const top: Item[] = [];
  for (const item of items.values()) {
    const above = items.get((item.group ?? item.node)?.group ?? '');
    const isInside = above !== undefined && above.group !== null && !chainOf(above).includes(item);
    item.parent = isInside ? above : null;
    (isInside ? above.members : top).push(item);
  }
  return { items, top };
}

/** An item and the groups that it is in, from the inside out. */
export function chainOf(item: Item): readonly Item[] {
  const chain: Item[] = [];
  for (let each: Item | null = item; each !== null; each = each.parent) {
    chain.push(each);
  }
  return chain;
}
