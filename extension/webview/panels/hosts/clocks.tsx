// The clocks of hosts: by how much each differs from the first one's, as far as collectives tell.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { ClockRow, HostsRecord } from '../../../src/protocol';
import type { LinePlace } from '../../shared/controls/lineLink';
import type { Column } from '../../shared/table/columns';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import type { TableState } from '../../shared/table/tableState';
import { duration } from '../../shared/text/format';
import { COUNT, quantityText, TIME } from '../../shared/text/quantities';
import { Section, SectionTable } from './section';
import { isReference } from './words';

/** Clocks are of no line. */
type PlacelessClock = ClockRow & LinePlace;

export function Clocks({ record, state }: { readonly record: HostsRecord; readonly state: TableState }) {
  const columns = useMemo(clockColumns, []);
  const rows = useMemo(
    () => record.clocks.map((row): PlacelessClock => ({ ...row, path: null, file: null, line: null })),
    [record],
  );
  return (
    <Section title={l10n.t('Clocks')} empty={emptyReason(record)}>
      <SectionTable label={l10n.t('Clocks')} columns={columns} state={state} roots={rows} keyOf={({ host }) => host} />
    </Section>
  );
}

function emptyReason({ clocks }: HostsRecord): string | null {
  const [first] = clocks;
  return first === undefined
    ? l10n.t('No clock is known.')
    : clocks.length === 1
      ? l10n.t('All is of one host, {0}: its clock needs no correction.', first.host)
      : null;
}

function clockColumns(): readonly Column<PlacelessClock>[] {
  type Clock = PlacelessClock;
  const noOffset = (): string => l10n.t('It met no host whose clock is known');
  return [
    textColumn<Clock>('host', l10n.t('Host'), ({ host }) => host, { width_px: 144, least_px: 96, fills: 1 }),
    numberColumn<Clock>('offset', l10n.t('Offset'), TIME, ({ offset_ps: offset }) => offset, {
      width_px: 112,
      meaning: l10n.t('What is to be added to it so that it agrees with that of the first host'),
      unknown: noOffset,
      text: (row) => (isReference(row) ? l10n.t('the reference') : quantityText(TIME, row.offset_ps)),
    }),
    numberColumn<Clock>('error', l10n.t('± Error'), TIME, ({ offset_error_ps: error }) => error, {
      width_px: 112,
      rank: 1,
      meaning: l10n.t('By how much the offset may be wrong'),
      unknown: noOffset,
      text: (row) => (isReference(row) ? '' : quantityText(TIME, row.offset_error_ps)),
    }),
    numberColumn<Clock>('applied', l10n.t('Applied'), TIME, ({ applied_offset_ps: offset }) => offset, {
      width_px: 112,
      meaning: l10n.t('What was added to its times: nothing where that is less than what may be wrong about it'),
      text: ({ applied_offset_ps: offset }) => (offset === 0 ? l10n.t('nothing') : duration(offset)),
    }),
    numberColumn<Clock>('meetings', l10n.t('Meetings'), COUNT, ({ meetings }) => meetings, {
      width_px: 96,
      rank: 2,
      meaning: l10n.t('In how many collectives it met another host'),
    }),
  ];
}
