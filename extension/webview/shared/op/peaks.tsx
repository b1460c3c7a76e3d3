// What the devices can do at most, and where that is from.

import * as l10n from '@vscode/l10n';
import type { PeakRecord } from '../../../src/protocol';
import { sentences } from '../findings/findings';
import { Facts } from '../frame/facts';
import { grouped } from '../grouped';
import { byteRate, byteSize, count, flopRate } from '../text/format';
import { spaceName } from './words';

/** The peaks of the devices; devices that can do the same are listed once. */
export function Peaks(props: { readonly peaks: readonly PeakRecord[] }) {
  const alike = grouped(props.peaks, (peak) => JSON.stringify({ ...peak, device: '' }));
  return (
    <>
      {[...alike].map(([key, [peak, ...more]]) =>
        peak === undefined ? null : (
          <section key={key} class="peaks">
            <h2>
              {l10n.t('Peaks of {0}', peak.model || peak.kind || peak.device)}
              {more.length === 0 ? '' : ` × ${count(more.length + 1)}`}
            </h2>
            <Facts
              facts={[
                ...Object.entries(peak.flops_per_s).map(([type, rate]) => ({ name: type, text: flopRate(rate) })),
                ...Object.entries(peak.bytes_per_s).map(([space, rate]) => ({
                  name: spaceName(space),
                  text: byteRate(rate),
                })),
                peak.cache_bytes_per_s === null
                  ? null
                  : { name: l10n.t('caches'), text: byteRate(peak.cache_bytes_per_s) },
                peak.memory_bytes === null ? null : { name: l10n.t('size'), text: byteSize(peak.memory_bytes) },
                { name: l10n.t('basis'), text: basisName(peak.basis) },
              ]}
            />
            <p class="quiet peak-source">{sentences(peak.sources).join(' ')}</p>
          </section>
        ),
      )}
    </>
  );
}

function basisName(basis: PeakRecord['basis']): string {
  return {
    stated: l10n.t('stated by the profile'),
    corrected: l10n.t('stated by the profile, and corrected'),
    table: l10n.t('from a table'),
    calibrated: l10n.t('measured on this machine'),
    setting: l10n.t('your setting'),
  }[basis];
}
