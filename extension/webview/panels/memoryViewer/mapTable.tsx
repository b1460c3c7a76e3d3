// The same as the allocation map in numbers: one row for each buffer of the memory space.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { byteSize, count } from '../../shared/text/format';
import { usePage } from '../../shared/page/page';
import type { Column } from '../../shared/table/columns';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import type { AllocationMap, Block } from './blocks';
import { categoryName } from './categories';
import { CategoryMark } from './columns';

export function MapTable(props: {
  readonly map: AllocationMap;
  readonly mark: string;
  readonly search: string;
  readonly onPin: (id: string) => void;
  readonly onHover: (id: string | null) => void;
  readonly onGo: (id: string) => void;
}) {
  const { map, mark } = props;
  const { saved } = usePage();
  const state = tableState(saved, 'map', { column: 'start', descending: false });
  const columns = useMemo(() => {
    const bytes = (id: string, title: string, value: (block: Block) => number): Column<Block> => ({
      id,
      title,
      width_px: 104,
      least_px: 80,
      align: 'end',
      value,
      text: (block) => `${mark}${byteSize(value(block))}`,
      exact: (block) => `${count(value(block))} B`,
      copied: { title: l10n.t('{0} (bytes)', title), text: (block) => String(value(block)) },
    });
    const number = (id: string, title: string, rank: number, value: (block: Block) => number): Column<Block> => ({
      id,
      title,
      width_px: 88,
      align: 'end',
      rank,
      value,
      text: (block) => count(value(block)),
    });
    const name: Column<Block> = {
      id: 'name',
      title: l10n.t('Buffer'),
      width_px: 200,
      least_px: 112,
      fills: 1,
      value: (block) => block.name,
      text: (block) => block.name,
      cell: (block) => (
        <>
          <CategoryMark category={block.category} />
          <code class="text">{block.name}</code>
        </>
      ),
    };
    const category: Column<Block> = {
      id: 'category',
      title: l10n.t('Category'),
      width_px: 104,
      rank: 3,
      value: (block) => categoryName(block.category),
      text: (block) => categoryName(block.category),
    };
    return [
      name,
      bytes('size', l10n.t('Size'), (block) => block.bytes),
      number('allocation', l10n.t('Allocation'), 2, (block) => block.allocation),
      bytes('offset', l10n.t('Offset'), (block) => block.offset_bytes),
      number('start', l10n.t('Start'), 1, (block) => block.start),
      number('end', l10n.t('End'), 1, (block) => block.end),
      category,
    ];
  }, [mark]);
  return (
    <div class="view-table">
      <Table
        label={l10n.t('Buffers of the memory space')}
        columns={columns}
        state={state}
        search={props.search}
        roots={map.blocks}
        keyOf={keyOf}
        onOpen={({ id }) => {
          props.onGo(id);
          return true;
        }}
        onSelect={({ id }) => props.onPin(id)}
        onHover={(block) => props.onHover(block?.id ?? null)}
        nothingFound={l10n.t('No row has “{0}”.', props.search.trim())}
      />
    </div>
  );
}

const keyOf = ({ id }: Block): string => id;
