// One level of a layout: boxes in layers, each below all that it uses, and the ways of the edges between them.

import { chainsOf, type Chains } from './chains';
import { turnedEdges } from './directions';
import { type Layering, layersOf } from './layers';
import { at, linksOf } from './links';
import { orderedLayers } from './ordering';
import { middlesOf } from './placing';

export const GAP_PX = 24;
export const LAYER_GAP_PX = 36;
const BEND_GAP_PX = 10;
/** A picture is about so many times as wide as it is high. */
const WIDTH_TO_HEIGHT = 1.7;
const NARROWEST_PX = 900;
const USUAL_HEIGHT_PX = 44;
/** Between the border of a group and what is inside. */
const BORDER_GAP_PX = 16;

export interface LevelBox {
  readonly width_px: number;
  readonly height_px: number;
  /** The width of an opened group while it is closed: in which layer a box is does not depend on what is open. */
  readonly closedWidth_px: number;
  readonly sinks: boolean;
  /** Hands out what the others begin with, and takes what they end with: edges into it go back. */
  readonly isFirst: boolean;
  /** At the border of the group that the level is in: above all others, or below them. */
  readonly border?: 'top' | 'bottom';
}

/** Ends are numbers of boxes, which are in their order. No edge has both ends at one box, and none is there twice. */
export interface LevelEdges {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

export interface Level {
  /** The middle of each box across, and its top. */
  readonly middles_px: Float64Array;
  readonly tops_px: Float64Array;
  readonly left_px: number;
  readonly width_px: number;
  readonly height_px: number;
  /** What each edge goes through between its ends, x and y in turn, from `from` to `to`. */
  readonly bends_px: readonly (readonly number[])[];
  readonly isStub: Uint8Array;
  readonly isTurned: Uint8Array;
}

export function layeredLevel(boxes: readonly LevelBox[], edges: LevelEdges): Level {
  const isTurned = turnedEdges(
    boxes.length,
    edges.from,
    edges.to,
    Uint8Array.from(boxes, ({ isFirst }) => (isFirst ? 1 : 0)),
  );
  const from = edges.from.map((end, edge) => (isTurned[edge] === 1 ? at(edges.to, edge) : end));
  const to = edges.to.map((end, edge) => (isTurned[edge] === 1 ? at(edges.from, edge) : end));
  const layering = atBorders(
    layersOf(
      linksOf(boxes.length, from, to),
      linksOf(boxes.length, to, from),
      Float64Array.from(boxes, ({ closedWidth_px }) => closedWidth_px + GAP_PX),
      Uint8Array.from(boxes, ({ sinks }) => (sinks ? 1 : 0)),
      widestLayer(boxes),
    ),
    boxes,
  );
  const chains = chainsOf(layering, from, to);
  const up = linksOf(chains.items, chains.to, chains.from);
  const down = linksOf(chains.items, chains.from, chains.to);
  const layers = orderedLayers(begun(chains, layering.layers, boxes.length), up, down);
  const widths_px = new Float64Array(chains.items);
  boxes.forEach(({ width_px }, box) => (widths_px[box] = width_px));
  const middles = middlesOf({
    layers,
    up,
    down,
    widths_px,
    firstBend: boxes.length,
    gap_px: GAP_PX,
    bendGap_px: BEND_GAP_PX,
  });
  const { starts_px, heights_px } = heightsOf(layers, boxes);
  const height_px = (starts_px.at(-1) ?? 0) + (heights_px.at(-1) ?? 0);
  const tops_px = Float64Array.from(boxes, ({ height_px: high }, box) => {
    const layer = at(chains.layerOf, box);
    return at(starts_px, layer) + (at(heights_px, layer) - high) / 2;
  });
  let [left_px, right_px] = [Infinity, -Infinity];
  for (let item = 0; item < chains.items; item += 1) {
    left_px = Math.min(left_px, at(middles, item) - at(widths_px, item) / 2);
    right_px = Math.max(right_px, at(middles, item) + at(widths_px, item) / 2);
  }
  return {
    middles_px: middles.slice(0, boxes.length),
    tops_px,
    left_px: Number.isFinite(left_px) ? left_px : 0,
    width_px: Math.max(0, right_px - left_px),
    height_px,
    bends_px: Array.from(from, (start, edge) => {
      const points = bendsOf(
        chains,
        edge,
        at(layering.layer, to[edge] ?? 0) - at(layering.layer, start) - 1,
        (bend) => [
          at(middles, bend),
          at(starts_px, at(chains.layerOf, bend)),
          at(starts_px, at(chains.layerOf, bend)) + at(heights_px, at(chains.layerOf, bend)),
        ],
      );
      return isTurned[edge] === 1 ? turnedRound(points) : points;
    }),
    isStub: Uint8Array.from(from, (_, edge) => (at(chains.firstBend, edge) < 0 ? 1 : 0)),
    isTurned,
  };
}

/** Layers wider than this are split, so that many that use nothing are a block, not a line. */
function widestLayer(boxes: readonly LevelBox[]): number {
  let area_px2 = 0;
  let widest_px = NARROWEST_PX;
  for (const { closedWidth_px } of boxes) {
    area_px2 += (closedWidth_px + GAP_PX) * (USUAL_HEIGHT_PX + LAYER_GAP_PX);
    widest_px = Math.max(widest_px, closedWidth_px + GAP_PX);
  }
  return Math.max(widest_px, Math.sqrt(area_px2 * WIDTH_TO_HEIGHT));
}

/** What is at the top border is in a layer of its own above all others, what is at the bottom below. */
function atBorders({ layer, layers }: Layering, boxes: readonly LevelBox[]): Layering {
  const inner = layer.filter((_, box) => boxes[box]?.border === undefined);
  const first = inner.reduce((least, each) => Math.min(least, each), layers);
  const last = inner.reduce((most, each) => Math.max(most, each), first);
  const above = boxes.some(({ border }) => border === 'top') ? 1 : 0;
  const below = boxes.some(({ border }) => border === 'bottom') ? 1 : 0;
  const lowest = last - first + 1 + above;
  return {
    layer: layer.map((each, box) => {
      const border = boxes[box]?.border;
      return border === 'top' ? 0 : border === 'bottom' ? lowest : each - first + above;
    }),
    layers: lowest + below,
  };
}

/** The order to begin with: boxes in their own, each bend where its edge begins. */
function begun(chains: Chains, count: number, boxes: number): readonly number[][] {
  const layers = Array.from({ length: count }, (): number[] => []);
  for (let item = 0; item < boxes; item += 1) {
    layers[at(chains.layerOf, item)]?.push(item);
  }
  for (let item = boxes; item < chains.items; item += 1) {
    layers[at(chains.layerOf, item)]?.push(item);
  }
  return layers;
}

function heightsOf(
  layers: readonly (readonly number[])[],
  boxes: readonly LevelBox[],
): { readonly starts_px: Float64Array; readonly heights_px: Float64Array } {
  const heights_px = Float64Array.from(layers, (layer) =>
    layer.reduce((most_px, item) => Math.max(most_px, boxes[item]?.height_px ?? 0), 0),
  );
  const starts_px = new Float64Array(layers.length);
  const isBorder = (layer: number): boolean => boxes[layers[layer]?.[0] ?? -1]?.border !== undefined;
  let next_px = 0;
  heights_px.forEach((height_px, layer) => {
    starts_px[layer] = next_px;
    next_px += height_px + (isBorder(layer) || isBorder(layer + 1) ? BORDER_GAP_PX : LAYER_GAP_PX);
  });
  return { starts_px, heights_px };
}

function bendsOf(
  chains: Chains,
  edge: number,
  count: number,
  placeOf: (bend: number) => readonly [x_px: number, top_px: number, bottom_px: number],
): readonly number[] {
  const first = at(chains.firstBend, edge);
  return first < 0
    ? []
    : Array.from({ length: count }, (_, position) => {
        const [x_px, top_px, bottom_px] = placeOf(first + position);
        return [x_px, top_px, x_px, bottom_px];
      }).flat();
}

/** Places in the opposite order. */
export function turnedRound(points_px: readonly number[]): number[] {
  const turned: number[] = [];
  for (let place = points_px.length - 2; place >= 0; place -= 2) {
    turned.push(points_px[place] ?? 0, points_px[place + 1] ?? 0);
  }
  return turned;
}
