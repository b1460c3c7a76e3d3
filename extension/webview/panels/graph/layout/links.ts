// A graph by numbers: neighbours of a node side by side in one typed array.

/** `neighbours[starts[node] … starts[node + 1]]` are the nodes at the other ends. */
export interface Links {
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
}

/** Links of so many nodes, from the ends of its edges, in the order of the edges. */
export function linksOf(count: number, from: Int32Array, to: Int32Array): Links {
  const starts = new Int32Array(count + 1);
  for (const node of from) {
    starts[node + 1] = at(starts, node + 1) + 1;
  }
  for (let node = 0; node < count; node += 1) {
    starts[node + 1] = at(starts, node + 1) + at(starts, node);
  }
  const next = starts.slice();
  const neighbours = new Int32Array(from.length);
  for (let edge = 0; edge < from.length; edge += 1) {
    const node = at(from, edge);
    const place = at(next, node);
    neighbours[place] = at(to, edge);
    next[node] = place + 1;
  }
  return { starts, neighbours };
}

/** Calls with each neighbour of a node. */
export function eachOf({ starts, neighbours }: Links, node: number, call: (neighbour: number) => void): void {
  for (let place = at(starts, node); place < at(starts, node + 1); place += 1) {
    call(at(neighbours, place));
  }
}

/** How many neighbours a node has. */
export function countOf({ starts }: Links, node: number): number {
  return at(starts, node + 1) - at(starts, node);
}

/** An element that is there: indices of these arrays are made by counting them. */
export function at(numbers: Int32Array | Float64Array, place: number): number {
  return numbers[place] ?? 0;
}
