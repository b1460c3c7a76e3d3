// The status line of Hosts: what was compared.

import * as l10n from '@vscode/l10n';
import type { HostsRecord } from '../../../src/protocol';
import { count, duration } from '../../shared/text/format';

export function statusParts(record: HostsRecord): readonly (string | null)[] {
  const { hosts, cores, step_count: steps, step_ps: step, instances, complete_instances: complete } = record;
  return [
    hosts.length === 1 ? l10n.t('1 host') : l10n.t('{0} hosts', count(hosts.length)),
    cores.length === 1 ? l10n.t('1 device') : l10n.t('{0} devices', count(cores.length)),
    step === null
      ? l10n.t('no step that all have')
      : steps === 1
        ? l10n.t('1 step of {0}', duration(step))
        : l10n.t('{0} steps of {1}', count(steps), duration(step)),
    instances === 0
      ? l10n.t('no collectives')
      : l10n.t('devices met {0} times, all there in {1}', count(instances), count(complete)),
  ];
}
