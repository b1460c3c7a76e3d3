// All that is known of a node in figures, as names and values.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord, GraphNode } from '../../../src/protocol';
import { type Fact, quantityFact } from '../../shared/frame/facts';
import { perStep } from '../../shared/op/extent';
import { count, share, timeShare } from '../../shared/text/format';
import { BYTES, COUNT, TIME } from '../../shared/text/quantities';
import { compatibilityText, isWithoutEstimate } from './model/overlays';

/** What is unknown is left out: most nodes have only some of them. */
export function figureFacts(node: GraphNode, extent: ExtentRecord): readonly (Fact | null)[] {
  const mark = node.basis === 'estimated' || node.basis === 'predicted' ? '≈ ' : '';
  const known = (name: string, quantity: typeof TIME, value: number | null, before = ''): Fact | null =>
    value === null ? null : quantityFact(name, quantity, value, before);
  const hasSteps = extent.steps > 0;
  return [
    isWithoutEstimate(node)
      ? { name: l10n.t('time'), text: l10n.t('no estimate') }
      : hasSteps && node.self_ps !== null
        ? quantityFact(
            extent.devices > 1 ? l10n.t('time per step and device') : l10n.t('time per step'),
            TIME,
            perStep(extent, node.self_ps),
            mark,
          )
        : known(l10n.t('time'), TIME, node.self_ps, mark),
    node.share_ratio === null ? null : { name: l10n.t('of op time'), text: timeShare(node.share_ratio) },
    hasSteps && node.executions !== null
      ? {
          name: l10n.t('executions'),
          text: l10n.t('{0} ({1} per step)', count(node.executions), count(perStep(extent, node.executions) ?? 0)),
        }
      : known(l10n.t('executions'), COUNT, node.executions),
    node.kind === 'line' || node.kind === 'scope' ? known(l10n.t('ops'), COUNT, node.ops) : null,
    hasSteps && node.bytes !== null
      ? {
          name: l10n.t('bytes moved'),
          text: l10n.t('{0} ({1} per step)', BYTES.text(node.bytes), BYTES.text(perStep(extent, node.bytes) ?? 0)),
          exact: BYTES.exact(node.bytes),
        }
      : known(l10n.t('bytes moved'), BYTES, node.bytes),
    known(l10n.t('memory at the peak'), BYTES, node.memory_at_peak_bytes),
    node.padding_bytes === null || node.padding_bytes === 0 || node.padding_ratio === null
      ? null
      : {
          name: l10n.t('padding'),
          text: l10n.t('{0} of its arrays', share(node.padding_ratio)),
          exact: BYTES.exact(node.padding_bytes),
        },
    node.compatibility === null ? null : { name: l10n.t('on a TPU'), text: compatibilityText(node.compatibility) },
  ];
}
