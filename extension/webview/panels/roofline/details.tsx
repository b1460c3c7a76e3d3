// The details pane of the roofline: an op's card, a program's figures, or the roofs and where they are from.

import * as l10n from '@vscode/l10n';
import type { RooflineRecord, RooflineRow } from '../../../src/protocol';
import { Facts } from '../../shared/frame/facts';
import {
  byteRate,
  byteSize,
  count,
  duration,
  exactDuration,
  exactFlops,
  flopRate,
  flops,
  intensity,
  share,
} from '../../shared/text/format';
import { OpCard } from '../../shared/op/card/opCard';
import { boundByText, spaceName } from '../../shared/op/words';
import { UNKNOWN } from '../../shared/text/quantities';
import { Peaks } from '../../shared/op/peaks';
import { RowNotes } from '../../shared/op/rowNotes';
import { leastText } from '../../shared/op/utilisation';
import { shareOfLimit } from './points';

export function Details(props: {
  readonly record: RooflineRecord;
  readonly row: RooflineRow | null;
  /** The op that is selected in other panels and has no point here. */
  readonly pointless: string | null;
  readonly device: string | null;
}) {
  const { record, row, device } = props;
  if (row !== null) {
    return row.op_key === null ? <Program row={row} /> : <OpCard opKey={row.op_key} device={device} />;
  }
  if (props.pointless !== null) {
    return (
      <>
        <p class="quiet no-point">{l10n.t('This op has no point: its FLOPs or its bytes are not known, or 0.')}</p>
        <OpCard opKey={props.pointless} device={device} />
      </>
    );
  }
  return (
    <>
      <h2 class="details-title">{l10n.t('Roofline')}</h2>
      <p class="quiet">
        {l10n.t('Select a point to see its op. Left of the ridge memory limits, right of it compute.')}
      </p>
      <Peaks peaks={record.peaks} />
    </>
  );
}

function Program(props: { readonly row: RooflineRow }) {
  const { row } = props;
  const ofLimit = shareOfLimit(row);
  return (
    <>
      <h2 class="details-title code">{row.label}</h2>
      <p class="quiet">{l10n.t('Program, in {0}', spaceName(row.space))}</p>
      <Facts
        facts={[
          { name: l10n.t('op time'), text: duration(row.self_ps), exact: exactDuration(row.self_ps) },
          { name: l10n.t('share of op time'), text: share(row.share_ratio) },
          { name: l10n.t('FLOPs'), text: flops(row.flops), exact: exactFlops(row.flops) },
          { name: l10n.t('bytes'), text: byteSize(row.bytes), exact: `${count(row.bytes)} B` },
          { name: l10n.t('intensity'), text: intensity(row.intensity_flops_per_byte) },
          { name: l10n.t('rate'), text: flopRate(row.flops_per_s) },
          { name: l10n.t('bandwidth'), text: byteRate(row.bytes_per_s) },
          {
            name: l10n.t('limit'),
            text: row.limit_flops_per_s === null ? UNKNOWN : flopRate(row.limit_flops_per_s),
          },
          { name: l10n.t('of limit'), text: ofLimit === null ? UNKNOWN : share(ofLimit) },
          {
            name: l10n.t('efficiency'),
            text: row.efficiency_ratio === null ? UNKNOWN : leastText(row.efficiency_ratio, row.utilisation_is_least),
          },
          { name: l10n.t('bound by'), text: boundByText(row.bound_by) },
        ]}
      />
      <RowNotes notes={row.notes} />
    </>
  );
}
