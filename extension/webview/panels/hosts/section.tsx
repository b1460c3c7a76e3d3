// A part of the page: its heading, its tools, what it shows or why it is empty; and its tables.

import type { ComponentChildren } from 'preact';
import type { LinePlace } from '../../shared/controls/lineLink';
import { selectionOf } from '../../shared/controls/lineLink';
import { lineItems } from '../../shared/frame/list';
import { usePage } from '../../shared/page/page';
import { showInItems } from '../../shared/page/showIn';
import { Table, type TableProps } from '../../shared/table/table';

/** As many rows are seen at once. */
const MOST_ROWS = 12;

export function Section(props: {
  readonly title: string;
  /** Why there is nothing to show; null where there is. */
  readonly empty: string | null;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { title, empty, tools } = props;
  return (
    <section class="hosts-section" aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        {empty === null ? tools : null}
      </div>
      {empty === null ? props.children : <p class="quiet reason">{empty}</p>}
    </section>
  );
}

/** The table of what a chart shows, as high as its rows. */
export function Twin(props: { readonly rows: number; readonly children: ComponentChildren }) {
  return (
    <div class="twin" style={{ '--rows': Math.min(MOST_ROWS, props.rows) }}>
      {props.children}
    </div>
  );
}

/** A table as high as its rows, up to so many. A row's line is gone to from it, and selected in the other panels. */
export function SectionTable<Row extends LinePlace>(
  props: Omit<TableProps<Row>, 'menuOf' | 'onOpen'> & { readonly onOpen?: (row: Row) => boolean },
) {
  const page = usePage();
  const { onSelect, onOpen, ...table } = props;
  const rows = Math.min(MOST_ROWS, props.roots.length);
  return (
    <div class="section-table" style={{ '--rows': rows }}>
      <Table
        {...table}
        onOpen={onOpen ?? ((row) => page.host.goToLineOf(row))}
        onSelect={(row) => {
          const selection = selectionOf(row);
          if (selection !== null) {
            page.host.select(selection);
          }
          onSelect?.(row);
        }}
        menuOf={(row) => [...lineItems(page, row), ...showInItems(page, selectionOf(row))]}
      />
    </div>
  );
}
