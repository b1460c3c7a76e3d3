// The hosts, the one that costs most first.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { HostRow, HostsRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { exactLine, LineLink, lineOrder } from '../../shared/controls/lineLink';
import { lineText } from '../../shared/op/words';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import type { TableState } from '../../shared/table/tableState';
import { dotted, duration, exactDuration } from '../../shared/text/format';
import { COUNT, TIME, UNKNOWN } from '../../shared/text/quantities';
import { Section, SectionTable } from './section';
import { isReference, primitiveOf } from './words';

export function Ranking({ record, state }: { readonly record: HostsRecord; readonly state: TableState }) {
  const columns = useMemo(() => hostColumns(record), [record]);
  return (
    <Section title={l10n.t('Ranking')} empty={record.hosts.length === 0 ? l10n.t('No host ran anything.') : null}>
      <SectionTable
        label={l10n.t('Hosts')}
        columns={columns}
        state={state}
        roots={record.hosts}
        keyOf={({ host }) => host}
        classOf={({ is_named: isNamed }) => (isNamed ? 'named' : '')}
      />
    </Section>
  );
}

function hostColumns({ hosts, step_ps: step }: HostsRecord): readonly Column<HostRow>[] {
  const longest = greatest(hosts, ({ cost_per_step_ps: cost }) => cost);
  /** Where there is room for one of both, it is that which the sentence is about. */
  const isLate = hosts.some(({ is_named: isNamed, reason }) => isNamed && reason === 'launched-late');
  const compared = (): string =>
    hosts.length < 2 ? l10n.t('One host is compared with no other') : l10n.t('It was not compared with the others');
  return [
    textColumn<HostRow>('host', l10n.t('Host'), ({ host }) => host, {
      width_px: 112,
      least_px: 96,
      fills: 1,
      cell: ({ host, is_named: isNamed }) => (
        <>
          {isNamed ? <Icon name="warning" label={l10n.t('costs much more than the others')} /> : null}
          <span class="text">{host}</span>
        </>
      ),
    }),
    numberColumn<HostRow>('devices', l10n.t('Devices'), COUNT, ({ devices }) => devices, { width_px: 72, rank: 4 }),
    numberColumn<HostRow>('cost', l10n.t('Costs per step'), TIME, ({ cost_per_step_ps: cost }) => cost, {
      width_px: 136,
      least_px: 128,
      meaning:
        step === null
          ? l10n.t('How much shorter a step would be if it were like the others')
          : l10n.t('How much shorter a step of {0} would be if it were like the others', duration(step)),
      unknown: compared,
      meter: ({ cost_per_step_ps: cost }) => (cost === null ? null : { ratio: cost / Math.max(1, longest) }),
    }),
    numberColumn<HostRow>('late', l10n.t('Launched late'), TIME, (row) => row.launched_late_per_step_ps, {
      width_px: 120,
      rank: isLate ? 2 : 3,
      meaning: l10n.t('What of the cost is that it launches its programs late'),
      unknown: compared,
    }),
    numberColumn<HostRow>('longer', l10n.t('Worked longer'), TIME, (row) => row.worked_longer_per_step_ps, {
      width_px: 124,
      rank: isLate ? 3 : 2,
      meaning: l10n.t('What of the cost is that it works longer between collectives'),
      unknown: compared,
    }),
    numberColumn<HostRow>('waits', l10n.t('Waits'), TIME, ({ wait_per_step_ps: time }) => time, {
      width_px: 80,
      rank: 3,
      meaning: l10n.t('In collectives, per step, until the last device has come: the slowest host waits least'),
    }),
    numberColumn<HostRow>('moves', l10n.t('Moves'), TIME, ({ move_per_step_ps: time }) => time, {
      width_px: 80,
      rank: 3,
      meaning: l10n.t('In collectives, per step, once all devices are there'),
    }),
    numberColumn<HostRow>('clock', l10n.t('Clock'), TIME, ({ offset_ps: offset }) => offset, {
      width_px: 136,
      rank: 5,
      meaning: l10n.t('What is to be added to its clock, and by how much that may be wrong'),
      text: clockText,
      exact: ({ offset_ps: offset, offset_error_ps: error }) =>
        offset === null
          ? l10n.t('Nothing says how its clock differs')
          : l10n.t('{0}, wrong by up to {1}', exactDuration(offset), exactDuration(error ?? 0)),
    }),
    {
      ...textColumn<HostRow>('line', l10n.t('Where'), placeText),
      width_px: 128,
      least_px: 112,
      rank: 1,
      fills: 1,
      text: (row) => placeText(row) ?? '',
      exact: (row) => dotted([exactLine(row), row.where, row.op]),
      value: (row) => lineOrder(row) ?? placeText(row),
      cell: (row) =>
        row.line === null ? <span class="text">{placeText(row) ?? ''}</span> : <LineLink place={row} inRow />,
    },
  ];
}

function clockText(row: HostRow): string {
  const { offset_ps: offset, offset_error_ps: error } = row;
  if (isReference(row)) {
    return l10n.t('the reference');
  }
  return offset === null || error === null ? UNKNOWN : `${duration(offset)} ± ${duration(error)}`;
}

/** Its line; else what it is in, or its op. */
function placeText({ path, line, where, op }: HostRow): string | null {
  return line !== null ? lineText(path, line) : (where ?? (op === null ? null : primitiveOf(op)));
}
