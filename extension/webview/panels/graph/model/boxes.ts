// What the layout is asked for: a box for each node, all as wide, so that the bars in them can be compared.

import type { LayoutRequest } from '../layout/request';
import type { GraphNode } from '../../../../src/protocol';
import type { GraphModel } from './model';

export const BOX_WIDTH_PX = 208;
export const BOX_HEIGHT_PX = 48;
/** What has no figures has one row of text. */
const LOW_HEIGHT_PX = 28;

/** Ops that make something of nothing: they are drawn beside what uses them. */
const SOURCES: ReadonlySet<string> = new Set(['parameter', 'constant', 'iota', 'partition-id', 'replica-id']);

export function layoutRequest(model: GraphModel): LayoutRequest {
  const groupOf = (parent: string | null): string | null =>
    parent !== null && model.groups.has(parent) ? parent : null;
  const placed = inOrder(model.nodes).map((node, order) => ({ node, order, group: groupOf(node.parent) }));
  return {
    nodes: placed
      .filter(({ node }) => !model.groups.has(node.key))
      .map(({ node, order, group }) => ({
        id: node.key,
        order,
        group,
        width_px: BOX_WIDTH_PX,
        height_px: node.kind === 'rest' || node.kind === 'outside' ? LOW_HEIGHT_PX : BOX_HEIGHT_PX,
        sinks: SOURCES.has(node.opcode),
        isFirst: node.kind === 'outside',
      })),
    groups: placed
      .filter(({ node }) => model.groups.has(node.key))
      .map(({ node, order, group }) => ({ id: node.key, order, group, title_width_px: BOX_WIDTH_PX })),
    edges: model.edges.map(({ source, target }) => ({ from: source, to: target })),
  };
}

/**
 * Nodes as the program comes to them, by which cycles are broken: the answer has lines by their time, so they are taken
 * down the text phase by phase, and up it where gradients go back.
 */
function inOrder(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const rank = new Map(nodes.map((node, position) => [node, position]));
  const isLine = ({ kind }: GraphNode): boolean => kind === 'line';
  const lines = nodes.filter(isLine).toSorted((one, other) => {
    const phase = phaseRank(one) - phaseRank(other);
    const place = (one.path ?? '').localeCompare(other.path ?? '', 'en') || (one.line ?? 0) - (other.line ?? 0);
    return phase || (one.phase === 'backward' ? -place : place) || (rank.get(one) ?? 0) - (rank.get(other) ?? 0);
  });
  return [...lines, ...nodes.filter((node) => !isLine(node))];
}

function phaseRank({ phase }: GraphNode): number {
  return phase === null ? 0 : IN_TURN.indexOf(phase);
}

const IN_TURN: readonly GraphNode['phase'][] = ['other', 'forward', 'recompute', 'backward', 'optimizer'];
