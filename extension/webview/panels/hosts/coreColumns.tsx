// The columns of cores: as the map has them, and with each of their parts.

import * as l10n from '@vscode/l10n';
import type { HostsRecord } from '../../../src/protocol';
import { StackedBar } from '../../shared/charts/cells';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { dotted, duration, share } from '../../shared/text/format';
import { COUNT, RATIO, TIME } from '../../shared/text/quantities';
import { amountOf, type CoreItem, type CoreQuantity, quantityName } from './items';
import { CORE_PARTS, type CorePart, corePartMeaning, corePartName } from './parts';
import type { CoreGrid } from './places';

export type ItemRow = CoreItem & {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
};

/** The cells of the map by their position. */
export function cellColumns(record: HostsRecord, grid: CoreGrid, quantity: CoreQuantity): readonly Column<number>[] {
  const item = (at: number): CoreItem | undefined => grid.cells[at]?.item;
  const amount = (at: number): number | null => {
    const of = item(at);
    return of === undefined ? null : amountOf(of, quantity);
  };
  const axis = (name: 'x' | 'y' | 'z', title: string): Column<number> =>
    numberColumn<number>(name, title, COUNT, (at) => grid.cells[at]?.[name] ?? null, { width_px: 56, rank: 2 });
  return [
    textColumn<number>('name', l10n.t('Core'), (at) => item(at)?.name ?? '', {
      width_px: 160,
      least_px: 112,
      fills: 1,
    }),
    axis('x', 'x'),
    axis('y', 'y'),
    ...(grid.planes > 1 ? [axis('z', 'z')] : []),
    ...(grid.cells.some((cell) => cell.item.chip !== null)
      ? [numberColumn<number>('chip', l10n.t('Chip'), COUNT, (at) => item(at)?.chip ?? null, { width_px: 64, rank: 1 })]
      : []),
    textColumn<number>('host', l10n.t('Host'), (at) => item(at)?.host ?? '', { width_px: 112, rank: 3 }),
    numberColumn<number>('amount', titled(quantityName(quantity)), TIME, amount, { width_px: 144 }),
    numberColumn<number>(
      'share',
      l10n.t('Of the step'),
      RATIO,
      (at) => {
        const [part, whole] = [amount(at), quantity === 'cost' ? record.step_ps : (item(at)?.duration_ps ?? null)];
        return part === null || whole === null || whole === 0 ? null : part / whole;
      },
      { width_px: 104, rank: 1 },
    ),
  ];
}

/** Items with a bar of their parts, or with a number for each of them. */
export function itemColumns(
  items: readonly CoreItem[],
  parts: readonly CorePart[],
  asNumbers: boolean,
): readonly Column<ItemRow>[] {
  const longest = greatest(items, ({ duration_ps: time }) => time, 1);
  const name = textColumn<ItemRow>('name', l10n.t('Core'), (item) => item.name, {
    width_px: 152,
    least_px: 128,
    ...(asNumbers ? { fills: 1 } : {}),
  });
  const takes = numberColumn<ItemRow>('step', l10n.t('Step'), TIME, ({ duration_ps: time }) => time, {
    width_px: 88,
    least_px: 72,
  });
  if (asNumbers) {
    return [
      name,
      takes,
      ...parts.map((part) =>
        numberColumn<ItemRow>(part, titled(corePartName(part)), TIME, (item) => amountOf(item, part), {
          width_px: 120,
          least_px: 88,
          meaning: corePartMeaning(part),
        }),
      ),
    ];
  }
  return [
    name,
    takes,
    {
      id: 'parts',
      title: l10n.t('What it did'),
      width_px: 320,
      least_px: 72,
      fills: 3,
      value: ({ duration_ps: time }) => time,
      text: (item) => dotted(parts.map((part) => partText(item, part))),
      exact: (item) =>
        parts
          .map((part) => partText(item, part))
          .filter((text) => text !== null)
          .join('\n'),
      cell: (item) => (
        <StackedBar
          parts={parts.map((part) => ({ hue: `core-${part}`, share_ratio: (item.parts[part] ?? 0) / longest }))}
        />
      ),
    },
  ];
}

/** A name as headers have it. */
function titled(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function partText(item: CoreItem, part: CorePart): string | null {
  const time = item.parts[part] ?? 0;
  return time === 0 || item.duration_ps === null
    ? null
    : `${corePartName(part)} ${duration(time)} (${share(time / Math.max(1, item.duration_ps))})`;
}

/** The parts that any of the items has. */
export function presentParts(items: readonly CoreItem[]): readonly CorePart[] {
  return CORE_PARTS.filter((part) => items.some(({ parts }) => (parts[part] ?? 0) > 0));
}
