// The details pane of the Op Profile: an op's card, or what is known of a group of ops.

import * as l10n from '@vscode/l10n';
import type { Finding } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { duration, timeShare } from '../../shared/text/format';
import { BYTES, COUNT, FLOPS, type Quantity, TIME } from '../../shared/text/quantities';
import { OpCard } from '../../shared/op/card/opCard';
import { boundByText } from '../../shared/op/words';
import { FindingsBelow } from '../../shared/findings/findings';
import { leastText, ofPeakText } from '../../shared/op/utilisation';
import { labelText } from './columns';
import type { ProfileNode, ProfileTree } from './tree';

interface DetailsProps {
  readonly node: ProfileNode;
  readonly tree: ProfileTree;
  /** What idle time is a share of, in words. */
  readonly idle: string;
  /** Why rates are above a peak, said of all together. */
  readonly above: readonly Finding[];
  /** Whether shares are of idle time, too. */
  readonly withIdle: boolean;
  readonly onSelect: (node: ProfileNode) => void;
}

export function ProfileDetails(props: DetailsProps) {
  const { node } = props;
  return node.kind === 'op' && node.op_key !== null ? <OpCard opKey={node.op_key} /> : <Summary {...props} />;
}

function Summary(props: DetailsProps) {
  const { node, tree } = props;
  const { parent, self_ps, wasted_ps } = node;
  const ofWhole = (time_ps: number): string => timeShare(time_ps / Math.max(1, tree.whole_ps));
  const known = (name: string, quantity: Quantity, value: number | null, more: Partial<Fact> = {}): Fact | null =>
    value === null ? null : { ...quantityFact(name, quantity, value), ...more };
  const { flop_utilisation_ratio: flopRatio, bandwidth_utilisation_ratio: byteRatio } = node;
  const facts: readonly (Fact | null)[] = [
    self_ps === null
      ? null
      : { name: props.withIdle ? l10n.t('of all time') : l10n.t('of op time'), text: ofWhole(self_ps) },
    known(l10n.t('self'), TIME, self_ps),
    wasted_ps === null
      ? null
      : known(l10n.t('wasted'), TIME, wasted_ps, {
          text: node.wasted_is_least
            ? l10n.t('at least {0} ({1})', duration(wasted_ps), ofWhole(wasted_ps))
            : l10n.t('{0} ({1})', duration(wasted_ps), ofWhole(wasted_ps)),
        }),
    known(l10n.t('executions'), COUNT, node.executions),
    known(l10n.t('FLOPs'), FLOPS, node.flops),
    known(l10n.t('bytes'), BYTES, node.bytes),
    flopRatio === null
      ? null
      : {
          name: l10n.t('FLOP utilisation'),
          text: leastText(flopRatio, node.utilisation_is_least),
          exact: ofPeakText(flopRatio, node.findings),
        },
    byteRatio === null
      ? null
      : {
          name: l10n.t('bandwidth utilisation'),
          text: timeShare(byteRatio),
          exact: ofPeakText(byteRatio, node.findings),
        },
    node.bound_by === null ? null : { name: l10n.t('bound by'), text: boundByText(node.bound_by) },
  ];
  return (
    <>
      <h2 class={node.kind === 'element' ? 'details-title code' : 'details-title'}>{labelText(node)}</h2>
      <p class="quiet">{node.kind === 'idle' ? l10n.t('no op ran: {0}', props.idle) : kindText(node)}</p>
      {node.file === null ? null : (
        <p>
          <LineLink place={node} />
        </p>
      )}
      <Facts facts={facts} />
      <FindingsBelow findings={node.kind === 'total' ? [...node.findings, ...props.above] : node.findings} />
      {node.kind === 'element' && parent !== null ? (
        <p class="ways">
          <button type="button" class="link" onClick={() => props.onSelect(parent)}>
            {l10n.t('Show the fusion {0}', parent.label)}
          </button>
        </p>
      ) : null}
    </>
  );
}

function kindText({ kind, category }: ProfileNode): string {
  return {
    total: l10n.t('everything that ran'),
    category: l10n.t('category of ops'),
    program: l10n.t('program'),
    scope: l10n.t('scope'),
    line: l10n.t('line of source'),
    op: category,
    element: l10n.t('{0}, an instruction inside a fusion: it has no time of its own', category),
    idle: l10n.t('no op ran'),
    more: l10n.t('the less expensive rows together'),
  }[kind];
}
