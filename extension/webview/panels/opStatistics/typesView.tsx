// The types of ops above the table: as a pie, as bars, or as a table. Pressing one shows its ops alone.

import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import { placeAfter } from '../../shared/controls/walkKeys';
import { Meter } from '../../shared/charts/cells';
import { type Pattern, PATTERNS, Pie } from '../../shared/charts/pie';
import { count, duration, exactDuration, exactFlops, flops, share } from '../../shared/text/format';
import { COUNT, FLOPS, type Quantity, RATIO, TIME, UNKNOWN } from '../../shared/text/quantities';
import { usePage } from '../../shared/page/page';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { type OpType, REST, type TypeMeasure } from './types';

export type TypesShown = 'pie' | 'bars' | 'table' | 'none';

/** Hues of slices, in turn; those of a further turn have a pattern, so that no two look the same. */
const HUES = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];

interface TypesProps {
  readonly types: readonly OpType[];
  readonly measure: TypeMeasure;
  readonly shown: TypesShown;
  /** The type whose ops are shown alone. */
  readonly filter: Signal<string | null>;
}

interface PressedProps extends TypesProps {
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
  return (
    <section class={`types ${shown}`} aria-label={l10n.t('Types of ops')}>
      {shown === 'table' ? (
        <TypesTable {...props} onPress={toggle} />
      ) : (
        <>
          {shown === 'pie' ? (
            <Pie
              slices={types.map((type) => ({
                key: type.key,
                mark: markOf(type),
                share_ratio: type.share_ratio,
                hue: hueOf(type),
                pattern: patternOf(type),
                title: `${typeName(type)}: ${share(type.share_ratio)}`,
              }))}
              selected={filter.value}
              onPress={toggle}
            />
          ) : null}
          <TypesList {...props} onPress={toggle} />
        </>
      )}
    </section>
  );
}

/** One stop of the Tab key; arrow keys go on from type to type. */
function TypesList({ types, measure, shown, filter, onPress }: PressedProps) {
  const list = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState(0);
  const reachable = Math.min(reached, types.length - 1);
  const longest = greatest(types, ({ share_ratio }) => share_ratio);
  return (
    <div
      class="types-list"
      role="group"
      aria-label={measure === 'flops' ? l10n.t('Types of ops by FLOPs') : l10n.t('Types of ops by time')}
      ref={list}
      onKeyDown={(event) => {
        const to = placeAfter(event.key, reachable, types.length);
        if (to !== null) {
          event.preventDefault();
          list.current?.querySelectorAll('button')[to]?.focus();
        }
      }}
    >
      {types.map((type, position) => (
        <button
          key={type.key}
          type="button"
          class="type"
          aria-pressed={type.key === filter.value}
          tabIndex={position === reachable ? 0 : -1}
          title={exactText(type, measure)}
          onFocus={() => setReached(position)}
          onClick={() => onPress(type.key)}
        >
          <span class={`type-mark pattern-${patternOf(type)}`} style={{ '--hue': hueOf(type) }}>
            {markOf(type)}
          </span>
          <span class="type-name ellipsis">{typeName(type)}</span>
          {shown === 'bars' ? <Meter ratio={longest === 0 ? 0 : type.share_ratio / longest} /> : null}
          <span class="share-text">{isUnknown(type) ? UNKNOWN : share(type.share_ratio)}</span>
          <span class="type-time quiet">{amountText(type, measure)}</span>
        </button>
      ))}
    </div>
  );
}

function TypesTable({ types, measure, onPress }: PressedProps) {
  const { saved } = usePage();
  const state = tableState(saved, 'types', { column: 'share', descending: true });
  const columns = useMemo(() => typeColumns(measure), [measure]);
  return (
    <Table
      label={l10n.t('Types of ops')}
      columns={columns}
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

function typeColumns(measure: TypeMeasure): readonly Column<OpType>[] {
  const number = (
    id: string,
    title: string,
    quantity: Quantity,
    value: (type: OpType) => number | null,
  ): Column<OpType> => numberColumn(id, title, quantity, value, { exact: (type) => exactText(type, measure) });
  const known = (type: OpType, value: number): number | null => (isUnknown(type) ? null : value);
  return [
    textColumn<OpType>('type', l10n.t('Type'), typeName, { width_px: 200, least_px: 96, fills: 1 }),
    number('share', l10n.t('Share'), RATIO, (type) => known(type, type.share_ratio)),
    ...(measure === 'flops'
      ? [number('flops', l10n.t('FLOPs'), FLOPS, (type) => known(type, type.amount))]
      : [
          number('self', l10n.t('Self'), TIME, ({ amount }) => amount),
          number('mean', l10n.t('Mean'), TIME, ({ amount, executions }) =>
            executions === 0 ? null : amount / executions,
          ),
          number('executions', l10n.t('Executions'), COUNT, ({ executions }) => executions),
        ]),
    number('ops', l10n.t('Ops'), COUNT, ({ ops }) => ops),
  ];
}

/** A type by its name; the rest by how many types it stands for. */
export function typeName(type: OpType): string {
  return type.key === REST
    ? l10n.t('{0} other types', count(type.categories.size))
    : type.key === ''
      ? l10n.t('(no type)')
      : type.key;
}

/** Whether of no op of the type the amount is known. */
function isUnknown({ ops, unknown }: OpType): boolean {
  return unknown === ops;
}

function amountText(type: OpType, measure: TypeMeasure): string {
  if (isUnknown(type)) {
    return UNKNOWN;
  }
  return measure === 'flops' ? flops(type.amount) : duration(type.amount);
}

function exactText(type: OpType, measure: TypeMeasure): string {
  if (measure === 'flops') {
    const { amount, ops, unknown } = type;
    return unknown === 0
      ? l10n.t('{0}: {1} of {2} ops', typeName(type), exactFlops(amount), count(ops))
      : l10n.t(
          '{0}: {1} of {2} ops; of {3} more FLOPs are not known',
          typeName(type),
          exactFlops(amount),
          count(ops - unknown),
          count(unknown),
        );
  }
  return l10n.t(
    '{0}: {1} of {2} ops in {3} executions',
    typeName(type),
    exactDuration(type.amount),
    count(type.ops),
    count(type.executions),
  );
}

function markOf({ rank }: OpType): string {
  return rank === 0 ? '…' : String(rank);
}

function hueOf({ rank }: OpType): string {
  return `var(--vscode-${rank === 0 ? 'descriptionForeground' : `charts-${HUES[(rank - 1) % HUES.length] ?? ''}`})`;
}

function patternOf({ rank }: OpType): Pattern {
  return rank === 0 ? 'plain' : (PATTERNS[Math.floor((rank - 1) / HUES.length) % PATTERNS.length] ?? 'plain');
}
