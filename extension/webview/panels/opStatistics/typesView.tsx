// The types of ops above the table: as a pie, as bars, or as a table. Pressing one shows its ops alone.

import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useWalk } from '../../shared/controls/walk';
import { Meter } from '../../shared/charts/cells';
import { timeShare } from '../../shared/text/format';
import { COUNT, FLOPS, type Quantity, TIME, UNKNOWN } from '../../shared/text/quantities';
import { usePage } from '../../shared/page/page';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { type OpType, REST, type TypeMeasure } from './types';
import { TypesPie } from './typesPie';
import { amountText, exactText, hueOf, isUnknown, markOf, patternOf, typeName } from './typeWords';

export type TypesShown = 'pie' | 'bars' | 'table' | 'none';

export interface TypesProps {
  readonly types: readonly OpType[];
  readonly measure: TypeMeasure;
  readonly shown: TypesShown;
  /** What became of the types, where their run is compared with another. */
  readonly compared: ComparedRows<OpType> | null;
  /** The type whose ops are shown alone. */
  readonly filter: Signal<string | null>;
}

export interface PressedProps extends TypesProps {
  readonly onPress: (key: string) => void;
}

export function Types(props: TypesProps) {
  const { types, shown, filter } = props;
  const toggle = (key: string): void => {
    filter.value = filter.value === key ? null : key;
  };
  // Where nothing is known there is nothing to be divided.
  if (shown === 'none' || types.every(({ amount }) => amount === 0)) {
    return null;
  }
  const gone = shown === 'table' ? (props.compared?.gone.get(null)?.length ?? 0) : 0;
  return (
    <section class={`types ${shown}`} style={{ '--rows': types.length + gone }} aria-label={l10n.t('Types of ops')}>
      {shown === 'table' ? (
        <TypesTable {...props} onPress={toggle} />
      ) : shown === 'pie' ? (
        <TypesPie {...props} onPress={toggle} otherwise={<TypesList {...props} onPress={toggle} />} />
      ) : (
        <TypesList {...props} onPress={toggle} />
      )}
    </section>
  );
}

/** One stop of the Tab key; arrow keys go on from type to type. */
function TypesList({ types, measure, shown, filter, onPress }: PressedProps) {
  const walk = useWalk(types.length);
  const longest = greatest(types, ({ share_ratio }) => share_ratio);
  return (
    <div
      class="types-list"
      role="group"
      aria-label={measure === 'flops' ? l10n.t('Types of ops by FLOPs') : l10n.t('Types of ops by time')}
      ref={walk.list}
      onKeyDown={walk.onKeyDown}
    >
      {types.map((type, position) => (
        <button
          key={type.key}
          type="button"
          class="type"
          aria-pressed={type.key === filter.value}
          tabIndex={walk.tabIndexOf(position)}
          title={exactText(type, measure)}
          onFocus={() => walk.reach(position)}
          onClick={() => onPress(type.key)}
        >
          <span class={`type-mark pattern-${patternOf(type)}`} style={{ '--hue': hueOf(type) }}>
            {markOf(type)}
          </span>
          <span class="type-name ellipsis">{typeName(type)}</span>
          {shown === 'bars' ? <Meter ratio={longest === 0 ? 0 : type.share_ratio / longest} /> : null}
          <span class="share-text">{isUnknown(type) ? UNKNOWN : timeShare(type.share_ratio)}</span>
          <span class="type-time quiet">{amountText(type, measure)}</span>
        </button>
      ))}
    </div>
  );
}

function TypesTable({ types, measure, compared, onPress }: PressedProps) {
  const { saved } = usePage();
  const state = tableState(saved, 'types', { column: 'share', descending: true });
  const columns = useMemo(() => typeColumns(types, measure), [types, measure]);
  return (
    <Table
      label={l10n.t('Types of ops')}
      columns={columns}
      compared={compared}
      state={state}
      roots={types}
      keyOf={keyOf}
      isLast={isRest}
      onOpen={({ key }) => {
        onPress(key);
        return true;
      }}
    />
  );
}

const keyOf = ({ key }: OpType): string => key;
const isRest = ({ key }: OpType): boolean => key === REST;

function typeColumns(types: readonly OpType[], measure: TypeMeasure): readonly Column<OpType>[] {
  /** Where there is no room for all, those of the highest rank are left out first. */
  const number = (
    id: string,
    title: string,
    quantity: Quantity,
    rank: number,
    value: (type: OpType) => number | null,
  ): Column<OpType> => ({
    ...numberColumn(id, title, quantity, value, { exact: (type) => exactText(type, measure) }),
    rank,
  });
  const known = (type: OpType): number | null => (isUnknown(type) ? null : type.amount);
  return [
    textColumn<OpType>('type', l10n.t('Type'), typeName, { width_px: 168, least_px: 96, fills: 1 }),
    shareColumn<OpType>('share', l10n.t('Share'), known, {
      whole: types.reduce((sum, { amount }) => sum + amount, 0),
      longest: greatest(types, ({ amount }) => amount),
      quantity: measure === 'flops' ? FLOPS : TIME,
      exact: (type) => exactText(type, measure),
    }),
    ...(measure === 'flops'
      ? [number('flops', l10n.t('FLOPs'), FLOPS, 1, known)]
      : [
          number('self', l10n.t('Self'), TIME, 1, known),
          number('mean', l10n.t('Mean'), TIME, 3, (type) =>
            type.executions === 0 || isUnknown(type) ? null : type.amount / type.executions,
          ),
          number('executions', l10n.t('Executions'), COUNT, 4, ({ executions }) => executions),
        ]),
    number('ops', l10n.t('Ops'), COUNT, 2, ({ ops }) => ops),
  ];
}
