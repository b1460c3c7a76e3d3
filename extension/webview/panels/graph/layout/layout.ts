// The layout of a graph with opened groups: each group is laid out by itself and is then one box among those around it,
// so that opening one moves the others only as far as it grows. The same request has the same answer, in whatever order.

import { chainOf, type Item, treeOf } from './groups';
import { type Level, layeredLevel } from './layered';
import { at } from './links';
import { connect, endsIn, memberKey, PADDING_PX, type Part, type Parts, TITLE_PX, type Way, waysOf } from './parts';
import type { Layout, LayoutBox, LayoutRequest } from './request';
import { routesOf } from './routes';

export function layoutOf(request: LayoutRequest): Layout {
  const tree = treeOf(request);
  const ways = waysOf(request, (id) => tree.items.get(id));
  const parts = new Map<Item | null, Part>();
  const partOf = (group: Item | null): Part => {
    const known = parts.get(group);
    if (known !== undefined) {
      return known;
    }
    const made: Part = { boxes: [], from: [], to: [], numbers: new Map(), edges: new Map(), level: null };
    parts.set(group, made);
    return made;
  };
  const sizes = new Map<Item, { readonly width_px: number; readonly height_px: number }>();
  const groups = [...tree.items.values()].filter(({ group }) => group !== null);
  const waysIn = new Map<Item | null, Way[]>();
  for (const way of ways) {
    for (const group of [way.around, ...way.out.slice(1), ...way.into.slice(1)]) {
      const known = waysIn.get(group);
      if (known === undefined) {
        waysIn.set(group, [way]);
      } else {
        known.push(way);
      }
    }
  }
  const measure = (group: Item | null, members: readonly Item[]): Level => {
    const part = partOf(group);
    members.forEach((member) => {
      const { width_px, height_px } = sizes.get(member) ?? { width_px: 0, height_px: 0 };
      part.numbers.set(memberKey(member), part.boxes.length);
      const closedWidth_px = member.group?.title_width_px ?? width_px;
      part.boxes.push({
        width_px,
        height_px,
        closedWidth_px,
        sinks: member.node?.sinks ?? false,
        isFirst: member.node?.isFirst ?? false,
      });
    });
    for (const way of waysIn.get(group) ?? []) {
      const [start, end] = endsIn(group, way);
      connect(part, start, end);
    }
    const level = layeredLevel(part.boxes, { from: Int32Array.from(part.from), to: Int32Array.from(part.to) });
    part.level = level;
    return level;
  };
  for (const item of tree.items.values()) {
    if (item.node !== null) {
      sizes.set(item, item.node);
    }
  }
  // From the inside out: a group's size is known before what is around it is laid out.
  for (const group of groups.toSorted((one, other) => chainOf(other).length - chainOf(one).length)) {
    const level = measure(group, group.members);
    sizes.set(group, {
      width_px: Math.max(group.group?.title_width_px ?? 0, level.width_px + 2 * PADDING_PX),
      height_px: TITLE_PX + level.height_px + PADDING_PX,
    });
  }
  const whole = measure(null, tree.top);
  const boxes = placed(tree.top, whole, parts, sizes);
  return {
    nodes: [...boxes].filter(([item]) => item.node !== null).map(([, box]) => box),
    groups: [...boxes].filter(([item]) => item.group !== null).map(([, box]) => box),
    routes: routesOf(ways, parts, boxes),
    width_px: whole.width_px,
    height_px: whole.height_px,
  };
}

/** Where everything is, outer groups before what is inside. */
function placed(
  top: readonly Item[],
  whole: Level,
  parts: Parts,
  sizes: ReadonlyMap<Item, { readonly width_px: number; readonly height_px: number }>,
): ReadonlyMap<Item, LayoutBox> {
  const boxes = new Map<Item, LayoutBox>();
  const put = (members: readonly Item[], level: Level, left_px: number, top_px: number): void => {
    members.forEach((member, number) => {
      const { width_px, height_px } = sizes.get(member) ?? { width_px: 0, height_px: 0 };
      const box: LayoutBox = {
        id: member.id,
        left_px: left_px + at(level.middles_px, number) - level.left_px - width_px / 2,
        top_px: top_px + at(level.tops_px, number),
        width_px,
        height_px,
      };
      boxes.set(member, box);
      const inner = parts.get(member)?.level ?? null;
      if (inner !== null) {
        put(member.members, inner, box.left_px + (width_px - inner.width_px) / 2, box.top_px + TITLE_PX);
      }
    });
  };
  put(top, whole, 0, 0);
  return boxes;
}
