// Which edges are turned round so that no cycle is left: in a cycle those that go back in the order of the program.

import { at, countOf, type Links, linksOf } from './links';

/**
 * For each edge whether it is to be turned. Nodes are numbered in their order; an edge between two cycles, or outside of
 * them, is never turned.
 */
export function turnedEdges(count: number, from: Int32Array, to: Int32Array): Uint8Array {
  const cycle = cyclesOf(count, linksOf(count, from, to));
  const turned = new Uint8Array(from.length);
  for (let edge = 0; edge < from.length; edge += 1) {
    const [start, end] = [at(from, edge), at(to, edge)];
    turned[edge] = start > end && at(cycle, start) === at(cycle, end) ? 1 : 0;
  }
  return turned;
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
