// The nodes and edges of an answer, with the ways between them: what makes what a node uses, and what uses it.

import type { ExtentRecord, Graph, GraphEdge, GraphNode } from '../../../../src/protocol';

export interface GraphModel {
  readonly nodes: readonly GraphNode[];
  /** What their figures are over. */
  readonly extent: ExtentRecord;
  readonly byKey: ReadonlyMap<string, GraphNode>;
  /** Opened nodes, about those that are inside them. */
  readonly groups: ReadonlySet<string>;
  readonly edges: readonly GraphEdge[];
  /** Edges into each node, and out of it; those with the most bytes first. */
  readonly into: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly outOf: ReadonlyMap<string, readonly GraphEdge[]>;
  /** Pairs of keys of the way between two ops. */
  readonly route: ReadonlySet<string>;
}

/** Edges with an end that is not among the nodes are left out. */
export function modelOf({ nodes, edges: all, route, extent }: Graph): GraphModel {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const groups = new Set(nodes.flatMap(({ parent }) => (parent !== null && byKey.has(parent) ? [parent] : [])));
  const into = new Map<string, GraphEdge[]>();
  const outOf = new Map<string, GraphEdge[]>();
  const add = (map: Map<string, GraphEdge[]>, key: string, edge: GraphEdge): void => {
    const known = map.get(key);
    if (known === undefined) {
      map.set(key, [edge]);
    } else {
      known.push(edge);
    }
  };
  const edges = all.filter(({ source, target }) => byKey.has(source) && byKey.has(target));
  for (const edge of edges) {
    add(outOf, edge.source, edge);
    add(into, edge.target, edge);
  }
  for (const each of [...into.values(), ...outOf.values()]) {
    each.sort((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0));
  }
  const steps = route.slice(1).map((key, before) => pairOf(route[before] ?? '', key));
  return { nodes, extent, byKey, groups, edges, into, outOf, route: new Set(steps) };
}

/** What a pair of nodes is known by. */
export function pairOf(source: string, target: string): string {
  return JSON.stringify([source, target]);
}

/** Nodes that make what a node uses, those that hand it the most first. */
export function producersOf(model: GraphModel, key: string): readonly GraphNode[] {
  return (model.into.get(key) ?? []).flatMap(({ source }) => model.byKey.get(source) ?? []);
}

/** Nodes that use what a node makes, those that it hands the most first. */
export function consumersOf(model: GraphModel, key: string): readonly GraphNode[] {
  return (model.outOf.get(key) ?? []).flatMap(({ target }) => model.byKey.get(target) ?? []);
}
