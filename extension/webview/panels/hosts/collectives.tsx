// The collectives in which devices meet: how long they wait in them, and who comes last.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { HostsRecord, MetCollective } from '../../../src/protocol';
import { type NamedOp, opColumn } from '../../shared/op/opName';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, textColumn } from '../../shared/table/kinds';
import type { TableState } from '../../shared/table/tableState';
import { share } from '../../shared/text/format';
import { BYTE_RATE, BYTES, COUNT, TIME } from '../../shared/text/quantities';
import { Section, SectionTable } from './section';
import { primitiveOf } from './words';

export function Collectives({ record, state }: { readonly record: HostsRecord; readonly state: TableState }) {
  const { collectives } = record;
  const columns = useMemo(() => collectiveColumns(record), [record]);
  return (
    <Section
      title={l10n.t('Collectives')}
      empty={collectives.length === 0 ? l10n.t('No collective ran in the window that was captured.') : null}
    >
      <SectionTable
        label={l10n.t('Collectives')}
        columns={columns}
        state={state}
        roots={collectives}
        keyOf={collectiveKey}
      />
    </Section>
  );
}

export function collectiveKey({ name, op }: MetCollective): string {
  return `${op}\n${name}`;
}

/** Its line has a column of its own. */
function named({ name, op }: MetCollective): NamedOp {
  return { name, primitive: primitiveOf(op), path: null, line: null, phase: null };
}

function collectiveColumns({ hosts, collectives }: HostsRecord): readonly Column<MetCollective>[] {
  type Each = MetCollective;
  const hasAxes = collectives.some(({ axes }) => axes.length > 0);
  return [
    opColumn<Each>(named, { width_px: 208, exact: ({ op, name }) => `${op}\n${name}` }),
    textColumn<Each>('kind', l10n.t('Kind'), ({ kind }) => kind, { width_px: 128, rank: 4 }),
    ...(hasAxes
      ? [
          textColumn<Each>('axes', l10n.t('Axes'), ({ axes }) => axes.join(', ') || null, {
            width_px: 96,
            rank: 4,
            meaning: l10n.t('The axes of the mesh that it goes along'),
          }),
        ]
      : []),
    numberColumn<Each>('participants', l10n.t('Devices'), COUNT, ({ participants }) => participants, {
      width_px: 80,
      rank: 5,
      meaning: l10n.t('How many devices meet in one'),
    }),
    numberColumn<Each>('perStep', l10n.t('Per step'), COUNT, ({ per_step: times }) => times, {
      width_px: 80,
      rank: 5,
      meaning: l10n.t('How often it runs in a step, on one device'),
    }),
    numberColumn<Each>('waits', l10n.t('Waits'), TIME, ({ wait_per_step_ps: time }) => time, {
      meaning: l10n.t('Per step, until the last device has come'),
    }),
    numberColumn<Each>('moves', l10n.t('Moves'), TIME, ({ move_per_step_ps: time }) => time, {
      rank: 1,
      meaning: l10n.t('Per step, once all devices are there'),
    }),
    numberColumn<Each>('bytes', l10n.t('Sends'), BYTES, ({ bytes }) => bytes, {
      rank: 6,
      meaning: l10n.t('Bytes that a device sends over its link in one'),
    }),
    numberColumn<Each>('rate', l10n.t('Best rate'), BYTE_RATE, ({ bytes_per_s: rate }) => rate, {
      rank: 3,
      meaning: l10n.t('Of its bytes, when it moved them fastest'),
      unknown: ({ bytes }) =>
        bytes === null || bytes === 0
          ? l10n.t('It sends nothing, or how much is not known')
          : l10n.t('No run of it is whole'),
    }),
    ...(hosts.length < 2
      ? []
      : [
          textColumn<Each>('latest', l10n.t('Last to come'), ({ latest }) => latest, {
            width_px: 136,
            rank: 2,
            meaning: l10n.t('The host that came last most often'),
            text: ({ latest, latest_ratio: ratio }) => `${latest} (${share(ratio)})`,
            exact: ({ latest, latest_ratio: ratio }) => l10n.t('{0}, last in {1} of them', latest, share(ratio)),
          }),
        ]),
    lineColumn<Each>({ width_px: 144, least_px: 112, rank: 1 }),
  ];
}
