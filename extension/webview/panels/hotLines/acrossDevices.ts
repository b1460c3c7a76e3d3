// What a line's collectives wait for other devices and move, and on which hosts it takes least and most.

import * as l10n from '@vscode/l10n';
import type { LineRecord } from '../../../src/protocol';
import { type Fact, quantityFact } from '../../shared/frame/facts';
import { duration, exactDuration } from '../../shared/text/format';
import { TIME } from '../../shared/text/quantities';

export function factsAcrossDevices(line: LineRecord): readonly (Fact | null)[] {
  const wait_ps = line.collective_wait_per_step_ps ?? line.collective_wait_ps;
  const move_ps = line.collective_move_per_step_ps ?? line.collective_move_ps;
  return [
    wait_ps === null ? null : quantityFact(l10n.t('waits for devices'), TIME, wait_ps),
    move_ps === null ? null : quantityFact(l10n.t('moves data'), TIME, move_ps),
    ...spreadFacts(line),
  ];
}

function spreadFacts({ host_spread: spread }: LineRecord): readonly Fact[] {
  if (spread === null) {
    return [];
  }
  const ends = [
    [l10n.t('least, on {0}', spread.least_host), spread.least_per_step_ps],
    [l10n.t('most, on {0}', spread.greatest_host), spread.greatest_per_step_ps],
  ] as const;
  return ends.map(([name, time_ps]) => ({ name, text: duration(time_ps), exact: exactDuration(time_ps) }));
}
