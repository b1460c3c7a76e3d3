// The details pane of the roofline: an op's card, a program's figures, or the roofs and where they are from.

import * as l10n from '@vscode/l10n';
import type { RooflineRecord, RooflineRow } from '../../../src/protocol';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { OpCard } from '../../shared/op/card/opCard';
import { boundByText, spaceName } from '../../shared/op/words';
import {
  BYTE_RATE,
  BYTES,
  FLOP_RATE,
  FLOPS,
  INTENSITY,
  PEAK_FLOP_RATE,
  TIME,
  TIME_RATIO,
  UNKNOWN,
} from '../../shared/text/quantities';
import { Peaks } from '../../shared/op/peaks';
import { aboveOf, FindingsBelow } from '../../shared/findings/findings';
import { leastText } from '../../shared/op/utilisation';
import { shareOfLimit } from './points';

export function Details(props: {
  readonly record: RooflineRecord;
  readonly row: RooflineRow | null;
  /** The key of an op that is selected in other panels and has no point here. */
  readonly opWithoutPoint: string | null;
}) {
  const { record, row } = props;
  if (row !== null) {
    return row.op_key === null ? <Program row={row} /> : <OpCard opKey={row.op_key} />;
  }
  if (props.opWithoutPoint !== null) {
    return (
      <>
        <p class="quiet no-point">{l10n.t('This op has no point: its FLOPs or its bytes are not known, or 0.')}</p>
        <OpCard opKey={props.opWithoutPoint} />
      </>
    );
  }
  return (
    <>
      <h2 class="details-title">{l10n.t('Roofline')}</h2>
      <p class="quiet">
        {l10n.t('Select a point to see its op. Left of the ridge memory limits, right of it compute.')}
      </p>
      <FindingsBelow findings={aboveOf(record)} />
      <Peaks peaks={record.peaks} />
    </>
  );
}

function Program(props: { readonly row: RooflineRow }) {
  const { row } = props;
  return (
    <>
      <h2 class="details-title code">{row.label}</h2>
      <p class="quiet">{l10n.t('Program, in {0}', spaceName(row.space))}</p>
      <Facts
        facts={[
          quantityFact(l10n.t('op time'), TIME, row.self_ps),
          quantityFact(l10n.t('share of op time'), TIME_RATIO, row.share_ratio),
          quantityFact(l10n.t('FLOPs'), FLOPS, row.flops),
          quantityFact(l10n.t('bytes'), BYTES, row.bytes),
          quantityFact(l10n.t('intensity'), INTENSITY, row.intensity_flops_per_byte),
          quantityFact(l10n.t('rate'), FLOP_RATE, row.flops_per_s),
          quantityFact(l10n.t('bandwidth'), BYTE_RATE, row.bytes_per_s),
          quantityFact(l10n.t('limit'), PEAK_FLOP_RATE, row.limit_flops_per_s),
          quantityFact(l10n.t('of limit'), TIME_RATIO, shareOfLimit(row)),
          {
            name: l10n.t('efficiency'),
            text: row.efficiency_ratio === null ? UNKNOWN : leastText(row.efficiency_ratio, row.utilisation_is_least),
          },
          { name: l10n.t('bound by'), text: boundByText(row.bound_by) },
        ]}
      />
      <FindingsBelow findings={row.findings} />
    </>
  );
}
