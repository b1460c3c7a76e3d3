// Graphs that tests and the benchmark lay out: at random, but the same each time.

import type {
  LayoutEdge,
  LayoutNode,
  LayoutRequest,
} from '../../../../../extension/webview/panels/graph/layout/request';

/** Numbers between 0 and 1 that look random. */
export function randomNumbers(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

export function madeNode(id: string, changes: Partial<LayoutNode> = {}): LayoutNode {
  return { id, width_px: 160, height_px: 44, order: 0, group: null, sinks: false, isFirst: false, ...changes };
}

/** Ops in the order of a program, each of which uses mostly what is shortly before it. */
export function programLike(count: number, seed: number): LayoutRequest {
  const random = randomNumbers(seed);
  const nodes = Array.from({ length: count }, (_, order) =>
    madeNode(`op ${String(order)}`, {
      order,
      width_px: 80 + Math.floor(random() * 140),
      sinks: random() < 0.2,
    }),
  );
  const edges: LayoutEdge[] = [];
  nodes.forEach(({ id, sinks }, order) => {
    const uses = sinks || order === 0 ? 0 : 1 + Math.floor(random() * 2.2);
    for (let each = 0; each < uses; each += 1) {
      const back = random() < 0.1 ? Math.ceil(random() * order) : Math.min(order, Math.ceil(random() * 8));
      edges.push({ from: nodes[order - back]?.id ?? '', to: id });
    }
  });
  return { nodes, edges, groups: [] };
}

/** The same graph, with its nodes, groups and edges in another order. */
export function shuffled(request: LayoutRequest, seed: number): LayoutRequest {
  const random = randomNumbers(seed);
  const mixed = <Value>(values: readonly Value[]): Value[] =>
    values
      .map((value) => ({ value, by: random() }))
      .sort((one, other) => one.by - other.by)
      .map(({ value }) => value);
  return { nodes: mixed(request.nodes), groups: mixed(request.groups), edges: mixed(request.edges) };
}
