// The order of what is in each layer: sweeps that put each beside those that it is linked with, the best of them kept.

import { at, countOf, eachOf, type Links } from './links';

/** After so many sweeps hardly a crossing less is found. */
const SWEEPS = 12;

/** Layers from the top, each from the left. `layers` is an order to begin with, by which ties are decided. */
export function orderedLayers(layers: readonly (readonly number[])[], up: Links, down: Links): readonly number[][] {
  const place = new Int32Array(up.starts.length - 1);
  let present = layers.map((layer) => [...layer]);
  number(present, place);
  let best = present;
  let fewest = crossings(present, down, place);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    present = present.map((layer) => [...layer]);
    const inTurn = isDown ? present : present.toReversed();
    for (const layer of inTurn) {
      sortBy(layer, isDown ? up : down, place);
    }
    const found = crossings(present, down, place);
    if (found < fewest) {
      fewest = found;
      best = present;
    }
  }
  return best.map((layer) => [...layer]);
}

/** Sorts a layer by the mean place of what its members are linked with in the layer before; others stay where they are. */
function sortBy(layer: number[], links: Links, place: Int32Array): void {
  const linked = layer.filter((item) => countOf(links, item) > 0);
  const means = new Map(
    linked.map((item) => {
      let sum = 0;
      eachOf(links, item, (other) => (sum += at(place, other)));
      return [item, sum / countOf(links, item)];
    }),
  );
  linked.sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0) || at(place, one) - at(place, other));
  let next = 0;
  layer.forEach((item, position) => {
    if (means.has(item)) {
      layer[position] = linked[next] ?? item;
      next += 1;
    }
  });
  layer.forEach((item, position) => (place[item] = position));
}

function number(layers: readonly (readonly number[])[], place: Int32Array): void {
  for (const layer of layers) {
    layer.forEach((item, position) => (place[item] = position));
  }
}

/** How often links between neighbouring layers cross. */
export function crossings(layers: readonly (readonly number[])[], down: Links, place: Int32Array): number {
  let sum = 0;
  layers.forEach((layer, position) => {
    const below = layers[position + 1]?.length ?? 0;
    // Counts of the ends so far, added up by halves.
    const counts = new Int32Array(below + 1);
    let ends = 0;
    for (const item of layer) {
      const places: number[] = [];
      eachOf(down, item, (other) => places.push(at(place, other)));
      for (const end of places) {
        let notRight = 0;
        for (let index = end + 1; index > 0; index -= index & -index) {
          notRight += at(counts, index);
        }
        sum += ends - notRight;
      }
      for (const end of places) {
        for (let index = end + 1; index <= below; index += index & -index) {
          counts[index] = at(counts, index) + 1;
        }
        ends += 1;
      }
    }
  });
  return sum;
}
