// The columns of buffers: those at the peak, and those that are alive at a position.

import * as l10n from '@vscode/l10n';
import type { MemoryBuffer, MemoryViewerRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { fullOpName, OpName } from '../../shared/op/opName';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { lineColumn, numberColumn, type NumberOptions, textColumn } from '../../shared/table/kinds';
import { count } from '../../shared/text/format';
import { BYTES, COUNT, FACTOR, UNKNOWN } from '../../shared/text/quantities';
import { bufferName, estimateMark, expansionOf, extraBytes, isGroup, splitShape } from './buffers';
import { categoryName } from './categories';

export const SIZE_COLUMN = 'size';

/** The columns of buffers that are given in program order. */
export function bufferColumns(
  record: MemoryViewerRecord,
  buffers: readonly MemoryBuffer[],
): readonly Column<MemoryBuffer>[] {
  const mark = estimateMark(record);
  const largest = greatest(buffers, ({ bytes }) => bytes, 1);
  const places = new Map(buffers.map((buffer, at) => [buffer.id, at + 1]));
  const name = (buffer: MemoryBuffer): string =>
    isGroup(buffer) ? bufferName(buffer, record.small_bytes) : fullOpName(buffer);
  const bytes = (
    id: string,
    title: string,
    value: (buffer: MemoryBuffer) => number,
    more: NumberOptions<MemoryBuffer>,
  ): Column<MemoryBuffer> => numberColumn(id, title, BYTES, value, { width_px: 88, mark: () => mark, ...more });
  return [
    numberColumn<MemoryBuffer>('program', '#', COUNT, ({ id }) => places.get(id) ?? null, {
      meaning: l10n.t('Program order: what is there throughout, then temporaries as they are made'),
      width_px: 48,
      least_px: 48,
      rank: 4,
    }),
    textColumn<MemoryBuffer>('name', l10n.t('Buffer'), name, {
      width_px: 200,
      least_px: 96,
      fills: 2,
      exact: (buffer) =>
        [name(buffer), categoryName(buffer.category), buffer.op_name].filter((part) => part !== '').join('\n'),
      cell: (buffer) => (
        <>
          <CategoryMark category={buffer.category} />
          {isGroup(buffer) ? <span class="text">{name(buffer)}</span> : <OpName op={buffer} />}
          {buffer.is_residual ? (
            <Icon name={RESIDUAL_ICON} label={l10n.t('Kept from the forward pass for the backward pass')} />
          ) : null}
        </>
      ),
    }),
    bytes(SIZE_COLUMN, l10n.t('Size'), (buffer) => buffer.bytes, {
      meaning: l10n.t('With padding; the bar is full at the largest'),
      meter: (buffer) => ({ ratio: buffer.bytes / largest }),
      width_px: 168,
      least_px: 104,
    }),
    bytes('unpadded', l10n.t('Unpadded'), (buffer) => buffer.unpadded_bytes, {
      meaning: l10n.t('Without padding'),
      rank: 3,
    }),
    bytes('padding', l10n.t('Padding'), extraBytes, { meaning: l10n.t('What padding adds'), rank: 2 }),
    numberColumn<MemoryBuffer>('expansion', l10n.t('Expansion'), FACTOR, expansionOf, {
      meaning: l10n.t('Size over unpadded size'),
      width_px: 80,
      rank: 5,
    }),
    textColumn<MemoryBuffer>('shape', l10n.t('Shape'), ({ shape }) => shape, {
      width_px: 128,
      least_px: 96,
      fills: 1,
      isCode: true,
      rank: 1,
      text: ({ shape }) => splitShape(shape).shape || UNKNOWN,
      exact: ({ shape }) => shape,
    }),
    textColumn<MemoryBuffer>('layout', l10n.t('Layout'), ({ shape }) => splitShape(shape).layout, {
      width_px: 104,
      isCode: true,
      rank: 8,
    }),
    numberColumn<MemoryBuffer>('lifetime', l10n.t('Lifetime'), COUNT, ({ start, end }) => end - start, {
      meaning: l10n.t('Positions from its start to its end'),
      width_px: 112,
      rank: 6,
      text: lifetimeText,
      exact: lifetimeText,
    }),
    lineColumn<MemoryBuffer>({ width_px: 136, rank: 2 }),
    textColumn<MemoryBuffer>('op', l10n.t('Framework op'), ({ op_name }) => op_name, {
      width_px: 176,
      isCode: true,
      rank: 9,
    }),
  ];
}

export function lifetimeText({ start, end }: Pick<MemoryBuffer, 'start' | 'end'>): string {
  return l10n.t('{0} – {1}', count(start), count(end));
}

/** The mark of a category, which is beside its name wherever that is. */
export function CategoryMark(props: { readonly category: MemoryBuffer['category'] }) {
  return <span class={`category-mark of-${props.category}`} aria-hidden="true" />;
}

/** Of what the forward pass puts by for the backward pass. */
export const RESIDUAL_ICON = 'archive';
