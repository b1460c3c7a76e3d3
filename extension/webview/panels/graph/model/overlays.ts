// What of a node its bar shows: how long the bar is, and what stands beside it.

import * as l10n from '@vscode/l10n';
import { perStep } from '../../../shared/op/extent';
import { byteSize, dotted, duration, share, timeShare, wholeShare } from '../../../shared/text/format';
import type { Compatibility, ExtentRecord, Graph, GraphNode } from '../../../../src/protocol';
import type { GraphModel } from './model';
import { led, prediction } from '../../../shared/text/basis';

export type GraphOverlay = Graph['overlays'][number];

/** In the order of their menu. */
const OVERLAYS: readonly GraphOverlay[] = ['time', 'bytes', 'padding', 'memory', 'compatibility'];

/** What can be chosen: memory is worked out when it is. */
export function overlaysOf({ overlays }: Graph, asked: GraphOverlay): readonly GraphOverlay[] {
  return OVERLAYS.filter((each) => overlays.includes(each) || (each === 'memory' && asked !== 'memory'));
}

export function overlayName(overlay: GraphOverlay): string {
  return {
    time: l10n.t('Time'),
    bytes: l10n.t('Bytes moved'),
    padding: l10n.t('Padding'),
    memory: l10n.t('Memory at peak'),
    compatibility: l10n.t('TPU compatibility'),
  }[overlay];
}

/** What a full bar is. */
export function fullBarText(overlay: GraphOverlay): string {
  return {
    time: l10n.t('full bar: the longest time shown'),
    bytes: l10n.t('full bar: the most bytes shown'),
    padding: l10n.t('full bar: nothing but padding'),
    memory: l10n.t('full bar: the most memory shown'),
    compatibility: l10n.t('full bar: all ops of the node'),
  }[overlay];
}

/** How a TPU would compute an op, in the order of a bar's parts. */
export const JUDGEMENTS = ['native', 'emulated', 'on_host', 'refused', 'unjudged'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export function judgementName(judgement: Judgement): string {
  return {
    native: l10n.t('native'),
    emulated: l10n.t('emulated'),
    on_host: l10n.t('on the host'),
    refused: l10n.t('refused'),
    unjudged: l10n.t('not judged'),
  }[judgement];
}

/** The amount that bars are compared by; null where the node has none. */
export function amountOf(node: GraphNode, overlay: GraphOverlay): number | null {
  switch (overlay) {
    case 'time':
      return node.self_ps;
    case 'bytes':
      return node.bytes;
    case 'padding':
      return node.padding_ratio;
    case 'memory':
      return node.memory_at_peak_bytes;
    case 'compatibility':
      return node.compatibility === null ? null : 1;
  }
}

/** Whether a prediction knows of nothing in the node how long it takes, which is not that it takes none. */
export function isWithoutEstimate(node: GraphNode): boolean {
  return node.self_ps === null && node.executions !== null && prediction() !== null;
}

/** What the bar of a node is full at: of amounts the greatest that is drawn as a box. */
export function fullAt({ nodes, groups }: GraphModel, overlay: GraphOverlay): number {
  if (overlay === 'padding' || overlay === 'compatibility') {
    return 1;
  }
  return nodes.reduce(
    (most, node) =>
      groups.has(node.key) || node.kind === 'rest' ? most : Math.max(most, amountOf(node, overlay) ?? 0),
    Number.MIN_VALUE,
  );
}

/** The figure beside a node's name; empty where there is none. Times are per step where there are steps. */
export function overlayText(node: GraphNode, overlay: GraphOverlay, extent: ExtentRecord): string {
  const mark = node.basis === 'estimated' || node.basis === 'predicted' ? '≈ ' : '';
  switch (overlay) {
    case 'time':
      return node.self_ps !== null
        ? dotted([
            led(mark, timeText(node.self_ps, extent)),
            node.share_ratio === null ? null : timeShare(node.share_ratio),
          ])
        : isWithoutEstimate(node)
          ? l10n.t('no estimate')
          : '';
    case 'bytes':
      return node.bytes === null ? '' : byteSize(node.bytes);
    case 'padding':
      return node.padding_ratio === null
        ? ''
        : node.padding_bytes === 0
          ? l10n.t('no padding')
          : dotted([share(node.padding_ratio), node.padding_bytes === null ? null : byteSize(node.padding_bytes)]);
    case 'memory':
      return node.memory_at_peak_bytes === null ? '' : byteSize(node.memory_at_peak_bytes);
    case 'compatibility':
      return node.compatibility === null ? '' : compatibilityText(node.compatibility);
  }
}

function timeText(time_ps: number, extent: ExtentRecord): string {
  const each_ps = perStep(extent, time_ps);
  return each_ps === null
    ? duration(time_ps)
    : extent.devices > 1
      ? l10n.t('{0} per step and device', duration(each_ps))
      : l10n.t('{0} per step', duration(each_ps));
}

/** The same in few letters, for the box of a node. */
export function figureText(node: GraphNode, overlay: GraphOverlay, extent: ExtentRecord): string {
  if (overlay === 'time' && node.share_ratio !== null) {
    return timeShare(node.share_ratio);
  }
  if (overlay === 'padding' && node.padding_ratio !== null) {
    return share(node.padding_ratio);
  }
  if (overlay === 'compatibility' && node.compatibility !== null) {
    const { refused, on_host, emulated } = node.compatibility;
    const worst = refused > 0 ? 'refused' : on_host > 0 ? 'on_host' : emulated > 0 ? 'emulated' : null;
    return worst === null ? '' : l10n.t('{0} {1}', node.compatibility[worst], judgementName(worst));
  }
  return overlayText(node, overlay, extent);
}

/** The same where hardly any letters have room. */
export function shortFigureText(node: GraphNode, overlay: GraphOverlay, extent: ExtentRecord): string {
  return overlay === 'time' && node.share_ratio !== null
    ? wholeShare(node.share_ratio)
    : figureText(node, overlay, extent);
}

/** `12 native, 3 refused`, the worst first where there is little room. */
export function compatibilityText(compatibility: Compatibility): string {
  return JUDGEMENTS.toReversed()
    .filter((each) => compatibility[each] > 0)
    .map((each) => l10n.t('{0} {1}', compatibility[each], judgementName(each)))
    .join(', ');
}
