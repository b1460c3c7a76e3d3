// The columns of links.

import * as l10n from '@vscode/l10n';
import type { HostsRecord, LinkRow } from '../../../../src/protocol';
import { Icon } from '../../../shared/controls/elements';
import type { Column } from '../../../shared/table/columns';
import { greatest } from '../../../shared/table/greatest';
import { lineColumn, numberColumn, textColumn } from '../../../shared/table/kinds';
import { BYTE_RATE, BYTES, COUNT, FACTOR, TIME } from '../../../shared/text/quantities';
import { exactLinkName, linkName, opsText } from '../words';

export function linkColumns({ links }: HostsRecord): readonly Column<LinkRow>[] {
  const longest = greatest(links, ({ latency_ps: time }) => time, 1);
  const isSlow = links.some(({ is_named: isNamed }) => isNamed);
  const noCost = (): string => l10n.t('No slower than others of its kind');
  return [
    textColumn<LinkRow>('link', l10n.t('Link'), linkName, {
      width_px: 200,
      least_px: 144,
      fills: 2,
      exact: exactLinkName,
      cell: (link) => (
        <>
          {link.is_named ? (
            <span class="slow-mark">
              <Icon name="warning" /> {l10n.t('slow')}
            </span>
          ) : null}
          <span class="text">{linkName(link)}</span>
        </>
      ),
    }),
    textColumn<LinkRow>('ops', l10n.t('Ops'), opsText, {
      width_px: 128,
      rank: 4,
      fills: 1,
      exact: ({ names, ops }) => [...names, ...ops].join('\n'),
    }),
    numberColumn<LinkRow>('bytes', l10n.t('Bytes'), BYTES, ({ bytes }) => bytes, {
      width_px: 88,
      rank: 4,
      meaning: l10n.t('Sent in one execution'),
    }),
    numberColumn<LinkRow>('best', l10n.t('Best rate'), BYTE_RATE, ({ best_bytes_per_s: rate }) => rate, {
      rank: 2,
      meaning: l10n.t('Of its bytes, when they were moved fastest'),
    }),
    numberColumn<LinkRow>('median', l10n.t('Median rate'), BYTE_RATE, ({ median_bytes_per_s: rate }) => rate, {
      rank: 5,
    }),
    numberColumn<LinkRow>('latency', l10n.t('Latency'), TIME, ({ latency_ps: time }) => time, {
      width_px: 124,
      least_px: 116,
      meaning: l10n.t('The median time from when both ends had come to the end of the receiver'),
      meter: ({ latency_ps: time }) => ({ ratio: time / longest }),
    }),
    numberColumn<LinkRow>(
      'delay',
      l10n.t('Send delay'),
      TIME,
      (link) => (link.kind === 'edge' ? link.send_delay_ps : null),
      {
        rank: 3,
        meaning: l10n.t('By how much the sender comes later than the receiver'),
      },
    ),
    numberColumn<LinkRow>('slower', l10n.t('Slower'), FACTOR, ({ slower_ratio: ratio }) => ratio, {
      width_px: 80,
      rank: isSlow ? 0 : 6,
      meaning: l10n.t('How many times as long as others of its kind it takes'),
      unknown: () => l10n.t('There are too few others of its kind'),
    }),
    numberColumn<LinkRow>('cost', l10n.t('Costs per step'), TIME, ({ cost_per_step_ps: cost }) => cost, {
      width_px: 136,
      rank: isSlow ? 0 : 6,
      unknown: noCost,
    }),
    numberColumn<LinkRow>('executions', l10n.t('Runs'), COUNT, ({ executions }) => executions, {
      width_px: 72,
      rank: 6,
    }),
    lineColumn<LinkRow>({ width_px: 128, least_px: 112, rank: 1 }),
  ];
}
