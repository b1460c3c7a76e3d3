// Where in its layer each item is: as near to those that it is linked with as the order and the others' widths allow.

import { at, eachOf, type Links } from './links';

const SWEEPS = 10;
/** How much more a link between two bends pulls: what goes through several layers should be straight. */
const STRAIGHT = 4;

export interface Placing {
  readonly layers: readonly (readonly number[])[];
  readonly up: Links;
  readonly down: Links;
  readonly widths_px: Float64Array;
  /** Items from this number on are bends of edges. */
  readonly firstBend: number;
  /** Between neighbours in a layer, and between bends. */
  readonly gap_px: number;
  readonly bendGap_px: number;
}

/** The middle of each item. */
export function middlesOf(placing: Placing): Float64Array {
  const { layers, up, down, widths_px } = placing;
  const middles = new Float64Array(widths_px.length);
  for (const layer of layers) {
    const wanted_px = layer.map(() => 0);
    put(placing, layer, wanted_px, middles);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const isLast = sweep >= SWEEPS - 2;
    for (const layer of isDown ? layers : layers.toReversed()) {
      const wanted_px = layer.map((item) => {
        const sides = isLast ? [up, down] : [isDown ? up : down];
        return pulled(placing, item, sides, middles);
      });
      put(placing, layer, wanted_px, middles);
    }
  }
  return middles;
}

/** Where an item's links pull it to; where it is, if it has none. */
function pulled({ firstBend }: Placing, item: number, sides: readonly Links[], middles: Float64Array): number {
  let sum = 0;
  let weights = 0;
  for (const links of sides) {
    eachOf(links, item, (other) => {
      const weight = item >= firstBend && other >= firstBend ? STRAIGHT : 1;
      sum += weight * at(middles, other);
      weights += weight;
    });
  }
  return weights === 0 ? at(middles, item) : sum / weights;
}

/**
 * Puts the items of a layer so that the sum of squares of what they are off is least: blocks of neighbours that press
 * against each other are moved as one.
 */
function put(placing: Placing, layer: readonly number[], wanted_px: readonly number[], middles: Float64Array): void {
  const { widths_px, firstBend, gap_px, bendGap_px } = placing;
  const offsets: number[] = [];
  layer.forEach((item, position) => {
    const before = layer[position - 1];
    if (before === undefined) {
      offsets.push(0);
      return;
    }
    const gap = item >= firstBend || before >= firstBend ? bendGap_px : gap_px;
    offsets.push((offsets[position - 1] ?? 0) + at(widths_px, before) / 2 + gap + at(widths_px, item) / 2);
  });
  const blocks: { sum: number; items: number }[] = [];
  layer.forEach((_, position) => {
    let block = { sum: (wanted_px[position] ?? 0) - (offsets[position] ?? 0), items: 1 };
    let before = blocks.at(-1);
    while (before !== undefined && before.sum / before.items > block.sum / block.items) {
      block = { sum: before.sum + block.sum, items: before.items + block.items };
      blocks.pop();
      before = blocks.at(-1);
    }
    blocks.push(block);
  });
  let position = 0;
  for (const { sum, items } of blocks) {
    for (let each = 0; each < items; each += 1) {
      middles[layer[position] ?? 0] = sum / items + (offsets[position] ?? 0);
      position += 1;
    }
  }
}
