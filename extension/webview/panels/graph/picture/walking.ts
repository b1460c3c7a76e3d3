// Where arrow keys lead: along edges up and down, to the next box of the layer to the sides.

import type { LayoutBox } from '../layout/request';
import { consumersOf, type GraphModel, producersOf } from '../model/model';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The key of the node to go to: down from an opened one into it, up again out of it; null where there is none. */
export function nextNode(
  model: GraphModel,
  boxes: ReadonlyMap<string, LayoutBox>,
  from: string,
  direction: Direction,
): string | null {
  const start = boxes.get(from);
  if (start === undefined) {
    return null;
  }
  if (direction === 'down' && model.groups.has(from)) {
    const first = firstIn(model, boxes, from);
    if (first !== null) {
      return first.id;
    }
  }
  return besides(model, boxes, start, direction) ?? outOf(model, boxes, from, direction);
}

/** The uppermost box in an opened node, of those beside each other the first. */
function firstIn(model: GraphModel, boxes: ReadonlyMap<string, LayoutBox>, group: string): LayoutBox | null {
  const inside = [...boxes.values()].filter(({ id }) => parentOf(model, id) === group);
  return inside.toSorted((one, other) => one.top_px - other.top_px || one.left_px - other.left_px)[0] ?? null;
}

/** From the last node within an opened one to what is below that, from the first to the opened one itself. */
function outOf(
  model: GraphModel,
  boxes: ReadonlyMap<string, LayoutBox>,
  from: string,
  direction: Direction,
): string | null {
  const group = parentOf(model, from);
  const around = group === null ? undefined : boxes.get(group);
  if (around === undefined || direction === 'left' || direction === 'right') {
    return null;
  }
  return direction === 'up'
    ? around.id
    : (besides(model, boxes, around, direction) ?? outOf(model, boxes, around.id, direction));
}

function besides(
  model: GraphModel,
  boxes: ReadonlyMap<string, LayoutBox>,
  start: LayoutBox,
  direction: Direction,
): string | null {
  const from = start.id;
  const isAcross = direction === 'left' || direction === 'right';
  if (!isAcross) {
    const linked = (direction === 'up' ? producersOf : consumersOf)(model, from).flatMap(({ key }) => {
      const box = boxes.get(key);
      return box === undefined || !isTowards(start, box, direction) ? [] : [box];
    });
    const along = nearest(start, linked, isAcross);
    if (along !== null) {
      return along.id;
    }
  }
  const group = parentOf(model, from);
  const others = [...boxes.values()].filter(
    (box) => box.id !== from && parentOf(model, box.id) === group && isTowards(start, box, direction),
  );
  const sameLayer = isAcross ? others.filter((box) => isBeside(start, box)) : others;
  return nearest(start, sameLayer.length > 0 ? sameLayer : others, isAcross)?.id ?? null;
}

function parentOf(model: GraphModel, key: string): string | null {
  const parent = model.byKey.get(key)?.parent ?? null;
  return parent !== null && model.groups.has(parent) ? parent : null;
}

const middleX = ({ left_px, width_px }: LayoutBox): number => left_px + width_px / 2;
const middleY = ({ top_px, height_px }: LayoutBox): number => top_px + height_px / 2;

function isBeside(one: LayoutBox, other: LayoutBox): boolean {
  return one.top_px < other.top_px + other.height_px && other.top_px < one.top_px + one.height_px;
}

function isTowards(from: LayoutBox, to: LayoutBox, direction: Direction): boolean {
  switch (direction) {
    case 'up':
      return middleY(to) < middleY(from);
    case 'down':
      return middleY(to) > middleY(from);
    case 'left':
      return middleX(to) < middleX(from);
    case 'right':
      return middleX(to) > middleX(from);
  }
}

/** The nearest box: first in the direction of the key, what is aside counts double. */
function nearest(from: LayoutBox, boxes: readonly LayoutBox[], isAcross: boolean): LayoutBox | null {
  const distance = (box: LayoutBox): number => {
    const across_px = Math.abs(middleX(box) - middleX(from));
    const along_px = Math.abs(middleY(box) - middleY(from));
    return isAcross ? across_px + 2 * along_px : along_px + 2 * across_px;
  };
  return boxes.reduce<LayoutBox | null>(
    (best, box) => (best === null || distance(box) < distance(best) ? box : best),
    null,
  );
}
