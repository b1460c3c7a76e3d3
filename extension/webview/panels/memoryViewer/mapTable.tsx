// The same as the allocation map in numbers: one row for each buffer of the memory space.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../shared/page/page';
import type { Column } from '../../shared/table/columns';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { BYTES, COUNT, type Quantity } from '../../shared/text/quantities';
import type { Block } from './blocks';
import { categoryName } from './categories';
import { CategoryMark } from './columns';
import type { Viewer } from './viewer';

export function MapTable({ viewer }: { readonly viewer: Viewer }) {
  const { map, mark } = viewer;
  const { saved } = usePage();
  const state = tableState(saved, 'map', { column: 'start', descending: false });
  const columns = useMemo(() => {
    const number = (
      id: string,
      title: string,
      quantity: Quantity,
      value: (block: Block) => number,
      rank = 0,
    ): Column<Block> =>
      numberColumn(id, title, quantity, value, { rank, mark: () => (quantity === BYTES ? mark : '') });
    return [
      textColumn<Block>('name', l10n.t('Buffer'), (block) => block.name, {
        width_px: 200,
        least_px: 112,
        fills: 1,
        cell: (block) => (
          <>
            <CategoryMark category={block.category} />
            <code class="text">{block.name}</code>
          </>
        ),
      }),
      number('size', l10n.t('Size'), BYTES, (block) => block.bytes),
      number('allocation', l10n.t('Allocation'), COUNT, (block) => block.allocation, 2),
      number('offset', l10n.t('Offset'), BYTES, (block) => block.offset_bytes),
      number('start', l10n.t('Start'), COUNT, (block) => block.start, 1),
      number('end', l10n.t('End'), COUNT, (block) => block.end, 1),
      textColumn<Block>('category', l10n.t('Category'), (block) => categoryName(block.category), {
        width_px: 104,
        rank: 3,
      }),
    ];
  }, [mark]);
  return (
    <div class="view-table">
      <Table
        label={l10n.t('Buffers of the memory space')}
        columns={columns}
        state={state}
        search={viewer.state.search.value}
        roots={map.blocks}
        keyOf={keyOf}
        onOpen={({ id }) => viewer.go(id)}
        onSelect={({ id }) => viewer.pin(id)}
        onHover={(block) => viewer.hover(block?.id ?? null)}
      />
    </div>
  );
}

const keyOf = ({ id }: Block): string => id;
