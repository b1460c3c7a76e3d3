// Long edges in pieces: a bend in each layer that an edge goes through, so that it finds its way between the boxes.

import { at } from './links';
import type { Layering } from './layers';

/** Longer edges are drawn as two stubs. */
const LONGEST_SPAN = 8;
/** More bends than this make the picture neither clear nor quick: then shorter edges are stubs as well. */
const MOST_BENDS = 3000;

export interface Chains {
  /** Nodes and, after them, bends. */
  readonly items: number;
  readonly layerOf: Int32Array;
  /** Ends of the pieces, each from a layer to the next. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The first bend of each edge; bends of an edge follow one another. −1 for an edge that is not drawn through. */
  readonly firstBend: Int32Array;
}

/** Edges go from a layer to a lower one. */
export function chainsOf({ layer }: Layering, from: Int32Array, to: Int32Array): Chains {
  const count = layer.length;
  const longest = longestSpan(layer, from, to);
  const layerOf = Array.from(layer);
  const pieces: { readonly from: number; readonly to: number }[] = [];
  const firstBend = new Int32Array(from.length).fill(-1);
  for (let edge = 0; edge < from.length; edge += 1) {
    const [start, end] = [at(from, edge), at(to, edge)];
    if (spanOf(layer, start, end) > longest) {
      continue;
    }
    firstBend[edge] = layerOf.length;
    let before = start;
    for (let each = at(layer, start) + 1; each < at(layer, end); each += 1) {
      pieces.push({ from: before, to: layerOf.length });
      before = layerOf.length;
      layerOf.push(each);
    }
    pieces.push({ from: before, to: end });
  }
  return {
    items: Math.max(count, layerOf.length),
    layerOf: Int32Array.from(layerOf),
    from: Int32Array.from(pieces, (piece) => piece.from),
    to: Int32Array.from(pieces, (piece) => piece.to),
    firstBend,
  };
}

function longestSpan(layer: Int32Array, from: Int32Array, to: Int32Array): number {
  const bends = new Int32Array(LONGEST_SPAN + 1);
  for (let edge = 0; edge < from.length; edge += 1) {
    const span = spanOf(layer, at(from, edge), at(to, edge));
    if (span <= LONGEST_SPAN) {
      bends[span] = at(bends, span) + span - 1;
    }
  }
  let all = 0;
  for (let span = 2; span <= LONGEST_SPAN; span += 1) {
    all += at(bends, span);
    if (all > MOST_BENDS) {
      return span - 1;
    }
  }
  return LONGEST_SPAN;
}

const spanOf = (layer: Int32Array, start: number, end: number): number => at(layer, end) - at(layer, start);
