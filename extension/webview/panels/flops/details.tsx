// The details pane of FLOPs: an op's card, or the figures of a scope.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { FlopsRecord, MatrixUnitRecord } from '../../../src/protocol';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { OpCard } from '../../shared/op/card/opCard';
import { didNotRun } from '../../shared/op/extent';
import { Peaks } from '../../shared/op/peaks';
import { PhaseName } from '../../shared/op/phaseName';
import { paddedMeaning } from '../../shared/op/words';
import { pathTo } from '../../shared/table/tree';
import { share, timeShare } from '../../shared/text/format';
import { COUNT, FLOP_RATE, FLOPS, quantityText, RATIO, TIME } from '../../shared/text/quantities';
import { PHASES } from '../../shared/theme';
import { rateInSelfTime, rowName, utilisationText } from './measures';
import { type FlopsNode, phaseShares } from './tree';

export function Details(props: {
  readonly record: FlopsRecord;
  /** What is selected, or the model. */
  readonly node: FlopsNode;
}) {
  const { node, record } = props;
  if (node.kind === 'op') {
    return <OpCard opKey={node.key} />;
  }
  return (
    <>
      <Summary node={node} isStatic={didNotRun(record.extent)} unit={record.matrix_unit} />
      {node.parent === null ? <Peaks peaks={record.peaks} /> : null}
    </>
  );
}

function Summary(props: {
  readonly node: FlopsNode;
  readonly isStatic: boolean;
  readonly unit: MatrixUnitRecord | null;
}) {
  const { node, isStatic, unit } = props;
  const above = pathTo(node).slice(1, -1);
  const flops = useMemo(() => phaseShares(node, 'flops'), [node]);
  const time = useMemo(() => phaseShares(node, 'self_ps'), [node]);
  const phases = PHASES.filter((phase) => time[phase] > 0 || flops[phase] > 0);
  return (
    <>
      <h2 class="details-title">{rowName(node)}</h2>
      {above.length === 0 ? null : <p class="quiet">{above.map(rowName).join(' › ')}</p>}
      <Facts
        facts={[
          quantityFact(l10n.t('executed FLOPs'), FLOPS, node.flops),
          quantityFact(l10n.t('model FLOPs'), FLOPS, node.model_flops),
          quantityFact(l10n.t('padded FLOPs'), FLOPS, node.padded_flops),
          quantityFact(l10n.t('rate over wall clock'), FLOP_RATE, node.flops_per_s),
          quantityFact(l10n.t('rate over self time'), FLOP_RATE, rateInSelfTime(node)),
          { name: 'MFU', text: utilisationText(node.mfu_ratio, node) },
          { name: 'HFU', text: utilisationText(node.hfu_ratio, node) },
          {
            name: unit?.basis === 'predicted' ? l10n.t('padding waste (predicted)') : l10n.t('padding waste'),
            text: quantityText(RATIO, node.padding_waste_ratio),
            exact: paddedMeaning(unit),
          },
          quantityFact(l10n.t('recompute'), RATIO, node.recompute_ratio),
          isStatic ? null : quantityFact(l10n.t('self time'), TIME, node.self_ps),
          node.unknown_ps === 0 ? null : quantityFact(l10n.t('without known FLOPs'), TIME, node.unknown_ps),
          quantityFact(l10n.t('parts'), COUNT, node.children.length),
        ]}
      />
      {phases.length === 0 ? null : (
        <PlainTable
          titles={[l10n.t('Phase'), l10n.t('FLOPs'), ...(isStatic ? [] : [l10n.t('Time')])]}
          rows={phases.map((phase) => ({
            key: phase,
            name: <PhaseName phase={phase} />,
            cells: [{ text: share(flops[phase]) }, ...(isStatic ? [] : [{ text: timeShare(time[phase]) }])],
          }))}
        />
      )}
    </>
  );
}
