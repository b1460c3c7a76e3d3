// Which layer each node is in: below all that it uses, and no layer much wider than the picture should be.

import { at, countOf, eachOf, type Links } from './links';

export interface Layering {
  /** The layer of each node, counted from the top. */
  readonly layer: Int32Array;
  readonly layers: number;
}

/**
 * `down` has no cycle, and `up` is the same the other way. Of what is ready to be placed the nodes with the longest way
 * down come first; `sinks` marks those that are placed just above the first that uses them.
 */
export function layersOf(
  down: Links,
  up: Links,
  widths_px: Float64Array,
  sinks: Uint8Array,
  widest_px: number,
): Layering {
  const count = widths_px.length;
  const isSunk = (node: number): boolean => sinks[node] === 1 && countOf(up, node) === 0 && countOf(down, node) > 0;
  const sorted = fromTheTop(down, up);
  const depth = new Int32Array(count);
  for (const node of sorted.toReversed()) {
    eachOf(down, node, (next) => {
      depth[node] = Math.max(at(depth, node), at(depth, next) + 1);
    });
  }
  const rank = new Int32Array(count);
  sorted.forEach((node, position) => (rank[node] = position));
  const layer = new Int32Array(count);
  const waiting = new Int32Array(count);
  for (let node = 0; node < count; node += 1) {
    eachOf(up, node, (before) => {
      waiting[node] = at(waiting, node) + (isSunk(before) ? 0 : 1);
    });
  }
  let ready = Array.from({ length: count }, (_, node) => node).filter(
    (node) => !isSunk(node) && at(waiting, node) === 0,
  );
  let layers = 0;
  while (ready.length > 0) {
    ready.sort((one, other) => at(depth, other) - at(depth, one) || at(rank, one) - at(rank, other));
    let width_px = 0;
    const placed: number[] = [];
    const later: number[] = [];
    for (const node of ready) {
      if (placed.length === 0 || width_px + at(widths_px, node) <= widest_px) {
        width_px += at(widths_px, node);
        layer[node] = layers;
        placed.push(node);
      } else {
        later.push(node);
      }
    }
    for (const node of placed) {
      eachOf(down, node, (next) => {
        waiting[next] = at(waiting, next) - 1;
        if (at(waiting, next) === 0) {
          later.push(next);
        }
      });
    }
    ready = later;
    layers += 1;
  }
  return sink({ layer, layers }, down, isSunk);
}

/** Nodes so that each comes after all that it uses, in their own order where that leaves a choice. */
function fromTheTop(down: Links, up: Links): number[] {
  const count = down.starts.length - 1;
  const waiting = Int32Array.from({ length: count }, (_, node) => countOf(up, node));
  const sorted = Array.from({ length: count }, (_, node) => node).filter((node) => at(waiting, node) === 0);
  for (let position = 0; position < sorted.length; position += 1) {
    eachOf(down, sorted[position] ?? 0, (next) => {
      waiting[next] = at(waiting, next) - 1;
      if (at(waiting, next) === 0) {
        sorted.push(next);
      }
    });
  }
  return sorted;
}

function sink({ layer, layers }: Layering, down: Links, isSunk: (node: number) => boolean): Layering {
  let highest = 0;
  for (let node = 0; node < layer.length; node += 1) {
    if (isSunk(node)) {
      let first = layers;
      eachOf(down, node, (next) => {
        first = Math.min(first, at(layer, next));
      });
      layer[node] = first - 1;
      highest = Math.min(highest, first - 1);
    }
  }
  return { layer: layer.map((each) => each - highest), layers: layers - highest };
}
