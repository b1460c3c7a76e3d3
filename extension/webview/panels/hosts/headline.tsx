// What the panel says first: which host costs how much, by what; or that none costs much more than the others.

import * as l10n from '@vscode/l10n';
import type { CoreRow, HostRow, HostsRecord } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { FindingsBelow } from '../../shared/findings/findings';
import { greatestRow } from '../../shared/table/greatest';
import { duration } from '../../shared/text/format';
import { deviceName, primitiveOf } from './words';

/** Findings that the headline says itself. */
const SAID = ['host-slow', 'device-slow'];

export function Headline({ record }: { readonly record: HostsRecord }) {
  const hosts = record.hosts.filter(({ is_named: isNamed }) => isNamed);
  const cores = record.cores.filter(({ is_named: isNamed }) => isNamed);
  const isNobody = hosts.length === 0 && cores.length === 0;
  return (
    <section class="head" aria-label={l10n.t('What hosts cost')}>
      {hosts.map((host) => (
        <HostSentence key={host.host} host={host} step_ps={record.step_ps} />
      ))}
      {cores.map((core) => (
        <p key={`${core.host} ${core.device}`} class="headline">
          {costText(coreText(record, core), core.cost_per_step_ps, record.step_ps)}
          {l10n.t('it works longer than the others')}
        </p>
      ))}
      {isNobody ? <p class="headline">{nobodyText(record)}</p> : null}
      <FindingsBelow
        icon="lightbulb"
        findings={record.findings
          .filter(({ code, remedy }) => SAID.includes(code) && remedy !== '')
          .map((finding) => ({ ...finding, text: finding.remedy, remedy: '' }))}
      />
      <FindingsBelow
        findings={record.findings.filter(
          ({ code, severity }) => !SAID.includes(code) && severity !== 'warning' && severity !== 'error',
        )}
      />
    </section>
  );
}

function HostSentence({ host, step_ps }: { readonly host: HostRow; readonly step_ps: number | null }) {
  const { line, where, op } = host;
  const does = host.reason === 'launched-late' ? l10n.t('it launches late') : l10n.t('it works longer');
  const place = where !== null ? l10n.t('in {0}', where) : line === null && op !== null ? primitiveOf(op) : '';
  return (
    <p class="headline">
      {costText(host.host, host.cost_per_step_ps, step_ps)}
      {place === '' ? does : `${does}, ${place}`}
      {line === null ? null : (
        <>
          {', '}
          <LineLink place={host} />
        </>
      )}
    </p>
  );
}

function costText(name: string, cost_ps: number | null, step_ps: number | null): string {
  return step_ps === null
    ? `${l10n.t('{0} costs {1} per step:', name, duration(cost_ps ?? 0))} `
    : `${l10n.t('{0} costs {1} of {2} per step:', name, duration(cost_ps ?? 0), duration(step_ps))} `;
}

function coreText({ hosts }: HostsRecord, { host, device }: CoreRow): string {
  return hosts.length < 2 ? deviceName(device) : `${host} ${deviceName(device)}`;
}

function nobodyText(record: HostsRecord): string {
  const { hosts, cores, step_ps: step } = record;
  const host = most(hosts);
  if (host !== null) {
    return step === null
      ? l10n.t('No host costs much more than the others (most: {0}, {1})', host.host, duration(costOf(host)))
      : l10n.t(
          'No host costs much more than the others (most: {0}, {1} of {2})',
          host.host,
          duration(costOf(host)),
          duration(step),
        );
  }
  const core = most(cores);
  if (core !== null && cores.length > 1) {
    return step === null
      ? l10n.t(
          'No device costs much more than the others (most: {0}, {1})',
          coreText(record, core),
          duration(costOf(core)),
        )
      : l10n.t(
          'No device costs much more than the others (most: {0}, {1} of {2})',
          coreText(record, core),
          duration(costOf(core)),
          duration(step),
        );
  }
  return hosts.length < 2
    ? l10n.t('There is one host: it is compared with no other')
    : l10n.t('Hosts were not compared: there is no step that all of them have, or nothing in which they meet');
}

type Costing = Pick<HostRow, 'cost_per_step_ps'>;

function costOf({ cost_per_step_ps: cost }: Costing): number {
  return cost ?? 0;
}

function most<Row extends Costing>(rows: readonly Row[]): Row | null {
  return greatestRow(
    rows.filter(({ cost_per_step_ps: cost }) => cost !== null),
    costOf,
  );
}
