// The ways of edges over the whole picture: from box to box, through the borders of groups and between other boxes.

import type { Item } from './groups';
import type { Level } from './layered';
import { at } from './links';
import { endsIn, type Parts, TITLE_PX, type Way } from './parts';
import type { LayoutBox, LayoutRoute } from './request';

/** Between the ends of edges at one side of a box. */
const END_GAP_PX = 14;
const END_MARGIN_PX = 16;

interface Routed {
  readonly way: Way;
  readonly isStub: boolean;
  readonly isBack: boolean;
  /** What it goes through between its ends. */
  readonly through_px: readonly number[];
}

export function routesOf(
  ways: readonly Way[],
  parts: Parts,
  boxes: ReadonlyMap<Item, LayoutBox>,
): readonly LayoutRoute[] {
  const routed = ways.map((way): Routed => {
    const across = partEdge(parts, way.around, way);
    const isBack = across !== null && across.level.isTurned[across.edge] === 1;
    // What is too long within a group that it goes out of is as well.
    const isStub = [way.around, ...way.out.slice(1), ...way.into.slice(1)].some((group) => {
      const found = partEdge(parts, group, way);
      return found !== null && found.level.isStub[found.edge] === 1;
    });
    const bends = (group: Item | null): readonly number[] => {
      const found = partEdge(parts, group, way);
      return found === null ? [] : moved(found.level, found.level.bends_px[found.edge] ?? [], group, boxes);
    };
    const outwards = isBack
      ? []
      : way.out.slice(1).flatMap((group) => [...bends(group), ...borderPlace(parts, group, way, boxes)]);
    const inwards = isBack
      ? []
      : way.into
          .slice(1)
          .toReversed()
          .flatMap((group) => [...borderPlace(parts, group, way, boxes), ...bends(group)]);
    return { way, isStub, isBack, through_px: [...outwards, ...bends(way.around), ...inwards] };
  });
  const starts = endsAlong(routed, boxes, true);
  const ends = endsAlong(routed, boxes, false);
  return routed.map(({ way, isStub, isBack, through_px }, position): LayoutRoute => {
    const [start, end] = [starts[position] ?? [0, 0], ends[position] ?? [0, 0]];
    const points_px = isStub ? [...start, ...end] : [...start, ...through_px, ...end];
    return { edge: way.edge, points_px, isStub, isBack };
  });
}

/** The edge that a way is in the layout of a group. */
function partEdge(parts: Parts, group: Item | null, way: Way): { readonly level: Level; readonly edge: number } | null {
  const part = parts.get(group);
  const edge = part?.edges.get(JSON.stringify(endsIn(group, way)));
  const level = part?.level ?? null;
  return level === null || edge === undefined ? null : { level, edge };
}

/** Where a way goes through the border of a group. */
function borderPlace(parts: Parts, group: Item, way: Way, boxes: ReadonlyMap<Item, LayoutBox>): readonly number[] {
  const part = parts.get(group);
  const box = boxes.get(group);
  const ends = endsIn(group, way);
  const isOut = way.out.includes(group);
  const number = part?.numbers.get(ends[isOut ? 1 : 0]);
  const level = part?.level ?? null;
  if (level === null || box === undefined || number === undefined) {
    return [];
  }
  const [x_px] = moved(level, [at(level.middles_px, number), 0], group, boxes);
  const y_px = isOut ? box.top_px + box.height_px : box.top_px;
  // Under the title it is drawn on as a straight line.
  return isOut ? [x_px ?? 0, y_px] : [x_px ?? 0, y_px, x_px ?? 0, y_px + TITLE_PX];
}

/** Places of a group's own layout, in the whole. */
function moved(
  level: Level,
  points_px: readonly number[],
  group: Item | null,
  boxes: ReadonlyMap<Item, LayoutBox>,
): readonly number[] {
  const box = group === null ? undefined : boxes.get(group);
  const left_px = (box === undefined ? 0 : box.left_px + (box.width_px - level.width_px) / 2) - level.left_px;
  const top_px = box === undefined ? 0 : box.top_px + TITLE_PX;
  return points_px.map((each, place) => each + (place % 2 === 0 ? left_px : top_px));
}

/** Where each edge begins, or ends: side by side along a side of its box, in the order of where they go to. */
function endsAlong(
  routed: readonly Routed[],
  boxes: ReadonlyMap<Item, LayoutBox>,
  isStart: boolean,
): readonly (readonly [number, number])[] {
  const found: [number, number][] = routed.map(() => [0, 0]);
  const bySide = new Map<string, number[]>();
  const itemOf = ({ way, isBack }: Routed): Item =>
    isBack ? ((isStart ? way.out : way.into).at(-1) as Item) : isStart ? way.from : way.to;
  routed.forEach((each, position) => {
    // What goes against the others leaves at the top and comes in at the bottom.
    const key = JSON.stringify([itemOf(each).id, isStart !== each.isBack]);
    const known = bySide.get(key);
    if (known === undefined) {
      bySide.set(key, [position]);
    } else {
      known.push(position);
    }
  });
  const middle = (item: Item): number => {
    const box = boxes.get(item);
    return box === undefined ? 0 : box.left_px + box.width_px / 2;
  };
  for (const positions of bySide.values()) {
    const goal = (position: number): number => {
      const each = routed[position];
      if (each === undefined) {
        return 0;
      }
      const through = isStart ? each.through_px[0] : each.through_px.at(-2);
      return through ?? middle(isStart ? each.way.to : each.way.from);
    };
    const sorted = positions.toSorted((one, other) => goal(one) - goal(other) || one - other);
    sorted.forEach((position, rank) => {
      const each = routed[position];
      const box = each === undefined ? undefined : boxes.get(itemOf(each));
      if (each === undefined || box === undefined) {
        return;
      }
      const room_px = Math.max(0, box.width_px - 2 * END_MARGIN_PX);
      const step_px = sorted.length < 2 ? 0 : Math.min(END_GAP_PX, room_px / (sorted.length - 1));
      const x_px = box.left_px + box.width_px / 2 + (rank - (sorted.length - 1) / 2) * step_px;
      found[position] = [x_px, isStart !== each.isBack ? box.top_px + box.height_px : box.top_px];
    });
  }
  return found;
}
