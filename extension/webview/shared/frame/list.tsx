// A list of a panel: its search, its tools, its table with the way to each row's line and to the other panels.

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import { SearchField } from '../controls/elements';
import type { ComparedRows } from '../comparison/comparedTable';
import type { LinePlace } from '../controls/lineLink';
import type { MenuItem } from '../controls/menu';
import { type Page, usePage } from '../page/page';
import { showInItems } from '../page/showIn';
import type { TableFocus } from '../table/grid';
import { Table, type TableProps } from '../table/table';

export interface ListProps<Row> extends Omit<TableProps<Row>, 'search' | 'focusRef'> {
  readonly search: Signal<string>;
  readonly searchLabel: string;
  /** Controls beside the search. */
  readonly tools?: ComponentChildren;
  /** What stands between the tools and the table. */
  readonly picture?: ComponentChildren;
  /** The arrangement of the rows: each has a table of its own. */
  readonly arrangement?: string;
  /** What became of the rows, where their run is compared with another. */
  readonly compared?: ComparedRows<Row> | null;
  /** What of a row can be shown in other panels. */
  readonly selectionOf: (row: Row) => Selection | null;
}

export function List<Row extends LinePlace>(props: ListProps<Row>) {
  const { search, searchLabel, tools, picture, arrangement, selectionOf, menuOf, onOpen, ...table } = props;
  const page = usePage();
  const focus = useRef<TableFocus>(null);
  return (
    <>
      <div class="tool-row">
        <SearchField
          label={searchLabel}
          value={search.value}
          onChange={(text) => (search.value = text)}
          onLeave={() => focus.current?.focus()}
        />
        {tools}
      </div>
      {picture}
      <Table
        key={arrangement}
        {...table}
        search={search.value}
        onOpen={onOpen ?? ((row) => page.host.goToLineOf(row))}
        menuOf={(row) => [...lineItems(page, row), ...(menuOf?.(row) ?? []), ...showInItems(page, selectionOf(row))]}
        focusRef={focus}
      />
    </>
  );
}

/** The way to the line of a row, where its file is known. */
export function lineItems({ host }: Page, place: LinePlace): readonly MenuItem[] {
  return place.file === null
    ? []
    : [{ label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void host.goToLineOf(place) }];
}
