// The columns of buffers: those at the peak, and those that are alive at a position.

import * as l10n from '@vscode/l10n';
import type { MemoryBuffer, MemoryViewerRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { byteSize, count } from '../../shared/text/format';
import { exactLine, LineLink, lineOrder, type LinePlace } from '../../shared/controls/lineLink';
import { lineText } from '../../shared/op/words';
import { UNKNOWN } from '../../shared/text/quantities';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { bufferName, estimateMark, expansionOf, extraBytes, splitShape } from './buffers';
import { categoryName } from './categories';

export const SIZE_COLUMN = 'size';
export const PADDING_COLUMN = 'padding';
export const PROGRAM_COLUMN = 'program';

/** The columns of buffers that are given in program order. */
export function bufferColumns(options: {
  readonly record: MemoryViewerRecord;
  readonly buffers: readonly MemoryBuffer[];
  readonly onGo: (place: LinePlace) => void;
}): readonly Column<MemoryBuffer>[] {
  const { record, buffers } = options;
  const mark = estimateMark(record);
  const largest = greatest(buffers, ({ bytes }) => bytes, 1);
  const places = new Map(buffers.map((buffer, at) => [buffer.id, at + 1]));
  const bytes = (
    column: Pick<Column<MemoryBuffer>, 'id' | 'title' | 'meaning' | 'rank' | 'meter'>,
    value: (buffer: MemoryBuffer) => number,
  ): Column<MemoryBuffer> => ({
    width_px: 88,
    least_px: 72,
    align: 'end',
    ...column,
    value,
    text: (buffer) => `${mark}${byteSize(value(buffer))}`,
    exact: (buffer) => `${count(value(buffer))} B`,
    copied: { title: l10n.t('{0} (bytes)', column.title), text: (buffer) => String(value(buffer)) },
  });
  const order: Column<MemoryBuffer> = {
    id: PROGRAM_COLUMN,
    title: '#',
    meaning: l10n.t('Program order: what is there throughout, then temporaries as they are made'),
    width_px: 48,
    align: 'end',
    rank: 4,
    value: ({ id }) => places.get(id) ?? null,
    text: ({ id }) => count(places.get(id) ?? 0),
  };
  return [
    order,
    {
      id: 'name',
      title: l10n.t('Buffer'),
      width_px: 200,
      least_px: 96,
      fills: 2,
      value: (buffer) => bufferName(buffer, record.small_bytes),
      text: (buffer) => bufferName(buffer, record.small_bytes),
      exact: (buffer) =>
        [bufferName(buffer, record.small_bytes), categoryName(buffer.category), buffer.op_name]
          .filter((part) => part !== '')
          .join('\n'),
      cell: (buffer) => (
        <>
          <CategoryMark category={buffer.category} />
          <code class="text">{bufferName(buffer, record.small_bytes)}</code>
          {buffer.is_residual ? <ResidualMark /> : null}
        </>
      ),
    },
    {
      ...bytes(
        {
          id: SIZE_COLUMN,
          title: l10n.t('Size'),
          meaning: l10n.t('With padding; the bar is full at the largest'),
          meter: (buffer) => ({ ratio: buffer.bytes / largest }),
        },
        (buffer) => buffer.bytes,
      ),
      width_px: 168,
      least_px: 104,
    },
    bytes(
      { id: 'unpadded', title: l10n.t('Unpadded'), meaning: l10n.t('Without padding'), rank: 3 },
      (buffer) => buffer.unpadded_bytes,
    ),
    bytes({ id: PADDING_COLUMN, title: l10n.t('Padding'), meaning: l10n.t('What padding adds'), rank: 2 }, extraBytes),
    {
      id: 'expansion',
      title: l10n.t('Expansion'),
      meaning: l10n.t('Size over unpadded size'),
      width_px: 80,
      align: 'end',
      rank: 5,
      value: expansionOf,
      text: expansionText,
    },
    {
      id: 'shape',
      title: l10n.t('Shape'),
      width_px: 128,
      least_px: 96,
      fills: 1,
      isCode: true,
      rank: 1,
      value: ({ shape }) => shape,
      text: ({ shape }) => splitShape(shape).shape || UNKNOWN,
      exact: ({ shape }) => shape,
    },
    {
      id: 'layout',
      title: l10n.t('Layout'),
      width_px: 104,
      isCode: true,
      rank: 8,
      value: ({ shape }) => splitShape(shape).layout,
      text: ({ shape }) => splitShape(shape).layout,
    },
    {
      id: 'lifetime',
      title: l10n.t('Lifetime'),
      meaning: l10n.t('Positions from its start to its end'),
      width_px: 112,
      align: 'end',
      rank: 6,
      value: ({ start, end }) => end - start,
      text: lifetimeText,
    },
    {
      id: 'line',
      title: l10n.t('Line'),
      width_px: 136,
      rank: 2,
      value: lineOrder,
      text: ({ path, line }) => lineText(path, line),
      exact: exactLine,
      cell: (buffer) => <LineLink place={buffer} inRow onGo={options.onGo} />,
    },
    {
      id: 'op',
      title: l10n.t('Framework op'),
      width_px: 176,
      isCode: true,
      rank: 9,
      value: ({ op_name }) => op_name,
      text: ({ op_name }) => op_name,
    },
  ];
}

export function expansionText(buffer: MemoryBuffer): string {
  const ratio = expansionOf(buffer);
  return ratio === null ? UNKNOWN : `${ratio < 9.95 ? ratio.toFixed(2) : ratio.toFixed(0)} ×`;
}

export function lifetimeText({ start, end }: Pick<MemoryBuffer, 'start' | 'end'>): string {
  return l10n.t('{0} – {1}', count(start), count(end));
}

/** The mark of a category, which is beside its name wherever that is. */
export function CategoryMark(props: { readonly category: MemoryBuffer['category'] }) {
  return <span class={`category-mark ${props.category}`} aria-hidden="true" />;
}

/** Of what the forward pass puts by for the backward pass. */
export const RESIDUAL_ICON = 'archive';

function ResidualMark() {
  return <Icon name={RESIDUAL_ICON} label={l10n.t('Kept from the forward pass for the backward pass')} />;
}
