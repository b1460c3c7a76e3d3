// The cores: a map of them, and what each did. Both of all steps, or of one.

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { HostsRecord, Layout } from '../../../src/protocol';
import { PointTable } from '../../shared/charts/pointTable';
import { TableToggle } from '../../shared/charts/tableToggle';
import { Choice } from '../../shared/controls/choice';
import { Select } from '../../shared/controls/select';
import { usePage } from '../../shared/page/page';
import { count, dotted, duration, share } from '../../shared/text/format';
import type { DrawnLink } from './map/arrow';
import type { Choices } from './choices';
import { cellColumns } from './coreColumns';
import { HeatMap } from './map/heatMap';
import { amountOf, type CoreItem, type Grouping, groupingsOf, quantitiesOf, quantityName } from './items';
import { areTooMany, type CoreCell, gridOf } from './places';
import { Section, Twin } from './section';
import { StepSlider } from './stepSlider';

export function Cores(props: {
  readonly record: HostsRecord;
  readonly choices: Choices;
  readonly selected: CoreItem | null;
  readonly link: DrawnLink | null;
  readonly onSelect: (item: CoreItem) => void;
  readonly onOpen: (item: CoreItem) => void;
}) {
  const { record, choices, selected } = props;
  const { layout, items, quantity } = choices;
  const { saved } = usePage();
  const asTable: Signal<boolean> = saved.signal('heatAsTable', false);
  const grid = useMemo(() => (layout === null ? null : gridOf(record, layout, items)), [record, layout, items]);
  const columns = useMemo(() => (grid === null ? [] : cellColumns(record, grid, quantity)), [record, grid, quantity]);
  const itemAt = (at: number): CoreItem | undefined => grid?.cells[at]?.item;
  return (
    <Section
      title={l10n.t('Cores')}
      empty={grid === null ? l10n.t('No core ran anything in the steps.') : null}
      tools={
        <>
          <span class="spacer" />
          <TableToggle asTable={asTable} />
        </>
      }
    >
      <Controls record={record} choices={choices} />
      {areTooMany(record) ? (
        <p class="quiet">
          {l10n.t(
            '{0} cores are too many to be told apart: each host is the mean of its cores.',
            count(record.cores.length),
          )}
        </p>
      ) : null}
      {grid === null || layout === null ? null : asTable.value ? (
        <Twin rows={grid.cells.length}>
          <PointTable
            name="heat"
            label={l10n.t('Cores')}
            columns={columns}
            points={grid.cells.length}
            onSelect={(at) => {
              const item = itemAt(at);
              if (item !== undefined) {
                props.onSelect(item);
              }
            }}
            onPick={(at) => {
              const item = itemAt(at);
              if (item !== undefined) {
                props.onOpen(item);
              }
            }}
          />
        </Twin>
      ) : (
        <HeatMap
          grid={grid}
          quantity={quantity}
          selected={selected}
          link={props.link}
          textOf={(cell) => cellText(record, choices, layout, cell)}
          onSelect={props.onSelect}
          onOpen={props.onOpen}
          axes={dotted([
            grid.isOfHosts ? null : axesText(layout),
            quantity === 'cost' && choices.step !== null ? l10n.t('the cost is a mean of all steps') : null,
          ])}
        />
      )}
    </Section>
  );
}

function Controls({ record, choices }: { readonly record: HostsRecord; readonly choices: Choices }) {
  const groupings = groupingsOf(record);
  return (
    <div class="tool-row">
      {record.layouts.length < 2 || areTooMany(record) ? null : (
        <Choice<Layout['kind']>
          label={l10n.t('Layout')}
          options={record.layouts.map(({ kind }) => ({ value: kind, label: layoutName(kind) }))}
          value={choices.layout?.kind ?? 'hosts'}
          onChange={choices.onLayout}
        />
      )}
      {groupings.length < 2 || areTooMany(record) ? null : (
        <Select<Grouping>
          label={l10n.t('Group by')}
          options={groupings.map((value) => ({ value, label: groupingName(value) }))}
          value={choices.grouping}
          onChange={choices.onGrouping}
        />
      )}
      <Select
        label={l10n.t('Colour')}
        options={quantitiesOf(record).map((value) => ({ value, label: quantityName(value) }))}
        value={choices.quantity}
        onChange={choices.onQuantity}
      />
      <StepSlider record={record} choices={choices} />
    </div>
  );
}

function cellText(record: HostsRecord, { quantity, step }: Choices, layout: Layout, cell: CoreCell): string {
  const { item } = cell;
  const amount = amountOf(item, quantity);
  const whole = quantity === 'cost' ? record.step_ps : item.duration_ps;
  const isOfAll = quantity === 'cost' && step !== null;
  return dotted([
    item.name,
    areTooMany(record) ? l10n.t('mean of {0} cores', count(item.cores.length)) : placeText(layout, cell),
    item.chip === null ? null : l10n.t('chip {0}', item.chip),
    amount === null
      ? l10n.t('{0}: not known', quantityName(quantity))
      : `${quantityName(quantity)} ${duration(amount)}`,
    amount === null || whole === null || whole === 0 || quantity === 'step'
      ? null
      : l10n.t('{0} of the step', share(amount / whole)),
    isOfAll ? l10n.t('a mean of all steps') : null,
  ]);
}

/** Where a cell is, by the names of the axes where they have one. */
function placeText({ x_name, y_name, z_name, planes }: Layout, { x, y, z }: CoreCell): string {
  return [
    `${x_name || 'x'} ${String(x)}`,
    `${y_name || 'y'} ${String(y)}`,
    ...(planes > 1 ? [`${z_name || 'z'} ${String(z)}`] : []),
  ].join(', ');
}

function axesText({ x_name, y_name, z_name, planes, kind, is_recorded: isRecorded }: Layout): string {
  return dotted([
    [`${x_name || 'x'} →`, `${y_name || 'y'} ↓`, ...(planes > 1 ? [l10n.t('planes: {0}', z_name || 'z')] : [])].join(
      ', ',
    ),
    kind === 'chips' && !isRecorded ? l10n.t('places told from the numbers of chips') : null,
  ]);
}

function layoutName(kind: Layout['kind']): string {
  return { chips: l10n.t('Chips'), mesh: l10n.t('Mesh'), hosts: l10n.t('Hosts') }[kind];
}

function groupingName(grouping: Grouping): string {
  return { core: l10n.t('Core'), chip: l10n.t('Chip'), host: l10n.t('Host') }[grouping];
}
