// The parts of a layout: one for each opened group, and one for what is around them, with the ways that edges take there.

import { chainOf, type Item } from './groups';
import type { Level, LevelBox } from './layered';
import type { LayoutRequest } from './request';

/** Above the members of a group, and at its other sides. */
export const TITLE_PX = 28;
export const PADDING_PX = 12;

/** The ways of edges in one group, or at the top: between its members, and through its border. */
export interface Part {
  readonly boxes: LevelBox[];
  readonly from: number[];
  readonly to: number[];
  /** The number of a member, or of the place at the border where what a member gives or takes goes through. */
  readonly numbers: Map<string, number>;
  readonly edges: Map<string, number>;
  level: Level | null;
}

/** The parts by their group; null is the top. */
export type Parts = ReadonlyMap<Item | null, Part>;

/** An edge, with the groups that it is drawn through. */
export interface Way {
  /** Its place among the edges of the request. */
  readonly edge: number;
  readonly from: Item;
  readonly to: Item;
  /** What is around both, null at the top. */
  readonly around: Item | null;
  /** From `from` outwards, and from `to` outwards: up to the members of what is around both. */
  readonly out: readonly Item[];
  readonly into: readonly Item[];
}

/** Edges with two ends that are there, neither inside the other. */
export function waysOf({ edges }: LayoutRequest, itemOf: (id: string) => Item | undefined): readonly Way[] {
  return edges
    .map((each, edge) => ({ edge, from: itemOf(each.from), to: itemOf(each.to) }))
    .flatMap(({ edge, from, to }): Way[] => {
      if (from === undefined || to === undefined) {
        return [];
      }
      const [out, into] = [chainOf(from), chainOf(to)];
      if (out.includes(to) || into.includes(from)) {
        return [];
      }
      const around = out.find((each) => into.includes(each)) ?? null;
      const below = (chain: readonly Item[]): readonly Item[] =>
        around === null ? chain : chain.slice(0, chain.indexOf(around));
      return [{ edge, from, to, around, out: below(out), into: below(into) }];
    })
    .toSorted((one, other) => compared(one.from, other.from) || compared(one.to, other.to) || one.edge - other.edge);
}

const compared = (one: Item, other: Item): number =>
  one.order - other.order || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

export const memberKey = ({ id }: Item): string => `member ${id}`;
const outKey = ({ id }: Item): string => `out of ${id}`;
const intoKey = ({ id }: Item): string => `into ${id}`;

/** What a way is between in a group: two members, or a member and the border. */
export function endsIn(group: Item | null, { around, out, into }: Way): readonly [string, string] {
  const last = (chain: readonly Item[]): string => memberKey(chain.at(-1) as Item);
  if (group === around) {
    return [last(out), last(into)];
  }
  const isOut = out.includes(group as Item);
  const chain = isOut ? out : into;
  const member = chain[chain.indexOf(group as Item) - 1] as Item;
  return isOut ? [memberKey(member), outKey(member)] : [intoKey(member), memberKey(member)];
}

/** Enters an edge, once however many ways take it. */
export function connect(part: Part, start: string, end: string): void {
  const key = JSON.stringify([start, end]);
  if (part.edges.has(key)) {
    return;
  }
  part.edges.set(key, part.from.length);
  part.from.push(numberOf(part, start, 'top'));
  part.to.push(numberOf(part, end, 'bottom'));
}

/** The number of a member, or of a place at that border, which has none yet the first time. */
function numberOf(part: Part, key: string, border: 'top' | 'bottom'): number {
  const known = part.numbers.get(key);
  if (known !== undefined) {
    return known;
  }
  const number = part.boxes.length;
  part.numbers.set(key, number);
  part.boxes.push({
    width_px: 1,
    height_px: 0,
    closedWidth_px: 1,
    sinks: false,
    isFirst: false,
    border,
  });
  return number;
}
