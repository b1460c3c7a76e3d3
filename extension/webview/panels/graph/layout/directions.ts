// Which edges are turned round so that no cycle is left: few of them, and those that go back in the order of the program.

import { at, countOf, eachOf, type Links, linksOf } from './links';

/**
 * For each edge whether it is to be turned. Nodes are numbered in their order. What all edges into are turned is
 * `first`: it hands out what the others begin with, and takes what they end with. No edge is turned that is in no cycle.
 */
export function turnedEdges(count: number, from: Int32Array, to: Int32Array, first: Uint8Array): Uint8Array {
  const turned = Uint8Array.from(to, (end) => first[end] ?? 0);
  const some = (edges: readonly number[], ends: Int32Array): Int32Array =>
    Int32Array.from(edges, (edge) => at(ends, edge));
  const others = [...from.keys()].filter((edge) => turned[edge] === 0);
  const part = cyclesOf(count, linksOf(count, some(others, from), some(others, to)));
  const inCycles = others.filter((edge) => at(part, at(from, edge)) === at(part, at(to, edge)));
  if (inCycles.length > 0) {
    const line = lineOf(count, some(inCycles, from), some(inCycles, to));
    for (const edge of inCycles) {
      turned[edge] = at(line, at(from, edge)) > at(line, at(to, edge)) ? 1 : 0;
    }
  }
  return turned;
}

/**
 * The place of each node in a line that goes with most edges, made from its two ends: what no edge is left into comes
 * next, what none is left out of comes last; of a cycle the node with the most more out than in (Eades, Lin and Smyth).
 */
function lineOf(count: number, from: Int32Array, to: Int32Array): Int32Array {
  const [down, up] = [linksOf(count, from, to), linksOf(count, to, from)];
  const out = new Int32Array(count);
  const into = new Int32Array(count);
  for (let edge = 0; edge < from.length; edge += 1) {
    out[at(from, edge)] = at(out, at(from, edge)) + 1;
    into[at(to, edge)] = at(into, at(to, edge)) + 1;
  }
  const place = new Int32Array(count);
  const left = new Set(Array.from({ length: count }, (_, node) => node));
  let [begin, end] = [0, count - 1];
  const take = (node: number, at_: number): void => {
    place[node] = at_;
    left.delete(node);
    lessen(into, down, node);
    lessen(out, up, node);
  };
  while (left.size > 0) {
    const isSource = [...left].filter((node) => at(into, node) === 0);
    const isSink = isSource.length > 0 ? [] : [...left].filter((node) => at(out, node) === 0);
    if (isSource.length > 0) {
      isSource.forEach((node) => take(node, begin++));
    } else if (isSink.length > 0) {
      isSink.toReversed().forEach((node) => take(node, end--));
    } else {
      let best = -1;
      for (const node of left) {
        if (best < 0 || at(out, node) - at(into, node) > at(out, best) - at(into, best)) {
          best = node;
        }
      }
      take(best, begin++);
    }
  }
  return place;
}

function lessen(counts: Int32Array, links: Links, node: number): void {
  eachOf(links, node, (other) => {
    counts[other] = at(counts, other) - 1;
  });
}

/** The strongly connected part that each node is in, by Tarjan's algorithm without recursion. */
function cyclesOf(count: number, links: Links): Int32Array {
  const part = new Int32Array(count).fill(-1);
  const seen = new Int32Array(count).fill(-1);
  const lowest = new Int32Array(count);
  const done = new Int32Array(count);
  const open: number[] = [];
  let clock = 0;
  let parts = 0;
  for (let root = 0; root < count; root += 1) {
    if (at(seen, root) >= 0) {
      continue;
    }
    const path = [root];
    while (path.length > 0) {
      const node = path.at(-1) ?? 0;
      if (at(seen, node) < 0) {
        seen[node] = lowest[node] = clock;
        clock += 1;
        open.push(node);
      }
      if (at(done, node) < countOf(links, node)) {
        const next = at(links.neighbours, at(links.starts, node) + at(done, node));
        done[node] = at(done, node) + 1;
        if (at(seen, next) < 0) {
          path.push(next);
        } else if (at(part, next) < 0) {
          lowest[node] = Math.min(at(lowest, node), at(seen, next));
        }
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) {
        lowest[above] = Math.min(at(lowest, above), at(lowest, node));
      }
      if (at(lowest, node) === at(seen, node)) {
        let member: number | undefined;
        do {
          member = open.pop();
          if (member !== undefined) {
            part[member] = parts;
          }
        } while (member !== undefined && member !== node);
        parts += 1;
      }
    }
  }
  return part;
}
