// How long an op takes on each host, or on each device of one host, and what of that is waiting for others.

import * as l10n from '@vscode/l10n';
import type { OpOnHost } from '../../../../src/protocol';
import { PlainTable } from '../../frame/plainTable';
import { count, duration } from '../../text/format';
import { UNKNOWN } from '../../text/quantities';

/** Of many hosts those on which it takes longest. */
const MOST_HOSTS = 12;

export function OnHosts(props: { readonly hosts: readonly OpOnHost[] }) {
  const { hosts } = props;
  if (hosts.length === 0) {
    return null;
  }
  const met = hosts.some((each) => each.wait_ps !== null);
  const shown = hosts.toSorted((one, other) => other.self_ps - one.self_ps).slice(0, MOST_HOSTS);
  const left = hosts.length - shown.length;
  return (
    <section>
      <h3>{l10n.t('Over hosts and devices, per step')}</h3>
      <PlainTable
        titles={['', l10n.t('Self time'), ...(met ? [l10n.t('Waits'), l10n.t('Moves')] : [])]}
        rows={shown.map((each) => ({
          key: each.name,
          name: each.name,
          cells: [time(each.self_ps), ...(met ? [time(each.wait_ps), time(each.move_ps)] : [])],
        }))}
      />
      {left > 0 ? <p class="quiet">{l10n.t('and {0} more', count(left))}</p> : null}
    </section>
  );
}

function time(timePs: number | null) {
  return timePs === null ? { text: UNKNOWN } : { text: duration(timePs) };
}
