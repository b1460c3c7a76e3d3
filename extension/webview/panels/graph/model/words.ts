// Nodes of the graph in words.

import * as l10n from '@vscode/l10n';
import type { Selection } from '../../../../src/panels/messages';
import { functionText, lineText } from '../../../shared/op/words';
import { opName } from '../../../shared/op/opName';
import { byteSize, count, dotted } from '../../../shared/text/format';
import { phaseName } from '../../../shared/text/phases';
import type { GraphEdge, GraphHit, GraphLevel, GraphNode } from '../../../../src/protocol';
import { consumersOf, type GraphModel, producersOf } from './model';
import { type GraphOverlay, overlayText } from './overlays';

export const LEVELS: readonly GraphLevel[] = ['lines', 'scopes', 'ops'];

export function levelName(level: GraphLevel): string {
  return { lines: l10n.t('Lines'), scopes: l10n.t('Scopes'), ops: l10n.t('Ops') }[level];
}

/** Whether a node is one op, also one that is only at the border. Equal ones that are folded have no key of an op. */
export function isOp({ kind, repeated }: GraphNode): boolean {
  return (kind === 'op' || kind === 'hub' || kind === 'outside') && repeated === 1;
}

/** Whether there is something inside, or a hub whose neighbours can be followed; also where that is done. */
export function canOpen(node: GraphNode, { groups }: GraphModel): boolean {
  return node.kind !== 'outside' && (node.can_open || node.is_open || node.is_hub || groups.has(node.key));
}

/** The name of a node: of a line its place, of an op what it is in jax, of what was left out how much that is. */
export function titleOf(node: GraphNode): string {
  switch (node.kind) {
    case 'line':
      return node.line === null ? node.name : lineText(node.path, node.line);
    case 'rest':
      return l10n.t('and {0} more', count(node.left_out));
    case 'op':
    case 'hub':
    case 'outside':
      return node.primitive || node.name;
    default:
      return node.name;
  }
}

/** What else there is to say of it in a word or two. */
export function subtitleOf(node: GraphNode): string {
  const place = lineText(node.path, node.line);
  const phase = node.phase === null || node.phase === 'other' ? null : phaseName(node.phase);
  switch (node.kind) {
    case 'line':
      return dotted([phase, functionText(node.function)]);
    case 'scope':
      return node.ops === 1 ? l10n.t('1 op') : l10n.t('{0} ops', count(node.ops));
    case 'rest':
    case 'outside':
      return '';
    default:
      return place === '' ? node.opcode : place;
  }
}

/** How often something is there, or runs: `×24`, `24 passes`. */
export function badgesOf(node: GraphNode): readonly string[] {
  return [
    ...(node.repeated > 1 ? [`×${count(node.repeated)}`] : []),
    ...(node.trip_count === null ? [] : [l10n.t('{0} passes', count(node.trip_count))]),
  ];
}

/** A node in one line, as it is announced. */
export function readout(node: GraphNode, model: GraphModel, overlay: GraphOverlay): string {
  const [makes, uses] = [producersOf(model, node.key).length, consumersOf(model, node.key).length];
  const isNamed = isOp(node);
  return dotted([
    isNamed ? opName(node) : titleOf(node),
    isNamed ? null : subtitleOf(node),
    ...badgesOf(node),
    overlayText(node, overlay, model.extent),
    node.kind === 'rest' || model.groups.has(node.key)
      ? null
      : l10n.t('{0} in, {1} out', sides(makes, node.producers), sides(uses, node.consumers)),
    model.groups.has(node.key) ? l10n.t('open') : node.kind === 'hub' && !node.is_open ? l10n.t('not followed') : null,
    // What is least for a person comes last, where it may be cut off.
    isNamed && node.primitive !== '' ? node.name : null,
  ]);
}

function sides(shown: number, all: number): string {
  return shown < all ? l10n.t('{0} of {1}', count(shown), count(all)) : count(Math.max(shown, all));
}

/** What an edge hands on. */
export function edgeText({ bytes, count: edges, kind }: GraphEdge): string {
  return dotted([
    kind === 'inside' ? l10n.t('calls') : null,
    bytes === null ? null : byteSize(bytes),
    edges > 1 ? l10n.t('{0} edges', count(edges)) : null,
  ]);
}

export function hitText(hit: GraphHit): string {
  return dotted([hit.name, lineText(hit.path, hit.line), ...hit.breadcrumbs.slice(1).map(({ name }) => name)]);
}

/** What selecting a node selects in the other panels: of several ops together their line. */
export function selectionOf(node: GraphNode): Selection | null {
  const { key, kind, file, line, scope } = node;
  if (isOp(node)) {
    return { kind: 'op', key, file, line };
  }
  if (kind === 'scope') {
    return scope === '' ? null : { kind, name: scope, file: null, line: null };
  }
  return file === null || line === null ? null : { kind: 'line', file, line };
}
