// The details pane of FLOPs: an op's card, or the figures of a scope.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { FlopsRecord, MatrixUnitRecord } from '../../../src/protocol';
import { Swatch } from '../../shared/charts/cells';
import { Facts } from '../../shared/frame/facts';
import { didNotRun } from '../../shared/op/extent';
import { count, duration, share } from '../../shared/text/format';
import { OpCard } from '../../shared/op/card/opCard';
import { paddedMeaning } from '../../shared/op/words';
import { Peaks } from '../../shared/op/peaks';
import { phaseName } from '../../shared/text/phases';
import { PHASES } from '../../shared/theme';
import {
  exactFlopsText,
  exactTime,
  flopsText,
  nodeName,
  rateInSelfTime,
  rateText,
  shareText,
  utilisationText,
} from './measures';
import { type FlopsNode, pathTo, phaseShares } from './tree';

export function Details(props: {
  readonly record: FlopsRecord;
  /** What is selected, or the model. */
  readonly node: FlopsNode;
  readonly device: string | null;
}) {
  const { node, record } = props;
  if (node.row.kind === 'op') {
    return <OpCard opKey={node.row.key} device={props.device} />;
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
  const { row } = node;
  const above = pathTo(node).slice(1, -1);
  const flops = useMemo(() => phaseShares(node, 'flops'), [node]);
  const time = useMemo(() => phaseShares(node, 'self_ps'), [node]);
  const phases = PHASES.filter((phase) => time[phase] > 0 || flops[phase] > 0);
  return (
    <>
      <h2 class="details-title">{nodeName(node)}</h2>
      {above.length === 0 ? null : <p class="quiet">{above.map(nodeName).join(' › ')}</p>}
      <Facts
        facts={[
          { name: l10n.t('executed FLOPs'), text: flopsText(row.flops), exact: exactFlopsText(row.flops) },
          { name: l10n.t('model FLOPs'), text: flopsText(row.model_flops), exact: exactFlopsText(row.model_flops) },
          { name: l10n.t('padded FLOPs'), text: flopsText(row.padded_flops), exact: exactFlopsText(row.padded_flops) },
          { name: l10n.t('rate over wall clock'), text: rateText(row.flops_per_s) },
          { name: l10n.t('rate over self time'), text: rateText(rateInSelfTime(node)) },
          { name: 'MFU', text: utilisationText(row.mfu_ratio, row) },
          { name: 'HFU', text: utilisationText(row.hfu_ratio, row) },
          {
            name: unit?.basis === 'predicted' ? l10n.t('padding waste (predicted)') : l10n.t('padding waste'),
            text: shareText(row.padding_waste_ratio),
            exact: paddedMeaning(unit),
          },
          { name: l10n.t('recompute'), text: shareText(row.recompute_ratio) },
          isStatic ? null : { name: l10n.t('self time'), text: duration(row.self_ps), exact: exactTime(row.self_ps) },
          row.unknown_ps === 0
            ? null
            : {
                name: l10n.t('without known FLOPs'),
                text: duration(row.unknown_ps),
                exact: exactTime(row.unknown_ps),
              },
          { name: l10n.t('parts'), text: count(node.children.length) },
        ]}
      />
      {phases.length === 0 ? null : (
        <table class="plain">
          <thead>
            <tr>
              <th>{l10n.t('Phase')}</th>
              <th class="end">{l10n.t('FLOPs')}</th>
              {isStatic ? null : <th class="end">{l10n.t('Time')}</th>}
            </tr>
          </thead>
          <tbody>
            {phases.map((phase) => (
              <tr key={phase}>
                <td>
                  <Swatch hue={phase} />
                  {phaseName(phase)}
                </td>
                <td class="end">{share(flops[phase])}</td>
                {isStatic ? null : <td class="end">{share(time[phase])}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
